// Asks for confirmation before a sign-in replaces another user's or account's, whose refresh token is then lost. Naming the
// profile on the command line counts as confirmation.

import type { Context } from '#cli/context.ts';
import type { Identity } from '#cli/identity.ts';
import { Failure, toFailure } from '#failure.ts';
import type { CallbackPage } from '#login/callback-page.ts';
import type { Profile } from '#login/profile.ts';
import type { StoredTokens } from '#login/token-store.ts';
import { readTokenIdentity } from './token-from-input.ts';

type NamedProfile = Profile & { readonly user: string; readonly account: string };

/** True if a stored sign-in would be replaced without being named on the command line. */
export function mayReplaceAnother(
  { common }: Context,
  previous: Profile | undefined,
): previous is NamedProfile {
  return common.profile === undefined && previous?.user !== undefined && previous.account !== undefined;
}

/** Compares users by id, or by name if the ids were not stored. */
export function isDifferentIdentity(previous: NamedProfile, current: Identity): boolean {
  const isSame = (storedId: string | undefined, id: string, storedName: string, name: string) =>
    storedId === undefined ? storedName === name : storedId === id;
  return !(
    isSame(previous.userId, current.userId, previous.user, current.user) &&
    isSame(previous.accountId, current.accountId, previous.account, current.account)
  );
}

export function formatIdentity({ user, account }: Identity): string {
  return `${user} (${account})`;
}

interface ReplacementOptions {
  /** The message if the account cannot be read, and how to replace the sign-in anyway. */
  readonly message: string;
  readonly hint: string;
  readonly secondAccount: Parameters<typeof confirmReplacement>[3];
  /** Shows the final page in the browser, which need not wait for the answer. */
  readonly finish?: (page: CallbackPage) => Promise<void>;
}

/** Ends the command and keeps the previous sign-in if this one is another user's and the user does not confirm it. */
export async function confirmIdentityFirst(
  context: Context,
  previous: NamedProfile,
  tokens: StoredTokens,
  { message, hint, secondAccount, finish }: ReplacementOptions,
): Promise<void> {
  const identity = await readTokenIdentity(context, tokens).catch(async (error: unknown) => {
    await finish?.({ title: 'Not signed in', text: 'The account could not be read. See the terminal.' });
    const { code, sentence } = toFailure(error);
    throw new Failure(code, {
      message,
      why: sentence,
      hint: `The existing sign-in is unchanged. ${hint}`,
      cause: error,
    });
  });
  if (!isDifferentIdentity(previous, identity)) return;
  const text = `You are ${identity.user}, in ${identity.account}. This sign-in is not stored yet. See the terminal.`;
  await finish?.({ title: 'Another account', text });
  await confirmReplacement(context, previous, formatIdentity(identity), secondAccount);
}

/** Ends the command unless the user confirms. `command`: for the hint on adding a second account. */
export async function confirmReplacement(
  context: Context,
  previous: NamedProfile,
  newIdentity: string,
  { command, note = '' }: { readonly command: string; readonly note?: string },
): Promise<void> {
  const question = `Replace the sign-in of ${previous.user} (${previous.account}) in the profile ${previous.name} with ${newIdentity}?`;
  try {
    await context.confirm(question);
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'usage') throw error;
    throw error.with({
      hint: `The existing sign-in is unchanged. For a second account: ${command} --profile NAME. To replace it: --yes.${note}`,
    });
  }
}
