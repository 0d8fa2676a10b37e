// Confirms a sign-in that replaces that of another user or account, whose refresh token is then lost. Naming the profile
// on the command line counts as confirmation.

import type { Context } from '#cli/context.ts';
import type { Identity } from '#cli/identity.ts';
import { Failure, toFailure } from '#failure.ts';
import type { Profile } from '#login/profile.ts';
import type { StoredTokens } from '#login/token-store.ts';
import { readTokenIdentity } from './token-identity.ts';

/** A sign-in that is known to be someone's. */
export type NamedProfile = Profile & { readonly user: string; readonly account: string };

/** True where a sign-in is kept whose replacement was not asked for by name. */
export function mayReplaceAnother({ common }: Context, before: Profile | undefined): before is NamedProfile {
  return common.profile === undefined && before?.user !== undefined && before.account !== undefined;
}

/** By their ids; where those were not kept, by their names. */
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

/** Reads whose token would replace the stored one. If it cannot tell, it throws, and the previous sign-in stays as it was. */
export async function readReplacementIdentity(
  context: Context,
  item: StoredTokens,
  { what, hint }: { readonly what: string; readonly hint: string },
): Promise<Identity> {
  return readTokenIdentity(context, item).catch((error: unknown) => {
    const { code, sentence } = toFailure(error);
    throw new Failure(code, {
      message: what,
      why: sentence,
      hint: `The existing sign-in is unchanged. ${hint}`,
      cause: error,
    });
  });
}

/** Ends the command where the answer is not yes. `words` are the command's, for the way to a second account. */
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
