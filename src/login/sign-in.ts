// The authorization code flow from the consent page to the tokens. Prints nothing: its `ui` shows the URL, and prompts for one.

import { errorMessage, Failure } from '#failure.ts';
import { withinLimit } from '#within-limit.ts';
import type { World } from '#world/world.ts';
import { authorizeUrl, createState, type SignInSettings } from './authorization-request.ts';
import {
  type AuthorizationResponse,
  authorizationFailure,
  type ParseUrl,
  parsePastedUrl,
} from './authorization-response.ts';
import type { CallbackPage } from './callback-page.ts';
import { type CallbackAddress, type CallbackServer, createCallbackServer } from './callback-server.ts';
import { exchangeCode } from './code-exchange.ts';
import { type Application, RejectedApplication } from './token-endpoint.ts';
import type { StoredTokens } from './token-store.ts';

export interface SignInOptions extends SignInSettings {
  /** The registered redirect URI; by default that of our own callback server. */
  readonly redirectUri: string | undefined;
  /** Where to listen; undefined if the user pastes the URL. */
  readonly callbackAddress: CallbackAddress | undefined;
  readonly openBrowser: boolean;
  /** For the code exchange, in milliseconds. */
  readonly timeoutMs: number;
}

export interface SignInUi {
  /** `opened`: a browser already shows the URL. `waitsForPaste`: without a callback server, the user pastes the redirect. */
  showUrl(url: string, opened: boolean, waitsForPaste: boolean): Promise<void>;
  readonly trace?: (line: string) => unknown;
  /** Absent if the user cannot be prompted. `rejection`: why the service rejected the previous secret. */
  readonly promptForSecret?: (rejection: Failure) => Promise<string>;
  /** Resolves with what `parse` returns for the first text that is acceptable. Rejects after `signal`. */
  promptForUrl(parse: ParseUrl, signal: AbortSignal): Promise<AuthorizationResponse>;
}

export interface SignedIn {
  readonly tokens: StoredTokens;
  /** Shows the final page in the browser, unless it shows one already, and closes the callback server. */
  finish(page: CallbackPage): Promise<void>;
}

/** How long the user may take, in milliseconds. */
export const signInTimeoutMs = 300_000;

/** Stores nothing. If it throws, the browser shows an error page. @see [RFC 6749 §4.1](https://www.rfc-editor.org/rfc/rfc6749#section-4.1) */
export async function signIn(
  world: Pick<World, 'server' | 'http' | 'clock' | 'browser' | 'secrets' | 'randomBytes'>,
  options: SignInOptions,
  ui: SignInUi,
): Promise<SignedIn> {
  const { timeoutMs } = options;
  const { restartCommand } = options.hints;
  const state = createState(world);
  const callback = options.callbackAddress
    ? await createCallbackServer(world, options.callbackAddress, state)
    : undefined;
  // The service compares redirect URIs as text, so a registered URI is sent unchanged.
  const redirectUri = options.redirectUri ?? callback?.redirectUri ?? '';
  try {
    const url = authorizeUrl(options, redirectUri, state);
    const opened = options.openBrowser && (await world.browser.open(url));
    await ui.showUrl(url, opened, callback === undefined);
    // The URL shows the state; nothing after it may.
    world.secrets.add(state);
    const authorization = await waitForAuthorization(world, callback, state, ui, restartCommand);
    if ('error' in authorization) throw authorizationFailure(authorization, restartCommand);
    const { code } = authorization;
    const exchange = async (application: Application): Promise<StoredTokens> => {
      try {
        const request = { code, redirectUri, timeoutMs, trace: ui.trace };
        return await exchangeCode(world, { ...options, application }, request);
      } catch (error) {
        // The code is good for ten minutes, and was not used: it needs no second consent.
        if (!ui.promptForSecret || !(error instanceof RejectedApplication)) throw error;
        await callback?.respond({
          title: 'Not signed in yet',
          text: `${error.message}. Return to the terminal and give the client secret again; you can close this tab.`,
        });
        return exchange({ ...application, clientSecret: await ui.promptForSecret(error) });
      }
    };
    const item = await exchange(options.application);
    return {
      tokens: item,
      async finish(page) {
        await callback?.respond(page);
      },
    };
  } catch (error) {
    const message = world.secrets.redact(errorMessage(error));
    await callback?.respond({
      title: 'Not signed in',
      text: `${message}. See the terminal for details; you can close this tab.`,
    });
    throw error;
  }
}

/** The callback and the pasted URL race. Returns only after the prompt has ended: Ctrl-C would end an open prompt instead. */
async function waitForAuthorization(
  world: Pick<World, 'clock'>,
  callback: CallbackServer | undefined,
  state: string,
  ui: SignInUi,
  restartCommand: string,
): Promise<AuthorizationResponse> {
  const responses = callback ? [callback.authorized] : [];
  const stop = new AbortController();
  const pasted = ui.promptForUrl((text) => parsePastedUrl(text, state), stop.signal);
  // Ignore our own abort, after the callback has won; report an interruption by the user.
  const promptEnded = pasted.catch((error: unknown) => {
    if (error instanceof Failure) throw error;
  });
  promptEnded.catch(() => {});
  responses.push(pasted);
  try {
    return await withinLimit(world.clock, signInTimeoutMs, Promise.race(responses), () => {
      throw new Failure('sign_in_needed', {
        message: 'The sign-in timed out after five minutes',
        hint: `Start again: ${restartCommand}`,
      });
    });
  } finally {
    stop.abort();
    await promptEnded;
  }
}
