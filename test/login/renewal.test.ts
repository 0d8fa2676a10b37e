// One renewal, asked for directly: what is sent and to whom, what is kept of each answer, and what stays when there is
// none. Processes, kills and lost answers are tried in test/renewal.

import assert from 'node:assert/strict';
import { mkdtemp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Failure } from '#failure.ts';
import { refreshTokens } from '#login/refresh.ts';
import type { StoredTokens } from '#login/token-store.ts';
import { createTestClock, noon } from '#test/support/clock.ts';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { json, secrets, startAuthService } from '#test/support/service/auth-service.ts';
import { serviceForAll } from '#test/support/sign-in/stage.ts';
import { createFiles } from '#world/files.ts';
import { createHttp } from '#world/http.ts';
import { ownStore, sameLock } from './own-store.ts';

const service = await serviceForAll();
const folder = await ownFolder({ after });
const item: StoredTokens = {
  generation: 7,
  accessToken: 'canary-old',
  refreshToken: 'canary refresh+é',
  expiresAt: noon - 1,
  host: service.host,
  clientId: 'app é',
  clientSecret: secrets.clientSecret,
};

async function renewOnce(more: Partial<StoredTokens> = {}) {
  const config = await mkdtemp(join(folder, 'config-'));
  const written: StoredTokens[] = [];
  const store = ownStore(
    () => item,
    (next) => written.push(next),
  );
  const profile = { name: 'work', authUrl: service.url, host: service.host, hostSuffixes: [], signedInAt: 0 };
  const clock = createTestClock((wait) => clock.advance(wait));
  const world = {
    http: createHttp({}),
    clock,
    files: createFiles({ WM_CONFIG_DIR: config }, process.platform),
  };
  const { warning } = await refreshTokens(world, store, profile, { ...item, ...more }, sameLock);
  return { written, warning, config };
}

const answers = (body: object) => {
  service.answer = (response) => json(response, 200, body);
};

test('sends one form with these four fields, to the token endpoint of the token host', async () => {
  answers({
    access_token: 'canary-new',
    refresh_token: 'canary-refresh-new',
    token_type: 'bearer',
    expires_in: 3600,
    host: service.host,
  });
  const { written, warning, config } = await renewOnce();
  assert.deepEqual(
    service.exchanges.map(({ line, body, headers }) => [
      line,
      body,
      headers['content-type'],
      headers.authorization,
    ]),
    [
      [
        'POST /oauth2/token',
        'client_id=app%20%C3%A9&client_secret=canary-client-secret&grant_type=refresh_token&refresh_token=canary%20refresh%2B%C3%A9',
        'application/x-www-form-urlencoded',
        undefined,
      ],
    ],
  );
  assert.deepEqual(written, [
    {
      ...item,
      generation: 8,
      accessToken: 'canary-new',
      refreshToken: 'canary-refresh-new',
      expiresAt: noon + 3_600_000,
    },
  ]);
  assert.equal(warning, undefined);
  assert.deepEqual(await readdir(join(config, 'renewals')), [], 'no note is left behind');
});

test('keeps what the response leaves out, except the expiry time', async () => {
  answers({ access_token: 'canary-new' });
  const { written } = await renewOnce();
  const { expiresAt: _, ...rest } = item;
  // The old time would have it renewed again at once, and for ever.
  assert.deepEqual(written, [{ ...rest, generation: 8, accessToken: 'canary-new' }]);
});

test('a response value of the wrong type counts as left out', async () => {
  answers({ access_token: 'canary-new', refresh_token: 12, expires_in: '3600', host: ['x'], token_type: {} });
  const { written } = await renewOnce();
  assert.equal(written[0]?.refreshToken, item.refreshToken);
  assert.equal(written[0]?.host, item.host);
});

test('uses another allowed host, in lower case', async () => {
  answers({ access_token: 'canary-new', expires_in: 0, host: 'localhost:4010' });
  const { written } = await renewOnce();
  assert.equal(written[0]?.host, 'localhost:4010');
  assert.equal(written[0]?.expiresAt, noon);
});

for (const host of ['evil.test', 'api.example.com', '127.0.0.2:80', '', 'localhost']) {
  test(`ignores the host ${JSON.stringify(host)}, and keeps the new tokens`, async () => {
    answers({ access_token: 'canary-new', refresh_token: 'canary-refresh-new', expires_in: 60, host });
    const { written, warning } = await renewOnce();
    assert.deepEqual([written[0]?.host, written[0]?.refreshToken], [item.host, 'canary-refresh-new']);
    assert.equal(warning === undefined, host === '');
    assert.ok(!warning?.includes('canary'));
  });
}

for (const missing of ['refreshToken', 'clientId', 'clientSecret'] as const) {
  test(`without ${missing}, nothing is sent: exit 4`, async () => {
    await assert.rejects(
      renewOnce({ [missing]: undefined }),
      (error) => error instanceof Failure && error.exitStatus === 4,
    );
    assert.deepEqual(service.exchanges, []);
  });
}

for (const [status, word] of [
  [400, 'invalid_grant'],
  [401, 'invalid_grant'],
  [401, 'invalid_client'],
  [400, 'unauthorized_client'],
  [403, 'access_denied'],
] as const) {
  test(`${status} ${word}: exit 4 after one request, and nothing is written`, async () => {
    service.answer = (response) =>
      json(response, status, { error: word, error_description: 'As the service says' });
    await assert.rejects(renewOnce(), (error) => {
      assert.ok(error instanceof Failure);
      assert.deepEqual([error.exitStatus, error.errorCode, error.why], [4, word, 'As the service says']);
      assert.match(error.hint ?? '', /wm login --profile work$/);
      return true;
    });
    assert.equal(service.exchanges.length, 1);
  });
}

test('a response without an access token is neither shown nor stored', async () => {
  answers({ refresh_token: 'canary-refresh-new', token: 'canary-new' });
  await assert.rejects(renewOnce(), (error) => {
    assert.ok(error instanceof Failure);
    assert.ok(!JSON.stringify([error.message, error.why, error.hint]).includes('canary'));
    return true;
  });
});

test('does not follow a redirect: the refresh token reaches no other host', async () => {
  const thief = await startAuthService();
  service.answer = (response) => response.writeHead(307, { Location: `${thief.url}/oauth2/token` }).end();
  await assert.rejects(renewOnce(), Failure);
  assert.deepEqual(thief.exchanges, []);
  await thief.close();
});
