// `wm auth refresh`: refreshes the access token now, however long it is still valid.

import { command } from '#cli/command.ts';
import { unsetCommand } from '#cli/environment-variables.ts';
import { formatCommand } from '#cli/format-command.ts';
import { Failure, usageError } from '#failure.ts';

export default command({
  changes: 'this machine',
  examples: { 'After a change to the scopes or rights of the account': 'wm auth refresh' },
  async run(_input, context) {
    const { world, account, report } = context;
    if (account.token !== undefined)
      throw usageError(
        'Cannot refresh the token in WM_TOKEN',
        `To refresh a stored sign-in, name its profile (wm auth refresh --profile NAME), or first run: ${unsetCommand(world, ['WM_TOKEN'])}`,
        'It has no refresh token.',
      );
    const credentials = await context.credentials();
    const access = await credentials.access();
    const refreshed = await credentials.refresh(access);
    if (!refreshed)
      throw usageError(
        'Cannot refresh a permanent token',
        `It stays valid until you revoke it. To remove it from this machine: ${formatCommand(context, 'logout')}`,
      );
    if (credentials.isUnstored?.())
      throw new Failure('token_store', {
        message: 'The access token was refreshed, but could not be stored',
        hint: 'Run the command again; it says if you must sign in again.',
      });
    await report.info('Refreshed the access token.');
    if (report.wantsJson) await report.json({ refreshed: true });
  },
});
