// `wm whoami`: asks the service who the token stands for, and says what is known here of the token.

import { operations } from '../contract/operation.ts';
import { openProfileStore } from '../login/profile-store.ts';
import { findHost, selectProfile } from '../login/select-account.ts';
import type { Column } from '../terminal/table.ts';
import { command } from './command.ts';
import type { Context } from './context.ts';
import { type Identity, identityColumns, readIdentity } from './identity.ts';
import { createRequestText } from './send.ts';
import {
  detailColumns,
  detailsOf,
  environmentToken,
  expiresText,
  noToken,
  type Shown,
  type TokenDetails,
} from './token-details.ts';

const columns: readonly Column<Identity & Shown>[] = [...identityColumns, ...detailColumns];

export default command({
  showsRequests: true,
  examples: [
    { does: 'Who is signed in', line: 'wm whoami' },
    { does: 'The account’s id, for a script', line: 'wm whoami --json' },
  ],
  details: `The scopes are those that the sign-in asked for. For a token in WM_TOKEN, wm knows neither scopes nor expiry.`,
  columns,
  arguments: {},
  flags: {},
  async run(_input, context) {
    if (context.common.dryRun || context.common.curl) {
      const text = await createRequestText(context);
      await context.report.line(text(operations.getAccount, {}, {}));
      await context.report.line(text(operations.listContacts, {}, { me: true }));
      return;
    }
    const session = await context.session();
    const identity = await readIdentity(session, (await findHost(context.world, context.account)) ?? '');
    // After the request, which may have renewed the token.
    const details = await detailsHere(context);
    const row = { ...identity, details, expiresText: expiresText(details, context.world) };
    await context.report.one({ columns, records: [row], raw: [{ ...identity, ...details }] });
  },
});

async function detailsHere({ world, account }: Context): Promise<TokenDetails> {
  if (account.token !== undefined) return environmentToken;
  const profile = await selectProfile(world, account);
  const item = profile && (await openProfileStore(world, profile, account.store).read(profile.name));
  // Signed out between the request and here.
  return profile && item ? detailsOf(profile, item) : noToken;
}
