// `wm whoami`: asks the service whose token it is, and prints that with what is known about the token.

import { command } from '#cli/command.ts';
import { type Identity, identityColumns, readIdentity } from '#cli/identity.ts';
import { createRequestFormatter, printDryRun } from '#cli/send.ts';
import { accountOperations } from '#contract/account-operations.ts';
import { findHost } from '#login/select-account.ts';
import type { Column } from '#terminal/table.ts';
import { detailColumns, environmentToken, readTokenDetails, type TokenDetails } from './token-details.ts';

const pipeColumns: readonly Column<Identity & TokenDetails>[] = [...identityColumns, ...detailColumns];

export default command({
  sendsRequests: true,
  changes: 'nothing',
  examples: { 'Show who is signed in': 'wm whoami', 'Get the account id in a script': 'wm whoami --json' },
  details: `The scopes shown are the ones that the sign-in requested. For a token in WM_TOKEN, wm knows neither the scopes nor the expiry.`,
  pipeColumns,
  async run(_input, context) {
    if (context.isDryRun) {
      const format = await createRequestFormatter(context);
      return printDryRun(context, [
        format(accountOperations.getAccount, {}, {}),
        format(accountOperations.listContacts, {}, { me: true }),
      ]);
    }
    const session = await context.session();
    const identity = await readIdentity(session, (await findHost(context.world, context.account)) ?? '');
    // Of the token that was used, which the request may have refreshed; the store may be locked by now.
    const { profile, tokens } = await context.credentials();
    const used = tokens?.();
    const row = { ...identity, ...(profile && used ? readTokenDetails(profile, used) : environmentToken) };
    await context.report.one({ columns: pipeColumns, records: [row], raw: [row] });
  },
});
