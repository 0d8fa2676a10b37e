// The authorization-code flow from the first check to the tokens. It talks to nobody: what a person must see or may
// paste goes through the `talk` it is given.

import { randomBytes } from 'node:crypto';
import { faultFailure } from '../client/ending.ts';
import { encode } from '../client/request.ts';
import { authorize, scopeList, type TokenAnswer, token } from '../contract/authorization.ts';
import { accessDenied } from '../contract/error.ts';
import type { Scope } from '../contract/scope.ts';
import { Failure, usage } from '../failure.ts';
import type { World } from '../world/world.ts';
import {
  type Callback,
  type CallbackPlace,
  type Landing,
  listenForCallback,
  type Page,
  readLanding,
} from './callback.ts';
import { hostOver, isLoopbackHost, mayUseHost } from './host.ts';
import type { TokenItem } from './store.ts';
import { type Application, exchangeRequest, expiryOf, readTokenAnswer } from './token-request.ts';

export interface SignInPlan {
  readonly authUrl: string;
  readonly application: Application;
  readonly scopes: readonly Scope[] | undefined;
  /** The registered callback. Loopback: we listen there. Https: the person pastes the address they landed on. */
  readonly redirectUri: string | undefined;
  /** For a loopback callback without a registered address; 0 picks one. */
  readonly port: number;
  readonly hostSuffixes: readonly string[];
  readonly openBrowser: boolean;
  readonly timeoutMs: number;
}

export interface Talk {
  showAddress(url: string, opened: boolean, waitsForPaste: boolean): Promise<void>;
  /** Resolves with what was pasted once `check` says true, or never; what else `check` says is for the person. */
  pasted?(check: (text: string) => true | string, signal: AbortSignal): Promise<string>;
}

export interface SignedIn {
  readonly item: TokenItem;
  /** Tells the browser how it ended; closes the listener. */
  finish(page: Page): Promise<void>;
}

const answerBytes = 1024 * 1024;
/** How long a person may take. */
export const patienceMs = 300_000;

/** Throws a {@link Failure}: denied, expired, nobody came, or the service did not accept it. */
export async function signIn(
  world: Pick<World, 'server' | 'http' | 'clock' | 'browser'>,
  plan: SignInPlan,
  talk: Talk,
): Promise<SignedIn> {
  const state = randomBytes(32).toString('base64url');
  const place = placeOf(plan);
  const callback = place ? await listenForCallback(world, place, state) : undefined;
  // A registered address is compared as text, so it goes out as it was given.
  const redirectUri = plan.redirectUri ?? callback?.redirectUri ?? '';
  try {
    const address = authorizeUrl(plan, redirectUri, state);
    const opened = plan.openBrowser && (await world.browser.open(address));
    await talk.showAddress(address, opened, callback === undefined);
    const landing = await firstOf(world, callback, state, talk);
    if ('error' in landing) throw denied(landing);
    const item = await exchange(world, plan, landing.code, redirectUri);
    return {
      item,
      async finish(page) {
        await callback?.end(page);
      },
    };
  } catch (error) {
    await callback?.end({
      title: 'Not signed in',
      text: `${error instanceof Error ? error.message : 'Something failed'}. The terminal says more; you can close this tab.`,
    });
    throw error;
  }
}

function placeOf(plan: SignInPlan): CallbackPlace | undefined {
  if (plan.redirectUri === undefined) return { hostname: '127.0.0.1', port: plan.port, path: '/callback' };
  const url = URL.canParse(plan.redirectUri) ? new URL(plan.redirectUri) : undefined;
  if (url?.protocol === 'https:') return undefined;
  if (url?.protocol !== 'http:' || !isLoopbackHost(url.host)) {
    throw usage(`--redirect-uri: ${plan.redirectUri} is neither https nor loopback with a port`);
  }
  return { hostname: url.hostname, port: Number(url.port), path: url.pathname };
}

