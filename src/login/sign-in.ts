// The authorization-code flow from the first check to the tokens. It talks to nobody: what a person must see or may
// paste goes through the `talk` it is given.

import { Failure, usageError } from '../failure.ts';
import type { World } from '../world/world.ts';
import {
  authorizationFailure,
  authorizeUrl,
  createState,
  parsePastedUrl,
  type SignInSettings,
} from './authorization-request.ts';
import {
  type AuthorizationResponse,
  type CallbackAddress,
  type CallbackPage,
  type CallbackServer,
  createCallbackServer,
} from './callback-server.ts';
import { exchangeCode } from './code-exchange.ts';
import type { StoredTokens } from './token-store.ts';

export interface SignInOptions extends SignInSettings {
  /** The registered callback; without it the one that we listen at. */
  readonly redirectUri: string | undefined;
  /** Where to listen; nothing where the landing URL is pasted. */
  readonly callbackAddress: CallbackAddress | undefined;
  readonly openBrowser: boolean;
  readonly timeoutMs: number;
}

export interface SignInUi {
  showUrl(url: string, opened: boolean, waitsForPaste: boolean): Promise<void>;
  /** Resolves with what was pasted once `check` says true, or never; what else `check` says is for the person. */
  promptForUrl?(check: (text: string) => true | string, signal: AbortSignal): Promise<string>;
}

export interface SignedIn {
  readonly item: StoredTokens;
  /** Tells the browser how it ended; closes the listener. */
  finish(page: CallbackPage): Promise<void>;
}

/** How long a person may take. */
export const signInTimeoutMs = 300_000;

/** Throws a {@link Failure}: denied, expired, nobody came, or the service did not accept it. */
export async function signIn(
  world: Pick<World, 'server' | 'http' | 'clock' | 'browser' | 'secrets'>,
  plan: SignInOptions,
  talk: SignInUi,
): Promise<SignedIn> {
  const state = createState();
  const callback = plan.callbackAddress
    ? await createCallbackServer(world, plan.callbackAddress, state)
    : undefined;
  // A registered address is compared as text, so it goes out as it was given.
  const redirectUri = plan.redirectUri ?? callback?.redirectUri ?? '';
  try {
    const address = authorizeUrl(plan, redirectUri, state);
    const opened = plan.openBrowser && (await world.browser.open(address));
    await talk.showUrl(address, opened, callback === undefined);
    // The address shows it; nothing else does.
    world.secrets.add(state);
    const landing = await waitForAuthorization(world, callback, state, talk, plan.hints.restartCommand);
    if ('error' in landing) throw authorizationFailure(landing, plan.hints.restartCommand);
    const { timeoutMs } = plan;
    const item = await exchangeCode(world, plan, { code: landing.code, redirectUri, timeoutMs });
    return {
      item,
      async finish(page) {
        await callback?.respond(page);
      },
    };
  } catch (error) {
    await callback?.respond({
      title: 'Not signed in',
      text: `${error instanceof Error ? world.secrets.redact(error.message) : 'Something failed'}. The terminal says more; you can close this tab.`,
    });
    throw error;
  }
}

/**
 * The callback and the pasted address race: the first with the right state wins. The question is over by then: while one
 * stands, whoever interrupts ends it and nothing else.
 */
async function waitForAuthorization(
  world: Pick<World, 'clock'>,
  callback: CallbackServer | undefined,
  state: string,
  talk: SignInUi,
  again: string,
): Promise<AuthorizationResponse> {
  const racers: Promise<AuthorizationResponse>[] = [];
  const ending = new AbortController();
  let asked: Promise<unknown> = Promise.resolve();
  if (callback) racers.push(callback.authorized);
  if (talk.promptForUrl) {
    const check = (text: string) => {
      const landing = parsePastedUrl(text, state);
      return typeof landing === 'string' ? landing : true;
    };
    const pasted = talk.promptForUrl(check, ending.signal).then((text) => {
      const landing = parsePastedUrl(text, state);
      if (typeof landing === 'string') throw usageError(landing);
      return landing;
    });
    // That it was ended is nobody's concern, once the callback has won; that somebody interrupted is.
    asked = pasted.catch((error: unknown) => {
      if (error instanceof Failure) throw error;
    });
    asked.catch(() => {});
    racers.push(pasted);
  }
  let expire = () => {};
  const expired = new Promise<never>((_, reject) => {
    expire = () =>
      reject(
        new Failure('sign_in_needed', {
          message: 'Nobody signed in within five minutes',
          hint: `Begin again: ${again}`,
        }),
      );
  });
  const limit = world.clock.limit(signInTimeoutMs, expire);
  try {
    return await Promise.race([...racers, expired]);
  } finally {
    limit.cancel();
    ending.abort();
    await asked;
  }
}
