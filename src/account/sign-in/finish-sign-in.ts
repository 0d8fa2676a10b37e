// The last step of every sign-in through the consent page: identifies the user of the fresh tokens and stores them in the profile.

import type { Context } from '#cli/context.ts';
import { formatCommand, withProfile } from '#cli/format-command.ts';
import { type Identity, identityFields } from '#cli/identity.ts';
import { commandHint, Failure, type FailureCode, toFailure } from '#failure.ts';
import { forgetRecords } from '#local-records/record-cache.ts';
import { saveProfile } from '#login/profile.ts';
import type { SignedIn } from '#login/sign-in.ts';
import { saveSignIn } from '#login/sign-in-storage.ts';
import { showPlainTextNotice } from '#login/store-notices.ts';
import type { StoredTokens, TokenStore } from '#login/token-store.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { confirmIdentityFirst, mayReplaceAnother } from './replace-sign-in.ts';
import type { SignInPlan } from './settings.ts';
import { readTokenIdentity } from './token-from-input.ts';

/** If it throws, the previous sign-in is unchanged, or the message says that the new one is stored. `note`: ends a hint. */
export async function finishSignIn(
  context: Context,
  plan: Omit<SignInPlan, 'callbackAddress'>,
  signedIn: SignedIn,
  note = '',
): Promise<Identity> {
  const { world } = context;
  const { name, store, authUrl, hostSuffixes, scopes, application, hints, redirectUri, previous } = plan;
  const { tokens } = signedIn;
  const profile = {
    name,
    authUrl,
    host: tokens.host,
    hostSuffixes,
    clientId: application.clientId,
    ...omitUndefined({ redirectUri, scopes }),
    store: store.kind,
    signedInAt: world.clock.now(),
  };
  if (mayReplaceAnother(context, previous))
    await confirmIdentityFirst(context, previous, tokens, {
      message: 'Cannot read the account of the new sign-in',
      hint: `To sign in anyway: ${hints.restartCommand} --profile ${previous.name}`,
      secondAccount: { command: hints.restartCommand, note },
      finish: signedIn.finish,
    });
  // Unless they replace others, store the tokens before the service confirms them: after this they cannot be lost.
  await storeSignIn(context, store, profile, tokens).catch(async (error: unknown) => {
    // Otherwise the browser would keep waiting, and the command with it.
    await signedIn.finish({
      title: 'Not signed in',
      text: 'The tokens could not be stored. See the terminal.',
    });
    throw error;
  });
  let identity: Identity;
  try {
    identity = await readTokenIdentity(context, tokens);
  } catch (error) {
    await signedIn.finish({ title: 'Signed in', text: 'The account could not be read. See the terminal.' });
    const code = error instanceof Failure && error.code === 'sign_in_needed' ? error.code : 'other';
    throw storedButFailed(context, name, code, 'cannot read the account', error);
  }
  const text = `You are ${identity.user}, in ${identity.account}. You can close this tab and return to the terminal.`;
  await signedIn.finish({ title: 'Signed in', text });
  await saveProfile(world, { ...profile, ...identityFields(identity) }).catch((error: unknown) => {
    throw storedButFailed(context, name, 'other', 'cannot store the user and account', error);
  });
  return identity;
}

function storedButFailed(context: Context, name: string, code: FailureCode, failed: string, error: unknown) {
  return new Failure(code, {
    message: `Signed in (profile ${name}), but ${failed}`,
    why: toFailure(error).sentence,
    hint: commandHint('Try it: ', formatCommand(withProfile(context, name), 'whoami')),
    cause: error,
  });
}

/** Stores the tokens; from then on, the profile may belong to another user. */
export async function storeSignIn(
  context: Context,
  store: TokenStore,
  profile: Parameters<typeof saveSignIn>[2],
  tokens: StoredTokens,
): Promise<void> {
  const { world, report } = context;
  const warning = await saveSignIn(world, store, profile, tokens, report.info);
  await forgetRecords(world, profile.name);
  if (warning) await report.warn(warning);
  await showPlainTextNotice(world, store, profile.name, (line) => report.warn(line));
}
