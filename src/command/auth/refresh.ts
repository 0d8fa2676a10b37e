// `wm auth refresh`: renews the access token now, whatever life it has left.

import { Failure, usageError } from '../../failure.ts';
import { loadCredentials } from '../../login/select-account.ts';
import { command } from '../command.ts';
import { unsetCommand } from '../environment-variables.ts';

export default command({
  examples: [
    { description: 'After the scopes or rights of the account changed', command: 'wm auth refresh' },
  ],
  arguments: {},
  flags: {},
  async run(_input, { world, account, report }) {
    if (account.token !== undefined) {
      throw usageError(
        'WM_TOKEN is set, and wm cannot refresh it',
        `To refresh a sign-in: wm auth refresh --profile NAME, or ${unsetCommand(world, ['WM_TOKEN'])} first.`,
        'There is no refresh token for it.',
      );
    }
    const credentials = await loadCredentials(world, account, report);
    const before = await credentials.access();
    const after = await credentials.refresh(before);
    if (!after) {
      throw new Failure('sign_in_needed', {
        message: 'This token is permanent and cannot be renewed',
        hint: 'It is valid until it is revoked. To remove it from this machine: wm logout',
      });
    }
    await report.info('The access token is renewed.');
    if (report.wantsJson) await report.json({ renewed: true });
  },
});