export function authorizeUrl(plan: SignInPlan, redirectUri: string, state: string): string {
  const query: Record<string, string> = {
    client_id: plan.application.clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    state,
    ...(plan.scopes ? { scope: scopeList.toWire(plan.scopes) } : {}),
  };
  const pairs = Object.entries(query).map(([name, value]) => `${encode(name)}=${encode(value)}`);
  return `${plan.authUrl}${authorize.path}?${pairs.join('&')}`;
}

/**
 * The callback and the pasted address race: the first with the right state wins. The question is over by then: while one
 * stands, whoever interrupts ends it and nothing else.
 */
async function firstOf(
  world: Pick<World, 'clock'>,
  callback: Callback | undefined,
  state: string,
  talk: Talk,
): Promise<Landing> {
  const racers: Promise<Landing>[] = [];
  const ending = new AbortController();
  let asked: Promise<unknown> = Promise.resolve();
  if (callback) racers.push(callback.landed);
  if (talk.pasted) {
    const check = (text: string) => {
      const landing = readPasted(text, state);
      return typeof landing === 'string' ? landing : true;
    };
    const pasted = talk.pasted(check, ending.signal).then((text) => {
      const landing = readPasted(text, state);
      if (typeof landing === 'string') throw usage(landing);
      return landing;
    });
    // That it was ended is nobody's concern, once the callback has won; that somebody interrupted is.
    asked = pasted.catch((error: unknown) => {
      if (error instanceof Failure) throw error;
    });
    asked.catch(() => {});
    racers.push(pasted);
  }
  let cancel = () => {};
  const patience = new Promise<never>((_, reject) => {
    cancel = world.clock.after(patienceMs, () =>
      reject(
        new Failure('sign_in_needed', {
          what: 'Nobody signed in within five minutes',
          hint: 'Run it again: wm login',
        }),
      ),
    );
  });
  try {
    return await Promise.race([...racers, patience]);
  } finally {
    cancel();
    ending.abort();
    await asked;
  }
}

/** What a person pasted: the address they landed on, or what is wrong with it. */
function readPasted(text: string, state: string): Landing | string {
  const trimmed = text.trim();
  const landing = URL.canParse(trimmed) ? readLanding(new URL(trimmed).searchParams, state) : 'no code';
  if (landing === 'wrong state')
    return 'That is the address of another sign-in: paste the one this sign-in led to.';
  if (landing === 'no code') return 'That is not the address you landed on: it holds code= and state=.';
  return landing;
}

function denied(landing: { readonly error: string; readonly description: string | undefined }): Failure {
  const { error, description } = landing;
  return new Failure('sign_in_needed', {
    what:
      error === accessDenied
        ? 'Access was denied on the consent page'
        : `The service did not sign you in: ${error}`,
    why: description,
    word: error,
    hint: 'Run wm login again and press Allow.',
  });
}

async function exchange(
  world: Pick<World, 'http' | 'clock'>,
  plan: SignInPlan,
  code: string,
  redirectUri: string,
): Promise<TokenItem> {
  const request = exchangeRequest(plan.authUrl + token.path, plan.application, code, redirectUri);
  const asked = world.clock.now();
  const answer = await world.http.send(request, { timeoutMs: plan.timeoutMs, maxBytes: answerBytes });
  if ('fault' in answer) throw faultFailure(answer);
  const got = readTokenAnswer(answer);
  const host = hostOf(got, plan);
  return {
    generation: 1,
    accessToken: got.access_token,
    ...(got.refresh_token === undefined ? {} : { refreshToken: got.refresh_token }),
    ...expiryOf(got, asked),
    host,
    clientId: plan.application.clientId,
    clientSecret: plan.application.clientSecret,
  };
}

function hostOf(got: TokenAnswer, plan: SignInPlan): string {
  const host = got.host ?? '';
  if (mayUseHost(host, plan.authUrl, plan.hostSuffixes)) return hostOver(plan.authUrl, host.toLowerCase());
  throw new Failure('bad_answer', {
    what: `The token is for the host ${JSON.stringify(host)}, which this sign-in may not lead to`,
    why: `allowed are ${plan.hostSuffixes.join(', ') || 'loopback hosts'} and what ends in them`,
    hint: 'If that host is right, allow it: wm login --allow-host HOST',
  });
}
