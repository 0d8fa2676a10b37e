// Hostile hosts in what a token endpoint returns, at a sign-in and at a renewal. Every address that the program then asks for is
// noted: no request ever leaves for one of them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '#failure.ts';
import { defaultHostSuffixes } from '#login/host.ts';
import { refreshTokens } from '#login/refresh.ts';
import { signIn } from '#login/sign-in.ts';
import type { StoredTokens } from '#login/token-store.ts';
import { createWorld } from '#world/create-world.ts';
import type { Files, Http, World } from '#world/world.ts';
import { friendlyHosts, hostileHosts } from './hostile-hosts.ts';
import { ownStore, sameLock } from './own-store.ts';

/** A renewal notes on disk that it has begun, which is not looked at here. */
const files: Files = {
  ...createWorld().files,
  read: async () => undefined,
  write: async () => {},
  syncFolder: async () => {},
  remove: async () => true,
};
const authUrl = 'https://login.example.com';

/** A network on which only the token endpoint exists. It notes every address that anything is sent to. */
export function network(tokenHost: string): Http & { readonly urls: string[] } {
  const urls: string[] = [];
  return {
    urls,
    async send({ url }) {
      urls.push(url);
      const answer = {
        access_token: 'canary-access',
        refresh_token: 'canary-new',
        expires_in: 3600,
        host: tokenHost,
      };
      const body = new TextEncoder().encode(JSON.stringify(answer));
      return { status: 200, headers: { 'content-type': 'application/json' }, body };
    },
  };
}

export async function signInAt(http: Http, at = authUrl): Promise<string> {
  const plan = {
    authUrl: at,
    application: { clientId: 'app', clientSecret: 'canary-secret' },
    scopes: undefined,
    redirectUri: 'https://example.com/callback',
    callbackAddress: undefined,
    hints: {
      restartCommand: 'wm login',
      commandAllowingHost: (host: string) => `wm login --allow-host ${host}`,
      checkApplicationHint: '',
    },
    hostSuffixes: defaultHostSuffixes(at),
    openBrowser: false,
    timeoutMs: 5000,
  };
  const world: World = { ...createWorld(), http };
  const { tokens } = await signIn(world, plan, {
    async showUrl() {},
    promptForUrl: async () => ({ code: 'c' }),
  });
  return tokens.host;
}

/** `step`: tries every so many of the hosts; 1 for each. */
export function testHostsOfTokens(step: number): void {
  const chosen = hostileHosts.filter((_, index) => index % step === 0);

  test('a sign-in sent to a hostile host is rejected, and contacts only the token endpoint', async () => {
    for (const host of chosen) {
      const http = network(host);
      await assert.rejects(
        signInAt(http),
        (error) => error instanceof Failure && error.exitStatus === 1,
        JSON.stringify(host),
      );
      assert.deepEqual(http.urls, ['https://login.example.com/oauth2/token'], JSON.stringify(host));
    }
    for (const [host, used] of friendlyHosts) assert.equal(await signInAt(network(host)), used);
  });

  test('a refresh that returns another host stores the new tokens with the old host', async () => {
    for (const host of [...chosen, ...friendlyHosts.map(([friendly]) => friendly)]) {
      const http = network(host);
      let stored: StoredTokens = {
        generation: 4,
        accessToken: 'canary-old',
        refreshToken: 'canary-refresh',
        expiresAt: 0,
        host: 'eu.example.com',
        clientId: 'app',
        clientSecret: 'canary-secret',
      };
      const store = ownStore(
        () => stored,
        (tokens) => {
          stored = tokens;
        },
      );
      const profile = {
        name: 'default',
        authUrl,
        host: stored.host,
        hostSuffixes: ['example.com'],
        signedInAt: 0,
      };
      const { tokens, warning } = await refreshTokens(
        { ...createWorld(), http, files },
        store,
        profile,
        stored,
        sameLock,
      );
      const expected = friendlyHosts.find(([friendlyHost]) => friendlyHost === host)?.[1] ?? 'eu.example.com';
      assert.deepEqual(tokens, stored);
      // That no host at all is named is no reason to say anything.
      assert.equal(warning === undefined, expected !== 'eu.example.com' || host === '', JSON.stringify(host));
      assert.deepEqual([stored.host, stored.refreshToken, stored.generation], [expected, 'canary-new', 5]);
      assert.deepEqual(http.urls, ['https://eu.example.com/oauth2/token']);
    }
  });
}
