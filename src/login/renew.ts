// A profile's token, renewed when it is about to expire or was refused. The refresh token is good for one use, so a
// renewal happens under the profile's lock, after reading again what another process may just have renewed.

import { faultFailure, type Access, type Credentials } from '../client/session.ts';
import { Failure } from '../failure.ts';
import type { World } from '../world/world.ts';
import { apiBase, mayUseHost, renewalUrl } from './host.ts';
import type { Profile } from './profile.ts';
import type { TokenItem, TokenStore } from './store.ts';
import { readTokenAnswer, refreshRequest } from './token-request.ts';

/** A token with less life left than this is renewed before it is used. */
const freshMs = 60_000;
const waitForOthersMs = 60_000;
const renewalTimeoutMs = 30_000;
const answerBytes = 1024 * 1024;

export function accessOf(item: TokenItem): Access {
  return { token: item.accessToken, baseUrl: apiBase(item.host) };
}

export function renewingCredentials(
  world: Pick<World, 'http' | 'clock' | 'files' | 'lock'>,
  store: TokenStore,
  profile: Profile,
): Credentials {
  async function readItem(): Promise<TokenItem> {
    const item = await store.read(profile.name);
    if (item) return item;
    throw new Failure('sign_in_needed', {
      what: `There is no token for the profile ${profile.name} in ${store.name}`,
      hint: `Sign in: wm login --profile ${profile.name}`,
    });
  }

  function isFresh(item: TokenItem): boolean {
    return item.expiresAt === undefined || item.expiresAt - world.clock.now() > freshMs;
  }

  /** `stale` is the access token that must not be used any more. */
  async function renewed(stale: string): Promise<TokenItem> {
    const path = `${world.files.configFolder}/locks/${profile.name}.lock`;
    const held = await world.lock.take(path, { timeoutMs: waitForOthersMs });
    if (!held) {
      throw new Failure('other', {
        what: 'Another wm has been renewing the sign-in for a minute',
        hint: 'Try again. If it lasts, end the other wm.',
      });
    }
    try {
      const item = await readItem();
      if (item.accessToken !== stale) return item;
      return await renew(item);
    } finally {
      await held.release();
    }
  }

  async function renew(item: TokenItem): Promise<TokenItem> {
    const { clientId, clientSecret, refreshToken } = item;
    if (refreshToken === undefined || clientId === undefined || clientSecret === undefined) {
      throw new Failure('sign_in_needed', { what: 'The token has expired and cannot be renewed' });
    }
    const request = refreshRequest(renewalUrl(item.host), { clientId, clientSecret }, refreshToken);
    const asked = world.clock.now();
    const answer = await world.http.send(request, { timeoutMs: renewalTimeoutMs, maxBytes: answerBytes });
    if ('fault' in answer) throw faultFailure(answer);
    const got = readTokenAnswer(answer);
    // A bad host in a renewal never throws the rotated tokens away: the old host stays.
    const { authUrl, hostSuffixes } = profile;
    const named = got.host?.toLowerCase();
    const host = named && authUrl && mayUseHost(named, authUrl, hostSuffixes) ? named : item.host;
    const next: TokenItem = {
      ...item,
      generation: item.generation + 1,
      accessToken: got.access_token,
      refreshToken: got.refresh_token ?? refreshToken,
      ...(got.expires_in === undefined ? {} : { expiresAt: asked + got.expires_in * 1000 }),
      host,
    };
    await store.write(profile.name, next);
    return next;
  }

  return {
    async access() {
      const item = await readItem();
      return accessOf(isFresh(item) ? item : await renewed(item.accessToken));
    },
    async renew(refused) {
      const item = await readItem();
      if (item.accessToken !== refused.token) return accessOf(item);
      if (item.refreshToken === undefined) return undefined;
      return accessOf(await renewed(refused.token));
    },
  };
}
