// A sign-in in two steps: what each prints and stores, and that the sign-in that a profile has is never harmed on the way.
// test/transcript/sign-in-landing.txt shows what completes it and what does not.

import assert from 'node:assert/strict';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { createTestClock } from '#test/support/clock.ts';
import { createMemoryKeychain, missingKeychain } from '#test/support/memory-keychain.ts';
import { printedCommand } from '#test/support/program/printed.ts';
import { collectStreams } from '#test/support/program/streams.ts';
import { json, secrets, tokens } from '#test/support/service/auth-service.ts';
import { backTo } from '#test/support/sign-in/person.ts';
import { personForEach, serviceForAll } from '#test/support/sign-in/stage.ts';
import { createClock } from '#world/clock.ts';
import { createHttp } from '#world/http.ts';
import type { Clock, Http } from '#world/world.ts';

const service = await serviceForAll();
const person = personForEach();

const application = { WM_CLIENT_ID: 'app é', WM_CLIENT_SECRET: secrets.clientSecret };

const startLogin = (...more: string[]) =>
  person.wm(['login', '--start', '--auth-url', service.url, ...more], { environment: application });
const start = async (...more: string[]) => new URL((await startLogin(...more)).output);
const landing = (consent: URL, more: Readonly<Record<string, string>> = { code: secrets.code }) =>
  backTo(consent, more);
const complete = (input: string, status = 0, ...more: string[]) =>
  person.wm(['login', '--complete', ...more], { input, exit: status });
const pendings = async () =>
  (await readdir(join(person.folder, 'tokens'))).filter((name) => name.startsWith('.pending'));
/** The sign-in of a profile, byte for byte. */
const signIns = async () =>
  [...(await person.files())].filter(([path]) => /^(?:profiles\.json|tokens.(?!\.pending))/.test(path));
/** The real one, so much later. */
const later = (milliseconds: number): Clock => {
  const clock = createClock();
  return { ...clock, now: () => clock.now() + milliseconds };
};

test('--start prints only the address, stores what --complete needs, and exits', async () => {
  const ran = await startLogin('--scope', 'wsReadOnly');
  assert.match(
    ran.output,
    /^http:\/\/127\.0\.0\.1:\d+\/oauth2\/authorize\/v4\?client_id=app%20%C3%A9&response_type=code&redirect_uri=http%3A%2F%2F127\.0\.0\.1%3A[1-9]\d*%2Fcallback&state=[\w-]{43}&scope=wsReadOnly\n$/,
  );
  assert.match(ran.errors, /Within 10 minutes, give that address to: wm login --complete\n/);
  assert.equal(person.consent, undefined, 'no browser is opened');
  assert.deepEqual(await pendings(), ['.pending-default.json']);
  assert.equal((await stat(join(person.folder, 'tokens', '.pending-default.json'))).mode & 0o777, 0o600);
  assert.deepEqual(await signIns(), []);
});

test('--start --json prints one object', async () => {
  const before = Date.now();
  const ran = await startLogin('--json', '--profile', 'work');
  const { url, expiresAt, ...rest } = JSON.parse(ran.output);
  assert.deepEqual(rest, { profile: 'work', redirectUri: new URL(url).searchParams.get('redirect_uri') });
  const expires = Date.parse(expiresAt);
  assert.ok(expires >= before + 600_000 && expires <= Date.now() + 600_000);
});

test('--complete needs only the landing URL, once: its settings come from --start', async () => {
  const consent = await start('--scope', 'wsReadOnly', '--allow-host', 'eu.example.com', '--port', '8400');
  assert.equal(consent.searchParams.get('redirect_uri'), 'http://127.0.0.1:8400/callback');
  const { output } = await complete(`${landing(consent)}\n`);
  assert.deepEqual(output.split('\t').slice(0, 2), ['Ada <b>Lovelace</b>', 'KUAAAAAA']);
  assert.equal(
    service.exchanges[0]?.body,
    'client_id=app%20%C3%A9&client_secret=canary-client-secret&grant_type=authorization_code&code=canary-code&redirect_uri=http%3A%2F%2F127.0.0.1%3A8400%2Fcallback',
  );
  const { accessToken, clientSecret } = await person.item();
  assert.deepEqual([accessToken, clientSecret], [secrets.access, secrets.clientSecret]);
  const [{ scopes, hostSuffixes, authUrl, redirectUri }] = (await person.profiles()).profiles;
  assert.deepEqual(
    [scopes, hostSuffixes, authUrl, redirectUri],
    [['wsReadOnly'], ['eu.example.com'], service.url, undefined],
  );
  assert.deepEqual(await pendings(), [], 'it is removed');
  await person.wm(['whoami']);
  const again = await complete(landing(consent), 2);
  assert.match(
    again.errors,
    /^wm: No sign-in was started for the profile default\n {2}Start one: wm login --start\n/m,
  );
  assert.equal(service.exchanges.length, 1);
});

