// What becomes of a renewal whose response is lost, late or of an odd status, and of a store that fails: how often the
// refresh token is sent, what is waited for in between, and what the person hears.

import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { Failure } from '#failure.ts';
import { openTokenStore } from '#login/open-token-store.ts';
import { type RefreshResult, refreshTokens } from '#login/refresh.ts';
import { parseHelperOutput } from '#login/refresh-process.ts';
import { parseTokenResponse } from '#login/token-endpoint.ts';
import { PromptDeclined, type StoredTokens, type TokenStore } from '#login/token-store.ts';
import { createTestClock } from '#test/support/clock.ts';
import { missingKeychain } from '#test/support/memory-keychain.ts';
import { json, secrets, tokens } from '#test/support/service/auth-service.ts';
import { serviceForAll } from '#test/support/sign-in/stage.ts';
import { createFiles } from '#world/files.ts';
import { createHttp } from '#world/http.ts';
import { sameLock } from './own-store.ts';

const service = await serviceForAll();
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wm-renewal-'));
});
afterEach(() => rm(folder, { recursive: true }));

interface Renewal {
  readonly waits: readonly number[];
  readonly stored: readonly StoredTokens[];
  readonly renewed: RefreshResult | undefined;
  readonly failure: Failure | undefined;
  /** How many notes that a renewal is under way are left behind. */
  readonly notes: number;
}

const full = new Failure('token_store', { message: 'It is full', why: 'as told' });

/** `failing`: how many of the first writes to the store fail, with `fault`. `hasRoom`: whether any room can be reserved. */
async function renewal(failing = 0, { fault = full, hasRoom = true } = {}): Promise<Renewal> {
  const item: StoredTokens = {
    generation: 7,
    accessToken: 'canary-old',
    refreshToken: secrets.refresh,
    expiresAt: 0,
    host: service.host,
    clientId: 'app',
    clientSecret: secrets.clientSecret,
  };
  const files = createFiles({ WM_CONFIG_DIR: folder }, process.platform);
  const real = openTokenStore({ files, keychain: missingKeychain }, 'file');
  await real.write('work', item);
  const stored: StoredTokens[] = [];
  let remaining = failing;
  const store: TokenStore = {
    ...real,
    async reserve(profile, like) {
      if (!hasRoom) throw fault;
      const reserved = await real.reserve(profile, like);
      return {
        ...reserved,
        async write(next) {
          if (remaining-- > 0) throw fault;
          stored.push(next);
          await reserved.write(next);
        },
      };
    },
  };
  const profile = {
    name: 'work',
    authUrl: service.url,
    host: service.host,
    hostSuffixes: [],
    signedInAt: 0,
    store: 'file',
  } as const;
  const clock = createTestClock((wait) => clock.advance(wait));
  let renewed: RefreshResult | undefined;
  const failure = await refreshTokens(
    { http: createHttp({}), clock, files },
    store,
    profile,
    item,
    sameLock,
  ).then(
    async (result) => {
      renewed = result;
      await result.storing;
      return undefined;
    },
    (error: unknown) => {
      assert.ok(error instanceof Failure, String(error));
      return error;
    },
  );
  const notes = await readdir(join(folder, 'renewals')).catch(() => []);
  return { waits: clock.waits, stored, renewed, failure, notes: notes.length };
}

/** The first response is lost; the second is as given. */
function lostFirst(then: (response: ServerResponse) => void): void {
  service.answer = (response) => (service.exchanges.length === 1 ? response.destroy() : then(response));
}

test('a lost response: the token is sent again, half a second later', async () => {
  lostFirst((response) => json(response, 200, tokens(service.host)));
  const { waits, stored, failure, notes } = await renewal();
  assert.equal(failure, undefined);
  assert.deepEqual([service.exchanges.length, waits, stored.length, notes], [2, [500], 1, 0]);
});

for (const [times, statuses] of Object.entries({
  1: [400, 403, 429, 499],
  2: [200, 302, 399, 500, 503, 599],
}))
  for (const status of statuses)
    test(`${status} without tokens: sent ${times === '1' ? 'once' : 'twice'}`, async () => {
      service.answer = (response) => response.writeHead(status).end();
      const { waits, stored, failure, notes } = await renewal();
      assert.notEqual(failure, undefined);
      assert.equal(service.exchanges.length, Number(times));
      assert.deepEqual(waits, times === '1' ? [] : [500]);
      assert.deepEqual(stored, []);
      // A note stays where the service may have used the token up.
      assert.equal(notes, Number(times) - 1);
    });

test('lost, then rejected for the application: the error says so, and the marker stays', async () => {
  lostFirst((response) => json(response, 401, { error: 'invalid_client' }));
  const { failure, notes } = await renewal();
  assert.deepEqual([failure?.code, failure?.errorCode, notes], ['sign_in_needed', 'invalid_client', 1]);
  assert.match(failure?.message ?? '', /rejected the application’s client id or client secret/);
});

test('lost, then rate limited: the error says that the sign-in is unchanged, and the marker stays', async () => {
  lostFirst((response) => json(response, 429, { error: 'too_many_requests' }));
  const { failure, notes } = await renewal();
  assert.deepEqual([failure?.code, notes], ['rate_limited', 1]);
  assert.match(failure?.message ?? '', /Cannot refresh the sign-in: no usable response/);
  assert.match(failure?.hint ?? '', /The sign-in is unchanged\. Run the command again/);
});

