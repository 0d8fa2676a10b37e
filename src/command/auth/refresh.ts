// `wm auth refresh`: renews the access token now, whatever life it has left.

import { Failure } from '../../failure.ts';
import { credentialsFor } from '../../login/account.ts';
import { command } from '../command.ts';

export default command({
  examples: [{ does: 'After the scopes or the rights of the account were changed', line: 'wm auth refresh' }],
  arguments: {},
  flags: {},
  async run(_input, { world, account, report }) {
    const credentials = await credentialsFor(world, account, (line) => void report.warn(line));
    const before = await credentials.access();
    const after = await credentials.renew(before);
    if (!after) {
      throw new Failure('sign_in_needed', {
        what: 'This token is permanent and cannot be renewed',
        hint: 'It is good until it is revoked. To be rid of it: wm logout, or unset WM_TOKEN.',
      });
    }
    await report.say('The access token is renewed.');
    if (report.wantsJson) await report.json({ renewed: true });
  },
});
