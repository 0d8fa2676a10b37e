// Signing in, using, renewing and signing out with a real keychain: a gnome-keyring of the test's own, on a session bus
// of its own. Nothing secret is anywhere below the home but in the keyring.

import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startEmulator } from '#emulator/emulator.ts';
import { clientId, clientSecret, startService } from '#test/support/service/rotating-service.ts';
import { answerConsent } from '#test/support/terminal/consent-page.ts';
import { createWorld } from '#world/create-world.ts';
import { makeHome, nowhereBelow, openSession, type Session, skip } from './keychain-session.ts';

const limits = { skip, timeout: 120_000 };

/** A person whose keyring is unlocked, and a service. */
async function unlocked(t: TestContext) {
  const service = await startService();
  t.after(() => service.close());
  return { service, session: await openSession(t, await makeHome(t), { unlocked: true }) };
}

/** A sign-in with a refresh token, made by `wm login` and the library. */
async function signIn(session: Session, host: string): Promise<void> {
  const { status, errors } = await session.start(['login', '--with-token', '--host', host], {
    input: 'canary-access-1\n',
  }).ended;
  assert.equal(status, 0, errors);
  const item = JSON.parse((await session.items())[session.accountOf('default')] ?? '');
  assert.deepEqual(item, { generation: 1, accessToken: 'canary-access-1', host });
  const renewable = { ...item, refreshToken: 'canary-refresh-1', expiresAt: 1, clientId, clientSecret };
  await session.put(session.accountOf('default'), JSON.stringify(renewable));
}

test('a permanent token, then an expired one: five commands at once refresh it once', limits, async (t) => {
  const { service, session } = await unlocked(t);
  await signIn(session, service.host);

  const ended = await Promise.all(Array.from({ length: 5 }, () => session.wm('whoami', '--verbose')));
  for (const { status, output, errors } of ended) {
    assert.equal(status, 0, errors);
    assert.match(output, /^Ada\tKUAAAAAA\tAccount\tIEAAAAAQ\t/);
    assert.doesNotMatch(output + errors, /canary/);
  }
  assert.deepEqual(service.counts, { requests: 1, rotated: 1, rejected: 0 });
  const items = await session.items();
  assert.deepEqual(Object.keys(items), [session.accountOf('default')]);
  const { generation, accessToken, refreshToken, expiresAt } = JSON.parse(
    items[session.accountOf('default')] ?? '',
  );
  assert.deepEqual([generation, accessToken, refreshToken], [2, 'canary-access-2', 'canary-refresh-2']);
  assert.ok(expiresAt > Date.now());

  const status = await session.wm('auth', 'status', '--json');
  assert.equal(status.status, 0, status.errors);
  assert.equal(JSON.parse(status.output).store, 'the keychain');
  assert.equal((await session.wm('auth', 'token')).output, 'canary-access-2\n');
  assert.equal((await session.wm('doctor')).status, 0);
  const looked = await nowhereBelow(session.home, ['canary']);
  t.diagnostic(`5 commands, ${service.counts.requests} renewal; ${looked} files looked through`);

  const out = await session.wm('logout', '--yes');
  assert.equal(out.status, 0, out.errors);
  assert.deepEqual(await session.items(), {});
  assert.equal((await session.wm('whoami')).status, 4);
});

test(
  'through the consent page, in a terminal without a browser; still signed in after the session restarts',
  limits,
  async (t) => {
    const emulator = await startEmulator(createWorld());
    assert.ok(!('fault' in emulator));
    t.after(() => emulator.close());
    const home = await makeHome(t);
    const session = await openSession(t, home, { unlocked: true });
    const environment = { WM_CLIENT_SECRET: emulator.clientSecret };
    const signIn = [
      'login',
      '--no-browser',
      '--auth-url',
      emulator.authUrl,
      '--client-id',
      emulator.clientId,
    ];
    const login = session.start([...signIn, '--verbose'], { environment });
    const landing = await answerConsent(await login.address, { press: 'Allow' });
    const page = await fetch(landing);
    assert.match(await page.text(), /You are Ada Fields, in Paper Lantern Studio/);
    const { status, output, errors } = await login.ended;
    assert.equal(status, 0, errors);
    assert.match(output, /^Ada Fields\t/);

    const items = await session.items();
    assert.deepEqual(Object.keys(items), [session.accountOf('default')]);
    const item = JSON.parse(items[session.accountOf('default')] ?? '');
    const secrets = [item.accessToken, item.refreshToken, item.clientSecret];
    assert.equal(item.clientSecret, emulator.clientSecret);
    for (const secret of [...secrets, new URL(landing).searchParams.get('code')])
      assert.ok(!(output + errors).includes(secret));
    await nowhereBelow(home, secrets);
    await session.close();

    const next = await openSession(t, home, { unlocked: true });
    const refreshed = await next.wm('auth', 'refresh');
    assert.equal(refreshed.status, 0, refreshed.errors);
    const whoami = await next.wm('whoami');
    assert.match(whoami.output, /^Ada Fields\t/, whoami.errors);
    const renewed = JSON.parse((await next.items())[next.accountOf('default')] ?? '');
    assert.equal(renewed.generation, 2);
    assert.notEqual(renewed.refreshToken, item.refreshToken);
    await nowhereBelow(home, [...secrets, renewed.accessToken, renewed.refreshToken]);
    assert.equal((await next.wm('logout', '--yes')).status, 0);
    assert.deepEqual(await next.items(), {});
  },
);