test('both steps use a registered callback unchanged, and the profile remembers it', async () => {
  const consent = await start('--redirect-uri', 'https://example.com/callback?tenant=a%2Fb');
  await complete(landing(consent));
  assert.match(
    service.exchanges[0]?.body ?? '',
    /&redirect_uri=https%3A%2F%2Fexample\.com%2Fcallback%3Ftenant%3Da%252Fb$/,
  );
  const [profile] = (await person.profiles()).profiles;
  assert.equal(profile.redirectUri, 'https://example.com/callback?tenant=a%2Fb');
});

/** Completes a sign-in; something else happens after its URL was read, and before it is used up. */
async function completeWhile(consent: URL, meanwhile: () => Promise<unknown>): Promise<string> {
  const real = createHttp({});
  const http: Http = {
    async send(request, options) {
      if (request.method === 'HEAD') await meanwhile();
      return real.send(request, options);
    },
  };
  const ran = await person.wm(['login', '--complete'], {
    input: landing(consent),
    exit: 2,
    world: { http },
  });
  return ran.errors;
}

test('a concurrent --complete wins, and this one does not exchange anything', async () => {
  const consent = await start();
  assert.match(
    await completeWhile(consent, () => complete(landing(consent))),
    /^wm: This sign-in was completed in the meantime\n {2}Start again: wm login --start /m,
  );
  assert.equal(service.exchanges.length, 1);
});

test('a --start while the first is being completed: nothing is sent, and the later one can be completed', async () => {
  const first = await start();
  const later: URL[] = [];
  const errors = await completeWhile(first, async () => later.push(await start()));
  assert.match(errors, /^wm: Another sign-in was started in the meantime\n/m);
  assert.deepEqual(service.exchanges, []);
  const [second] = later;
  assert.ok(second);
  await complete(landing(second));
});

test('--complete that was stopped past the ten minutes with its line unread: signed in', async () => {
  const consent = await start();
  const raw = new PassThrough();
  const clock = createTestClock((milliseconds) => {
    if (milliseconds < 500_000) return;
    // As from a pipe: timers that are late run before it is read.
    setImmediate(() => raw.write(`${landing(consent)}\n`));
    clock.stop(milliseconds);
  });
  const { streams } = collectStreams({ input: { raw } });
  const began = clock.now();
  // The start was on the machine's own clock.
  const now = () => Date.now() + clock.now() - began;
  await person.wm(['login', '--complete'], { world: { clock: { ...clock, now }, streams } });
});

test('--complete still waiting for its line when the ten minutes end: exit 4, and the sign-in is removed', async () => {
  await start();
  const clock = createTestClock((milliseconds) => clock.advance(milliseconds));
  // A pipe that nobody writes to or closes.
  const { streams, texts } = collectStreams({ input: { raw: new PassThrough() } });
  await person.wm(['login', '--complete'], { exit: 4, world: { clock, streams } });
  assert.match(texts.errors, /^wm: The started sign-in has expired\n/m);
  assert.deepEqual(await pendings(), []);
});

test('a second --start with another store also replaces the first', async () => {
  const keychain = createMemoryKeychain();
  const first = await start();
  const second = await person.wm(['login', '--start', '--store', 'keychain', '--auth-url', service.url], {
    environment: application,
    world: { keychain },
  });
  assert.deepEqual(await pendings(), []);
  const environment = { WM_TOKEN_STORE: undefined };
  const input = `${landing(first)}\n${landing(new URL(second.output))}\n`;
  const ran = await person.wm(['login', '--complete'], { environment, input, world: { keychain } });
  assert.match(ran.errors, /^Line 1 of standard input: This URL belongs to another sign-in/m);
  assert.ok([...keychain.items.keys()].every((name) => !name.includes('pending')));
});

test('after ten minutes: exit 4, the sign-in is removed, and the printed command starts again', async () => {
  const consent = await start('--profile', 'work');
  const world = { clock: later(600_000) };
  const input = landing(consent);
  const ran = await person.wm(['login', '--complete', '--profile', 'work'], { exit: 4, input, world });
  assert.match(ran.errors, /^wm: The started sign-in has expired\n {2}it had to be completed by \d/m);
  assert.deepEqual(service.exchanges, []);
  assert.deepEqual(await pendings(), []);
  // The profile was never signed in to, so the address is asked for as at the first time.
  const words = printedCommand(ran.errors, 'Start again: ');
  assert.deepEqual(words, ['login', '--start', '--profile', 'work']);
  const environment = { ...application, WM_AUTH_URL: service.url };
  await person.wm(words, { environment });
});

