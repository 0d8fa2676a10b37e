// Asks for confirmation before a sign-in replaces another user's or account's, whose refresh token is then lost. Naming the
// profile on the command line counts as confirmation.

import type { Context } from '#cli/context.ts';
import type { Identity } from '#cli/identity.ts';
import { Failure, toFailure } from '#failure.ts';
import type { CallbackPage } from '#login/callback-page.ts';
import type { Profile } from '#login/profile.ts';
import type { StoredTokens } from '#login/token-store.ts';
import { readTokenIdentity } from './token-from-input.ts';

/** A sign-in whose user is known. */
export type NamedProfile = Profile & { readonly user: string; readonly account: string };

/** True if a stored sign-in would be replaced without being named on the command line. */
export function mayReplaceAnother({ common }: Context, before: Profile | undefined): before is NamedProfile {
  return common.profile === undefined && before?.user !== undefined && before.account !== undefined;
}

/** Compares users by id, or by name if the ids were not stored. */
export function isDifferentIdentity(before: NamedProfile, now: Identity): boolean {
  const same = (kept: string | undefined, id: string, keptName: string, name: string) =>
    kept === undefined ? keptName === name : kept === id;
  return !(
    same(before.userId, now.userId, before.user, now.user) &&
    same(before.accountId, now.accountId, before.account, now.account)
  );
}

export function formatIdentity({ user, account }: Identity): string {
  return `${user} (${account})`;
}

interface Replacing {
  /** The message if the account cannot be read, and how to replace the sign-in all the same. */
  readonly what: string;
  readonly hint: string;
  readonly another: Parameters<typeof confirmReplacement>[3];
  /** Shows the final page in the browser, which need not wait for the answer. */
  readonly finish?: (page: CallbackPage) => Promise<void>;
}

/** Ends the command and keeps the previous sign-in if this one is another user's and the user does not confirm it. */
export async function confirmIdentityFirst(
  context: Context,
  before: NamedProfile,
  tokens: StoredTokens,
  { what, hint, another, finish }: Replacing,
): Promise<void> {
  const identity = await readTokenIdentity(context, tokens).catch(async (error: unknown) => {
    await finish?.({ title: 'Not signed in', text: 'The account could not be read. See the terminal.' });
    const { code, sentence } = toFailure(error);
    throw new Failure(code, {
      message: what,
      why: sentence,
      hint: `The existing sign-in is unchanged. ${hint}`,
      cause: error,
    });
  });
  if (!isDifferentIdentity(before, identity)) return;
  const text = `You are ${identity.user}, in ${identity.account}. This sign-in is not stored yet. See the terminal.`;
  await finish?.({ title: 'Another account', text });
  await confirmReplacement(context, before, formatIdentity(identity), another);
}

/** Ends the command unless the user confirms. `words` are the command's, for the hint on adding a second account. */
export async function confirmReplacement(
  context: Context,
  before: NamedProfile,
  now: string,
  { words, more = '' }: { readonly words: string; readonly more?: string },
): Promise<void> {
  const question = `Replace the sign-in of ${before.user} (${before.account}) in the profile ${before.name} with ${now}?`;
  try {
    await context.confirm(question);
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'usage') throw error;
    throw error.with({
      hint: `The existing sign-in is unchanged. For a second account: ${words} --profile NAME. To replace it: --yes.${more}`,
    });
  }
}