test(
  'two config folders of one user do not share an item, and logout in one leaves the other',
  limits,
  async (t) => {
    const { service, session } = await unlocked(t);
    await signIn(session, service.host);
    const environment = { WM_CONFIG_DIR: `${session.home}/other` };
    const inOther = (...typed: string[]) =>
      session.start(typed, { environment, input: 'canary-access-1' }).ended;

    assert.equal((await inOther('whoami')).status, 4);
    const login = await inOther('login', '--with-token', '--host', service.host);
    assert.equal(login.status, 0, login.errors);
    const own = session.accountOf('default');
    const [other = '', ...more] = Object.keys(await session.items()).filter((name) => name !== own);
    assert.match(other, /^default@[0-9a-f]{12}$/);
    assert.deepEqual(more, []);
    // The one renews; the other's item stays as it was.
    assert.equal((await session.wm('whoami')).status, 0);
    const items = await session.items();
    assert.equal(JSON.parse(items[session.accountOf('default')] ?? '').generation, 2);
    assert.equal(JSON.parse(items[other] ?? '').accessToken, 'canary-access-1');
    assert.equal((await inOther('logout', '--yes')).status, 0);
    assert.deepEqual(Object.keys(await session.items()), [own]);
    assert.equal((await session.wm('whoami')).status, 0);
  },
);

test('logout also removes a sign-in that was stored in a file', limits, async (t) => {
  const { service, session } = await unlocked(t);
  const inFile = { environment: { WM_TOKEN_STORE: 'file' }, input: 'canary-access-1' };
  const withToken = ['login', '--with-token', '--host', service.host];
  assert.equal((await session.start(withToken, inFile).ended).status, 0);
  await assert.rejects(nowhereBelow(session.home, ['canary']), 'it is in the file');
  assert.equal((await session.wm('logout', '--yes')).status, 0);
  await nowhereBelow(session.home, ['canary']);
  // And the other way about.
  assert.equal((await session.start(withToken, { input: 'canary-access-1' }).ended).status, 0);
  const out = await session.start(['logout', '--yes'], { environment: { WM_TOKEN_STORE: 'file' } }).ended;
  assert.equal(out.status, 0, out.errors);
  assert.deepEqual(await session.items(), {});
});

test('five people sign in at once with profiles of their own', limits, async (t) => {
  const { service, session } = await unlocked(t);
  const names = ['a', 'b', 'c', 'd', 'e'];
  const withToken = ['login', '--with-token', '--host', service.host, '--profile'];
  const ended = await Promise.all(
    names.map((name) => session.start([...withToken, name], { input: 'canary-access-1' }).ended),
  );
  for (const { status, errors } of ended) assert.equal(status, 0, errors);
  assert.deepEqual(Object.keys(await session.items()).toSorted(), names.map(session.accountOf));
});

test('two folders by XDG_CONFIG_HOME do not share an item either', limits, async (t) => {
  const { service, session } = await unlocked(t);
  await signIn(session, service.host);
  const environment = { XDG_CONFIG_HOME: `${session.home}/other` };
  const login = ['login', '--with-token', '--host', service.host];
  assert.equal((await session.start(login, { environment, input: 'canary-access-1' }).ended).status, 0);
  const items = await session.items();
  assert.equal(Object.keys(items).length, 2, Object.keys(items).join(' '));
  assert.equal(
    JSON.parse(items[session.accountOf('default')] ?? '').refreshToken,
    'canary-refresh-1',
    'the first is as it was',
  );
});

test('two values of HOME on one session bus do not share an item', limits, async (t) => {
  const { service, session } = await unlocked(t);
  await signIn(session, service.host);
  const environment = { HOME: join(session.home, 'second') };
  const inSecond = (...typed: string[]) =>
    session.start(typed, { environment, input: 'canary-access-1' }).ended;
  const login = await inSecond('login', '--with-token', '--host', service.host);
  assert.equal(login.status, 0, login.errors);
  assert.equal(Object.keys(await session.items()).length, 2);
  assert.equal((await inSecond('logout', '--yes')).status, 0);
  assert.deepEqual(Object.keys(await session.items()), [session.accountOf('default')]);
  assert.equal((await session.wm('whoami')).status, 0);
});

test(
  'a sign-in of an earlier version is found under its plain name, and nothing is lost',
  limits,
  async (t) => {
    const { service, session } = await unlocked(t);
    const folder = join(session.home, '.config', 'wm');
    await mkdir(folder, { recursive: true });
    const profile = { name: 'default', host: service.host, hostSuffixes: [], signedInAt: 1 };
    await writeFile(
      join(folder, 'profiles.json'),
      JSON.stringify({ current: 'default', profiles: [profile] }),
    );
    const item = { generation: 1, accessToken: 'canary-access-1', host: service.host };
    await session.put('default', JSON.stringify(item));
    const whoami = await session.wm('whoami');
    assert.equal(whoami.status, 0, whoami.errors);
    // Signed in anew it gets its own name; the plain one may be another HOME's.
    const login = ['login', '--with-token', '--host', service.host];
    assert.equal((await session.start(login, { input: 'canary-access-1' }).ended).status, 0);
    assert.deepEqual(Object.keys(await session.items()).toSorted(), [
      'default',
      session.accountOf('default'),
    ]);
    assert.equal((await session.wm('whoami')).status, 0);
  },
);
