// The authorization-code flow from the first check to the tokens. It talks to nobody: what a person must see or may
// paste goes through the `talk` it is given.

import { Failure, usage } from '../failure.ts';
import type { World } from '../world/world.ts';
import { authorizeUrl, createState, denied, readPasted, type SignInSettings } from './authorize.ts';
import { type Callback, type CallbackPlace, type Landing, listenForCallback, type Page } from './callback.ts';
import { exchange } from './exchange.ts';
import type { TokenItem } from './store.ts';

export interface SignInPlan extends SignInSettings {
  /** The registered callback; without it the one that we listen at. */
  readonly redirectUri: string | undefined;
  /** Where to listen; nothing where the landing URL is pasted. */
  readonly place: CallbackPlace | undefined;
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

/** How long a person may take. */
export const patienceMs = 300_000;

/** Throws a {@link Failure}: denied, expired, nobody came, or the service did not accept it. */
export async function signIn(
  world: Pick<World, 'server' | 'http' | 'clock' | 'browser' | 'secrets'>,
  plan: SignInPlan,
  talk: Talk,
): Promise<SignedIn> {
  const state = createState();
  const callback = plan.place ? await listenForCallback(world, plan.place, state) : undefined;
  // A registered address is compared as text, so it goes out as it was given.
  const redirectUri = plan.redirectUri ?? callback?.redirectUri ?? '';
  try {
    const address = authorizeUrl(plan, redirectUri, state);
    const opened = plan.openBrowser && (await world.browser.open(address));
    await talk.showAddress(address, opened, callback === undefined);
    // The address shows it; nothing else does.
    world.secrets.add(state);
    const landing = await firstOf(world, callback, state, talk, plan.help.again);
    if ('error' in landing) throw denied(landing, plan.help.again);
    const { timeoutMs } = plan;
    const item = await exchange(world, plan, { code: landing.code, redirectUri, timeoutMs });
    return {
      item,
      async finish(page) {
        await callback?.end(page);
      },
    };
  } catch (error) {
    await callback?.end({
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
async function firstOf(
  world: Pick<World, 'clock'>,
  callback: Callback | undefined,
  state: string,
  talk: Talk,
  again: string,
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
  let expire = () => {};
  const expired = new Promise<never>((_, reject) => {
    expire = () =>
      reject(
        new Failure('sign_in_needed', {
          what: 'Nobody signed in within five minutes',
          hint: `Begin again: ${again}`,
        }),
      );
  });
  const limit = world.clock.limit(patienceMs, expire);
  try {
    return await Promise.race([...racers, expired]);
  } finally {
    limit.cancel();
    ending.abort();
    await asked;
  }
}
