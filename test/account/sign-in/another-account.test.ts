// Signing in as another: the sign-in that is kept is replaced only where somebody said so.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printedCommand } from '#test/support/program/printed.ts';
import { json, secrets, tokens } from '#test/support/service/auth-service.ts';
import type { Person } from '#test/support/sign-in/person.ts';
import { personForEach, serviceForAll } from '#test/support/sign-in/stage.ts';
import { createHttp } from '#world/http.ts';
import type { Http } from '#world/world.ts';

const service = await serviceForAll();
const ada = service.who;
const others = {
  'another account': { ...ada, accountId: 'IEAAAAAZ' },
  'another user': { ...ada, userId: 'KUAAAAAZ' },
};
let person: Person;
personForEach((created) => {
  person = created;
  service.who = ada;
});

const withToken = (...more: string[]) =>
  person.wm(['login', '--with-token', '--host', service.host, ...more], { input: secrets.access });
const convert = (...more: string[]) =>
  person.wm(
    ['auth', 'convert-v3', '--auth-url', service.url, '--account-id', service.who.accountId, ...more],
    {
      input: 'canary-v3',
      environment: { WM_CLIENT_ID: 'app', WM_CLIENT_SECRET: secrets.clientSecret },
    },
  );
const ways = {
  'wm login': (...more: string[]) => person.login(service, ...more),
  'wm login --with-token': withToken,
  'wm auth convert-v3': convert,
};

/** All but locks and what a sign-in only tried out. */
const storedFiles = async () => [...(await person.files())].filter(([path]) => !path.endsWith('.lock'));
const profileOf = (files: readonly (readonly [string, string])[]) =>
  JSON.parse(new Map(files).get('profiles.json') ?? '').profiles[0];

for (const [way, login] of Object.entries(ways)) {
  for (const [whose, other] of Object.entries(others)) {
    test(`${way}, ${whose}: leaves the previous sign-in untouched and says what to do`, async () => {
      assert.equal((await login()).status, 0);
      const before = await storedFiles();
      service.who = other;
      const ran = await login();
      assert.equal(ran.status, 2, ran.errors);
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
    assert.equal((await login()).status, 0);
    assert.equal((await login()).status, 0);
    service.who = others['another user'];
    assert.equal((await login('--yes')).status, 0);
    assert.equal(profileOf(await storedFiles()).userId, 'KUAAAAAZ');
    service.who = others['another account'];
    assert.equal((await login('--profile', 'default')).status, 0);
    assert.equal(profileOf(await storedFiles()).accountId, 'IEAAAAAZ');
  });
}

test('the printed command for a second account works and leaves the first one unchanged', async () => {
  await person.login(service);
  const before = profileOf(await storedFiles());
  service.who = others['another account'];
  const ran = await person.login(service);
  const words = printedCommand(ran.errors.replace(' --profile NAME. To', ' --profile second\n'), 'account: ');
  const second = await person.wm(words, { environment: { WM_CLIENT_SECRET: secrets.clientSecret } });
  assert.equal(second.status, 0, second.errors);
  const { profiles, current } = JSON.parse((await person.files()).get('profiles.json') ?? '');
  assert.deepEqual([profiles.length, profiles[0], current], [2, before, 'default']);
  assert.deepEqual([profiles[1].name, profiles[1].accountId], ['second', 'IEAAAAAZ']);
});

for (const [way, login, input] of [
  ['wm login --with-token', withToken, secrets.access],
  ['wm auth convert-v3', convert, 'canary-v3'],
] as const) {
  test(`${way}: the printed command for a second account works`, async () => {
    assert.equal((await login()).status, 0);
    service.who = others['another user'];
    const ran = await login();
    const words = printedCommand(
      ran.errors.replace(' --profile NAME. To', ' --profile second\n'),
      'account: ',
    );
    const environment = { WM_CLIENT_ID: 'app', WM_CLIENT_SECRET: secrets.clientSecret };
    const second = await person.wm(words, { environment, input });
    assert.equal(second.status, 0, second.errors);
    const { profiles } = JSON.parse((await person.files()).get('profiles.json') ?? '');
    assert.deepEqual(
      profiles.map((profile: { userId: string }) => profile.userId),
      ['KUAAAAAA', 'KUAAAAAZ'],
    );
  });
}

test('wm auth convert-v3: the printed command names a host that is not allowed, and works', async () => {
  service.answer = (response) => json(response, 200, tokens('api.example.com'));
  const ran = await convert();
  assert.equal(ran.status, 1, ran.errors);
  const words = printedCommand(ran.errors, 'If that host is right: ');
  assert.deepEqual(words.slice(-4), ['--host', 'api.example.com', '<', 'token.txt']);
  const http = createHttp({});
  const toHere: Http = {
    send: (request, options) =>
      http.send({ ...request, url: request.url.replace('https://api.example.com', service.url) }, options),
  };
  const environment = { WM_CLIENT_ID: 'app', WM_CLIENT_SECRET: secrets.clientSecret };
  const again = await person.wm(words.slice(0, -2), {
    environment,
    input: 'canary-v3',
    world: { http: toHere },
  });
  assert.equal(again.status, 0, again.errors);
  service.answer = (response) => json(response, 200, tokens('evil.test/x'));
  const hostile = await convert();
  assert.equal(hostile.status, 1);
  assert.doesNotMatch(hostile.errors, /--host evil|HOST/);
  service.answer = (response) => json(response, 200, tokens(service.host));
});

test('the browser page reports the failure, and the terminal has the details', async () => {
  await person.login(service);
  service.who = others['another account'];
  await person.login(service);
  assert.match((await person.pages.at(-1))?.text ?? '', /This sign-in is not stored yet. See the terminal/);
});

test('keeps the previous sign-in if the account cannot be read', async () => {
  assert.equal((await person.login(service)).status, 0);
  const before = await storedFiles();
  const { answer } = service;
  service.answer = (response) =>
    json(response, 200, { access_token: 'canary-nobody', token_type: 'bearer', host: service.host });
  const ran = await person.login(service);
  service.answer = answer;
  assert.equal(ran.status, 4, ran.errors);
  assert.match(ran.errors, /The existing sign-in is unchanged/);
  assert.deepEqual(await storedFiles(), before);
});

test('convert-v3: does not use the old token for another account; for another user it can be converted again', async () => {
  assert.equal((await convert()).status, 0);
  const used = service.exchanges.length;
  service.who = others['another account'];
  const early = await convert();
  assert.match(early.errors, /in the profile default with a sign-in to the account IEAAAAAZ/);
  assert.equal(service.exchanges.length, used);
  service.who = others['another user'];
  const late = await convert();
  assert.equal(service.exchanges.length, used + 1);
  assert.match(late.errors, /version 3 token can be converted again for one day/);
  assert.equal((await convert('--yes')).status, 0);
  assert.equal(profileOf(await storedFiles()).userId, 'KUAAAAAZ');
});

test('convert-v3: keeps the previous sign-in if the account cannot be read', async () => {
  assert.equal((await convert()).status, 0);
  const before = await storedFiles();
  const { answer } = service;
  service.answer = (response) =>
    json(response, 200, { access_token: 'canary-nobody', token_type: 'bearer', host: service.host });
  const ran = await convert();
  service.answer = answer;
  assert.equal(ran.status, 4, ran.errors);
  assert.match(ran.errors, /The existing sign-in is unchanged/);
  assert.match(ran.errors, /can be converted again for one day/);
  assert.deepEqual(await storedFiles(), before);
});
