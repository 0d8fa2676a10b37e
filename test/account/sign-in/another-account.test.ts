// Signing in as another: the sign-in that is kept is replaced only where somebody said so.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printedCommand } from '#test/support/program/printed.ts';
import { json, secrets, tokens } from '#test/support/service/auth-service.ts';
import { personForEach, serviceForAll } from '#test/support/sign-in/stage.ts';
import { createHttp } from '#world/http.ts';
import type { Http } from '#world/world.ts';

const service = await serviceForAll();
const ada = service.who;
const others = {
  'another account': { ...ada, accountId: 'IEAAAAAZ' },
  'another user': { ...ada, userId: 'KUAAAAAZ' },
};
const person = personForEach();

const application = { WM_CLIENT_ID: 'app', WM_CLIENT_SECRET: secrets.clientSecret };
const ways = {
  'wm login': () => ['login', '--auth-url', service.url],
  'wm login --with-token': () => ['login', '--with-token', '--host', service.host],
  'wm auth convert-v3': () => [
    'auth',
    'convert-v3',
    '--auth-url',
    service.url,
    '--account-id',
    service.who.accountId,
  ],
};
type Way = keyof typeof ways;
const inputs = { 'wm login': '', 'wm login --with-token': secrets.access, 'wm auth convert-v3': 'canary-v3' };

const signIn = (way: Way, status = 0, ...more: string[]) =>
  person.wm([...ways[way](), ...more], { exit: status, input: inputs[way], environment: application });

/** All but locks and what a sign-in only tried out. */
const storedFiles = async () => [...(await person.files())].filter(([path]) => !path.endsWith('.lock'));
const userIds = async () => (await person.profiles()).profiles.map(({ userId }) => userId);

for (const way of ['wm login', 'wm login --with-token', 'wm auth convert-v3'] as const) {
  for (const [whose, other] of Object.entries(others)) {
    test(`${way}, ${whose}: leaves the previous sign-in untouched and says what to do`, async () => {
      await signIn(way);
      const before = await storedFiles();
      service.who = other;
      const ran = await signIn(way, 2);
      assert.match(
        ran.errors,
        /^wm: Not confirmed: Replace the sign-in of Ada .* in the profile default with /m,
      );
      const hint = /For a second account: (wm .*) --profile NAME\. To replace it: --yes\./.exec(ran.errors);
      assert.ok(hint?.[1]?.startsWith(way.replace(' --with-token', '')), ran.errors);
      assert.equal(ran.output, '');
      assert.deepEqual(await storedFiles(), before);
    });
  }

  test(`${way}: --yes or the named profile replaces it; the same user needs neither`, async () => {
    await signIn(way);
    await signIn(way);
    service.who = others['another user'];
    await signIn(way, 0, '--yes');
    assert.deepEqual(await userIds(), ['KUAAAAAZ']);
    service.who = others['another account'];
    await signIn(way, 0, '--profile', 'default');
    assert.equal((await person.profiles()).profiles[0].accountId, 'IEAAAAAZ');
  });

  test(`${way}: the printed command for a second account works and leaves the first one unchanged`, async () => {
    await signIn(way);
    const [before] = (await person.profiles()).profiles;
    service.who = others['another user'];
    const { errors } = await signIn(way, 2);
    const words = printedCommand(errors.replace(' --profile NAME. To', ' --profile second\n'), 'account: ');
    await person.wm(words, { environment: application, input: inputs[way] });
    const { profiles, current } = await person.profiles();
    assert.deepEqual([profiles.length, profiles[0], current], [2, before, 'default']);
    assert.deepEqual([profiles[1].name, profiles[1].userId], ['second', 'KUAAAAAZ']);
  });
}

for (const way of ['wm login', 'wm auth convert-v3'] as const)
  test(`${way}: keeps the previous sign-in if the account cannot be read`, async () => {
    await signIn(way);
    const before = await storedFiles();
    service.answer = (response) =>
      json(response, 200, tokens(service.host, { access_token: 'canary-nobody' }));
    const { errors } = await signIn(way, 4);
    assert.match(errors, /The existing sign-in is unchanged/);
    if (way === 'wm auth convert-v3') assert.match(errors, /can be converted again for one day/);
    assert.deepEqual(await storedFiles(), before);
  });

test('wm auth convert-v3: the printed command names a host that is not allowed, and works', async () => {
  service.answer = (response) => json(response, 200, tokens('api.example.com'));
  const ran = await signIn('wm auth convert-v3', 1);
  const words = printedCommand(ran.errors, 'If that host is right: ');
  assert.deepEqual(words.slice(-4), ['--host', 'api.example.com', '<', 'token.txt']);
  const http = createHttp({});
  const toHere: Http = {
    send: (request, options) =>
      http.send({ ...request, url: request.url.replace('https://api.example.com', service.url) }, options),
  };
  await person.wm(words.slice(0, -2), {
    environment: application,
    input: 'canary-v3',
    world: { http: toHere },
  });
  service.answer = (response) => json(response, 200, tokens('evil.test/x'));
  const hostile = await signIn('wm auth convert-v3', 1);
  assert.doesNotMatch(hostile.errors, /--host evil|HOST/);
});

test('the browser page reports the failure, and the terminal has the details', async () => {
  await signIn('wm login');
  service.who = others['another account'];
  await signIn('wm login', 2);
  assert.match((await person.pages.at(-1))?.text ?? '', /This sign-in is not stored yet. See the terminal/);
});

test('convert-v3: does not use the old token for another account; for another user it can be converted again', async () => {
  const convert = (status = 0, ...more: string[]) => signIn('wm auth convert-v3', status, ...more);
  await convert();
  const used = service.exchanges.length;
  service.who = others['another account'];
  const early = await convert(2);
  assert.match(early.errors, /in the profile default with a sign-in to the account IEAAAAAZ/);
  assert.equal(service.exchanges.length, used);
  service.who = others['another user'];
  const late = await convert(2);
  assert.equal(service.exchanges.length, used + 1);
  assert.match(late.errors, /version 3 token can be converted again for one day/);
  await convert(0, '--yes');
  assert.deepEqual(await userIds(), ['KUAAAAAZ']);
});
