// Says which account a change is about to be made in when nobody is asked to confirm it. Sends nothing for that: a script
// should not wait for a name.

import type { Webhook } from '../../../contract/webhook.ts';
import { Failure, toFailure } from '../../../failure.ts';
import { selectProfile } from '../../../login/select-account.ts';
import type { Context } from '../../context.ts';

/** By name, where the profile has one; otherwise by the id that the webhooks have. Nothing where neither is known. */
export async function showKnownAccount(context: Context, records: readonly Webhook[]): Promise<void> {
  // The records of --json name their account, and a script may read its errors as JSON.
  if (context.report.isQuiet || context.report.wantsJson) return;
  const ids = new Set(records.flatMap(({ accountId }) => accountId ?? []));
  const name = (await nameFromProfile(context)) ?? [...ids].join(', ');
  if (name !== '') await context.report.info(`Account ${name}`);
}

/** Nothing known about a profile keeps a command from its work. */
async function nameFromProfile({ world, account }: Context): Promise<string | undefined> {
  if (account.token !== undefined) return undefined;
  const profile = await selectProfile(world, account).catch(toFailure);
  if (profile === undefined || profile instanceof Failure) return undefined;
  const { account: name, user } = profile;
  return name !== undefined && user !== undefined ? `${name}, as ${user}` : name;
}