test('still accepts the URL just before the ten minutes are over', async () => {
  const consent = await start();
  const world = { clock: later(590_000) };
  await person.wm(['login', '--complete'], { input: landing(consent), world });
});

test('a later failure leaves the sign-in of the profile unchanged, byte for byte', async () => {
  await person.login(service);
  const before = await signIns();
  const failures: readonly (readonly [number, () => void])[] = [
    [4, () => (service.answer = (response) => json(response, 400, { error: 'invalid_grant' }))],
    [4, () => (service.answer = (response) => json(response, 401, { error: 'invalid_client' }))],
    [7, () => (service.answer = (response) => response.destroy())],
    [1, () => (service.answer = (response) => json(response, 200, tokens('evil.example.org')))],
    [1, () => (service.answer = (response) => json(response, 200, tokens(undefined)))],
  ];
  for (const [exit, fail] of failures) {
    const consent = await start();
    assert.deepEqual(await signIns(), before);
    fail();
    assert.match((await complete(landing(consent), exit)).errors, /wm login --(?:start|with-token) /);
    assert.deepEqual(await signIns(), before);
    assert.deepEqual(await pendings(), []);
  }
});

test('another user: keeps the previous sign-in, and the printed commands add a second account', async () => {
  await person.login(service);
  const before = await signIns();
  service.who = { accountId: 'IEAAAAAZ', userId: 'KUAAAAAZ' };
  const ran = await complete(landing(await start()), 2);
  assert.deepEqual(await signIns(), before);
  const words = printedCommand(ran.errors.replace(' --profile NAME. To', ' --profile second\n'), 'account: ');
  await person.wm(words, { exit: 2 });
  const environment = { WM_CLIENT_SECRET: secrets.clientSecret };
  const second = await person.wm(words, { environment });
  await complete(landing(new URL(second.output)), 0, '--profile', 'second');
  // And in its place, with --yes.
  await complete(landing(await start()), 0, '--yes');
});

test('connection refused during --complete: exit 7, and it can be completed later', async () => {
  const consent = await start();
  const http = {
    send: async () => ({ fault: 'connection-refused', sent: false, detail: 'ECONNREFUSED' }) as const,
  };
  await person.wm(['login', '--complete'], { exit: 7, input: landing(consent), world: { http } });
  assert.deepEqual(await pendings(), ['.pending-default.json']);
  await complete(landing(consent));
});

for (const signedIn of [true, false])
  test(`logout removes a sign-in that was started in the keychain, ${signedIn ? 'beside one in a file' : 'and no other'}`, async () => {
    if (signedIn) await person.login(service);
    const keychain = createMemoryKeychain();
    const world = { keychain };
    await person.wm(['login', '--start', '--auth-url', service.url, '--store', 'keychain'], {
      environment: application,
      exit: 0,
      world,
    });
    assert.equal(keychain.items.size, 1);
    const failing = { ...keychain, remove: missingKeychain.remove };
    const stays = await person.wm(['logout', '--yes'], {
      exit: signedIn ? 0 : 1,
      world: { keychain: failing },
    });
    assert.match(
      stays.errors,
      signedIn
        ? /may still be in the keychain: .*\n.*wm logout --profile default\n.*remove \S+\.keychain-default$/m
        : /No keychain/,
    );
    const { errors } = await person.wm(['logout', '--yes'], { exit: 0, world });
    assert.match(errors, /^Removed the remains of an unfinished sign-in/m);
    assert.equal(keychain.items.size, 0);
    await person.wm(['logout', '--yes'], { exit: 5, world });
  });

for (const [by, words, environment] of [
  ['--no-input was given', ['--no-input'], {}],
  ['CI is set', [], { CI: 'true' }],
  ['WM_NO_INPUT is set', [], { WM_NO_INPUT: '1' }],
] as const) {
  test(`wm login where ${by}: exit 2 at once, with the ways to sign in that work there`, async () => {
    const ran = await person.wm(['login', ...words], { exit: 2, environment });
    assert.match(
      ran.errors,
      new RegExp(`^wm: Cannot sign in through the browser without a user\\n {2}${by}\n`),
    );
    for (const way of [
      'wm login --with-token --host',
      'WM_TOKEN and WM_HOST',
      'wm login --start',
      '--complete',
      '--no-browser',
    ])
      assert.ok(ran.errors.includes(way), way);
    assert.equal(person.consent, undefined);
    const ci = { ...application, ...environment, WM_AUTH_URL: service.url };
    const two = await person.wm(['login', '--start', ...words], { environment: ci });
    await person.wm(['login', '--complete', ...words], {
      environment,
      input: landing(new URL(two.output)),
    });
  });
}