test('lost, then rejected as used up: the error says that the refresh is lost', async () => {
  lostFirst((response) => json(response, 400, { error: 'invalid_grant' }));
  const { failure } = await renewal();
  assert.match(failure?.message ?? '', /The refresh of the sign-in work was lost/);
  assert.equal(failure?.hint, 'Sign in again: wm login --profile work');
});

test('a store that fails four times: the fifth write stores the only copy, after growing waits', async () => {
  const { waits, stored, failure, notes } = await renewal(4);
  assert.equal(failure, undefined);
  assert.deepEqual(
    [service.exchanges.length, waits, stored.length, notes],
    [1, [500, 1000, 1500, 2000], 1, 0],
  );
});

test('a store that fails five times: the fresh token is used, and wm keeps trying to store it', async () => {
  const { waits, stored, renewed, failure, notes } = await renewal(6);
  assert.deepEqual([service.exchanges.length, waits.slice(4), stored.length, notes], [1, [2000, 2000], 1, 0]);
  assert.deepEqual([failure, renewed?.isUnstored], [undefined, true]);
  assert.equal(renewed?.tokens.accessToken, secrets.access);
  assert.match(
    renewed?.warning ?? '',
    /^Cannot store the new tokens of work in \S+: as told\n.* wm keeps trying to store them for 50 s\./,
  );
});

test('a store that keeps failing: the marker stays, and says that the response arrived', async () => {
  const { waits, stored, notes } = await renewal(28);
  const seconds = waits.reduce((sum, wait) => sum + wait) / 1000;
  assert.deepEqual([stored.length, seconds, notes], [0, 53, 1]);
  service.answer = (response) => json(response, 400, { error: 'invalid_grant' });
  const { failure } = await renewal();
  assert.match(failure?.why ?? '', /and the response arrived, but could not be stored in /);
});

test('a prompt that is always declined: asks five times, and no more', async () => {
  const fault = new PromptDeclined('token_store', { message: 'It is locked', why: 'dismissed' });
  const { waits, stored, renewed, notes } = await renewal(28, { fault });
  assert.deepEqual([waits, stored.length, notes], [[500, 1000, 1500, 2000], 0, 1]);
  assert.match(renewed?.warning ?? '', /: dismissed\n/);
  assert.doesNotMatch(renewed?.warning ?? '', /keeps trying/);
});

test('a fault without a reason: the warning says what happened', async () => {
  for (const [fault, says] of [
    [new Failure('token_store', { message: 'It is full' }), 'It is full'],
    [new Failure('token_store', { message: 'It is full', why: 'no room' }), 'no room'],
  ] as const) {
    const { renewed } = await renewal(5, { fault });
    assert.match(
      renewed?.warning ?? '',
      new RegExp(`^Cannot store the new tokens of work in \\S+: ${says}\n`),
    );
    await rm(join(folder, 'renewals'), { recursive: true });
  }
});

test('no room for the new tokens: nothing is sent, and only a marker of this refresh is removed', async () => {
  const { failure, notes } = await renewal(0, { hasRoom: false });
  assert.deepEqual([failure, notes, service.exchanges.length], [full, 0, 0]);
  service.answer = (response) => response.destroy();
  assert.equal((await renewal()).notes, 1);
  assert.equal(service.exchanges.length, 2);
  const again = await renewal(0, { hasRoom: false });
  assert.deepEqual([again.failure, again.notes, service.exchanges.length], [full, 1, 2]);
});

test('reads tokens from 2xx responses only', () => {
  const help = { invalidGrant: { message: '', hint: '' }, checkApplicationHint: '', restartHint: '' };
  const body = new TextEncoder().encode(JSON.stringify(tokens(service.host)));
  const read = (status: number) =>
    parseTokenResponse({ status, headers: { 'content-type': 'application/json' }, body }, help, 0)
      .access_token;
  for (const status of [200, 201, 299]) assert.equal(read(status), secrets.access);
  for (const status of [199, 300, 400, 500]) assert.throws(() => read(status), Failure, `${status}`);
});

test('accepts the output of a refresh process only in its exact form', () => {
  for (const text of [
    ...['', 'null', '5', '"done"', '[]', '{}', '{"done":true}', '{"done":true,"warnings":"x"}'],
    ...['{"warnings":[]}', '{"code":"constructor"}', '{"code":5}', '{"code":"network"}'],
    ...['{"code":"network","message":5}', '{"again":true}'],
  ])
    assert.equal(parseHelperOutput(text), undefined, text);
  assert.deepEqual(parseHelperOutput('{"done":true,"warnings":["a",5]}'), { warnings: ['a', '5'] });
  const unstored = (text: string) =>
    parseHelperOutput(`{"done":true,"warnings":[],"unstored":${text}}`)?.unstored;
  assert.deepEqual(unstored('{"accessToken":"a","host":"h","expiresAt":5,"more":1}'), {
    accessToken: 'a',
    host: 'h',
    expiresAt: 5,
  });
  for (const expiry of ['', ',"expiresAt":"5"'])
    assert.deepEqual(unstored(`{"accessToken":"a","host":"h"${expiry}}`), { accessToken: 'a', host: 'h' });
  for (const text of ['null', '{"accessToken":"a"}', '{"host":"h"}', '"a"'])
    assert.equal(unstored(text), undefined, text);
  const failure = parseHelperOutput('{"code":"network","message":"w","why":"y","hint":"h"}')?.failure;
  assert.deepEqual(
    [failure?.code, failure?.message, failure?.why, failure?.hint],
    ['network', 'w', 'y', 'h'],
  );
});
