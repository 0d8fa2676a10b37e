// A sign-in in two steps: what each prints and stores, what completes it and what does not, and that the sign-in that a
// profile has is never harmed on the way.

import assert from 'node:assert/strict';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { createTestClock } from '#test/support/clock.ts';
import { createMemoryKeychain } from '#test/support/memory-keychain.ts';
import { printedCommand } from '#test/support/program/printed.ts';
import { json, secrets, tokens } from '#test/support/service/auth-service.ts';
import { backTo, type Person } from '#test/support/sign-in/person.ts';
import { personForEach, serviceForAll } from '#test/support/sign-in/stage.ts';
import { createClock } from '#world/clock.ts';
import { createHttp } from '#world/http.ts';
import type { Clock, Http, Streams } from '#world/world.ts';

const service = await serviceForAll();
let person: Person;
personForEach((created) => {
  person = created;
  service.answer = (response) => json(response, 200, tokens(service.host));
  service.who = { accountId: 'IEAAAAAQ', userId: 'KUAAAAAA' };
});

const application = { WM_CLIENT_ID: 'app é', WM_CLIENT_SECRET: secrets.clientSecret };

async function start(...more: string[]): Promise<URL> {
  const ran = await person.wm(['login', '--start', '--auth-url', service.url, ...more], {
    environment: application,
  });
  assert.equal(ran.status, 0, ran.errors);
  return new URL(ran.output);
}

const landing = (consent: URL, more: Readonly<Record<string, string>> = { code: secrets.code }) =>
  backTo(consent, more);
const complete = (input: string, ...more: string[]) => person.wm(['login', '--complete', ...more], { input });
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
  const ran = await person.wm(['login', '--start', '--auth-url', service.url, '--scope', 'wsReadOnly'], {
    environment: application,
  });
  assert.equal(ran.status, 0, ran.errors);
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
  const ran = await person.wm(
    ['login', '--start', '--json', '--auth-url', service.url, '--profile', 'work'],
    {
      environment: application,
    },
  );
  const { url, expiresAt, ...rest } = JSON.parse(ran.output);
  const redirectUri = new URL(url).searchParams.get('redirect_uri');
  assert.deepEqual(rest, { profile: 'work', redirectUri });
  const expires = Date.parse(expiresAt);
  assert.ok(expires >= before + 600_000 && expires <= Date.now() + 600_000);
  assert.match(ran.errors, /Within 10 minutes, give that address to: wm login --complete --profile work/);
});

test('--complete needs only the landing URL: its settings come from --start', async () => {
  const consent = await start('--scope', 'wsReadOnly', '--allow-host', 'eu.example.com', '--port', '8400');
  assert.equal(consent.searchParams.get('redirect_uri'), 'http://127.0.0.1:8400/callback');
  const ran = await complete(`${landing(consent)}\n`);
  assert.equal(ran.status, 0, ran.errors);
  assert.deepEqual(ran.output.split('\t').slice(0, 2), ['Ada <b>Lovelace</b>', 'KUAAAAAA']);
  assert.equal(
    service.exchanges[0]?.body,
    'client_id=app%20%C3%A9&client_secret=canary-client-secret&grant_type=authorization_code&code=canary-code&redirect_uri=http%3A%2F%2F127.0.0.1%3A8400%2Fcallback',
  );
  const { accessToken, clientSecret } = await person.item();
  assert.deepEqual([accessToken, clientSecret], [secrets.access, secrets.clientSecret]);
  const [profile] = JSON.parse((await person.files()).get('profiles.json') ?? '').profiles;
  assert.deepEqual(
    [profile.scopes, profile.hostSuffixes, profile.authUrl, profile.redirectUri],
    [['wsReadOnly'], ['eu.example.com'], service.url, undefined],
  );
  assert.deepEqual(await pendings(), [], 'it is removed');
  assert.equal((await person.wm(['whoami'])).status, 0);
});

test('both steps use a registered callback unchanged, and the profile remembers it', async () => {
  const consent = await start('--redirect-uri', 'https://example.com/callback?tenant=a%2Fb');
  const ran = await complete(landing(consent));
  assert.equal(ran.status, 0, ran.errors);
  assert.match(
    service.exchanges[0]?.body ?? '',
    /&redirect_uri=https%3A%2F%2Fexample\.com%2Fcallback%3Ftenant%3Da%252Fb$/,
  );
  const [profile] = JSON.parse((await person.files()).get('profiles.json') ?? '').profiles;
  assert.equal(profile.redirectUri, 'https://example.com/callback?tenant=a%2Fb');
});

test('a second --complete finds no started sign-in and sends nothing', async () => {
  const consent = await start();
  assert.equal((await complete(landing(consent))).status, 0);
  const ran = await complete(landing(consent));
  assert.equal(ran.status, 2, ran.errors);
  assert.match(
    ran.errors,
    /^wm: No sign-in was started for the profile default\n {2}Start one: wm login --start\n/m,
  );
  assert.equal(service.exchanges.length, 1);
});

test('two --complete at once: one wins, the other reports it, and one code is exchanged', async () => {
  const consent = await start();
  const both = await Promise.all([complete(landing(consent)), complete(landing(consent))]);
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [0, 2]);
  const loser = both.find(({ status }) => status === 2);
  assert.match(
    loser?.errors ?? '',
    /^wm: (?:This sign-in was completed in the meantime|No sign-in was started)/m,
  );
  assert.equal(service.exchanges.length, 1);
});

for (const [form, typed] of [
  ['without its scheme', (url: string) => url.replace('http://', '')],
  ['in quotes', (url: string) => `"${url}"`],
  ['in single quotes, with a space behind it', (url: string) => `'${url}' `],
  ['in angle brackets', (url: string) => `<${url}>`],
  ['as its query', (url: string) => new URL(url).search],
  ['as its query without the question mark', (url: string) => new URL(url).search.slice(1)],
  ['with the fragment of the page', (url: string) => `${url}#top`],
  ['broken in the code', (url: string) => url.replace('code', 'co\nde')],
  [
    'broken in the code, and in the state',
    (url: string) => `<${url.replace(/code=...|state=..../g, '$&\r\n  ')}>\n`,
  ],
  ['broken in the path, behind another line', (url: string) => `nonsense\n${url.replace('call', 'call\n')}`],
] as const) {
  test(`a landing URL ${form} completes the sign-in`, async () => {
    const consent = await start();
    const url = `${consent.searchParams.get('redirect_uri')}?code=${secrets.code}&state=${consent.searchParams.get('state')}`;
    const ran = await complete(typed(url));
    assert.equal(ran.status, 0, ran.errors);
    assert.match(service.exchanges[0]?.body ?? '', /&code=canary-code&/);
    if (!form.includes('behind')) assert.doesNotMatch(ran.errors, /^Line /m);
  });
}

for (const [form, typed, why] of [
  ['a query without a state', '?code=canary-code', /state= is missing/],
  ['an address without a scheme and a state', '127.0.0.1:1/callback?code=canary-code', /state= is missing/],
  ['a query with the state of another', '<?code=canary-code&state=x>', /belongs to another sign-in/],
  ['a code alone', '"canary-code"', /not the URL that the browser landed on/],
] as const) {
  test(`rejects ${form}, and the started sign-in stays valid`, async () => {
    const consent = await start();
    const ran = await complete(`${typed}\n`);
    assert.equal(ran.status, 2, ran.errors);
    assert.match(ran.errors, why);
    assert.equal(service.exchanges.length, 0);
    assert.equal((await complete(landing(consent))).status, 0);
  });
}

test('reports a wrong state and other text without using up the sign-in; the right line after them counts', async () => {
  const consent = await start();
  const other = new URL(landing(consent));
  other.searchParams.set('state', 'another');
  const wrong = await complete(`canary-nonsense\n${other.href}\n`);
  assert.equal(wrong.status, 2, wrong.errors);
  assert.match(wrong.errors, /^Line 1 of standard input: This is not the URL that the browser landed on/m);
  assert.match(wrong.errors, /^Line 2 of standard input: This URL belongs to another sign-in/m);
  assert.match(
    wrong.errors,
    /^wm: Standard input ended without the address you landed on\n.*\| wm login --complete\n/m,
  );
  assert.deepEqual(await pendings(), ['.pending-default.json']);
  const right = await complete(`\n\n${other.href}\r\n  ${landing(consent)} \r\nmore\n`);
  assert.equal(right.status, 0, right.errors);
  assert.equal(service.exchanges.length, 1);
});

test('a second --start replaces the first', async () => {
  const first = await start();
  const second = await start();
  const ran = await complete(landing(first));
  assert.equal(ran.status, 2, ran.errors);
  assert.match(ran.errors, /another sign-in/);
  assert.equal((await complete(landing(second))).status, 0);
  assert.equal(service.exchanges.length, 1);
});

/** Completes a sign-in; something else happens after its URL was read, and before it is used up. */
function completeWhile(consent: URL, meanwhile: () => Promise<unknown>) {
  const real = createHttp({});
  const http: Http = {
    async send(request, options) {
      if (request.method === 'HEAD') await meanwhile();
      return real.send(request, options);
    },
  };
  return person.wm(['login', '--complete'], { input: landing(consent), world: { http } });
}

test('a concurrent --complete wins, and this one does not exchange anything', async () => {
  const consent = await start();
  const ran = await completeWhile(consent, async () => {
    assert.equal((await complete(landing(consent))).status, 0);
  });
  assert.equal(ran.status, 2, ran.errors);
  assert.match(
    ran.errors,
    /^wm: This sign-in was completed in the meantime\n {2}Start again: wm login --start /m,
  );
  assert.equal(service.exchanges.length, 1);
});

test('a --start while the first is being completed: nothing is sent, and the later one can be completed', async () => {
  const first = await start();
  const later: URL[] = [];
  const ran = await completeWhile(first, async () => later.push(await start()));
  assert.equal(ran.status, 2, ran.errors);
  assert.match(ran.errors, /^wm: Another sign-in was started in the meantime\n/m);
  assert.deepEqual(service.exchanges, []);
  const [second] = later;
  assert.ok(second);
  assert.equal((await complete(landing(second))).status, 0);
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
  const input = { isTerminal: false, readAll: async () => new Uint8Array(), raw };
  const output = { isTerminal: false, columns: undefined, write: async () => {}, raw: new PassThrough() };
  const streams: Streams = { input, output, errors: output };
  const began = clock.now();
  // The start was on the machine's own clock.
  const now = () => Date.now() + clock.now() - began;
  const ran = await person.wm(['login', '--complete'], { world: { clock: { ...clock, now }, streams } });
  assert.equal(ran.status, 0, ran.errors);
});

test('--complete still waiting for its line when the ten minutes end: exit 4, and the sign-in is removed', async () => {
  await start();
  const clock = createTestClock((milliseconds) => clock.advance(milliseconds));
  let errors = '';
  const output = (add: (text: string) => void) => ({
    isTerminal: false,
    columns: undefined,
    write: async (text: string) => add(text),
    raw: new PassThrough(),
  });
  const streams: Streams = {
    // A pipe that nobody writes to or closes.
    input: {
      isTerminal: false,
      readAll: async () => new Uint8Array(),
      raw: new PassThrough(),
    },
    output: output(() => {}),
    errors: output((text) => {
      errors += text;
    }),
  };
  const ran = await person.wm(['login', '--complete'], { world: { clock, streams } });
  assert.equal(ran.status, 4, errors);
  assert.match(errors, /^wm: The started sign-in has expired\n/m);
  assert.deepEqual(await pendings(), []);
});

test('a second --start with another store also replaces the first', async () => {
  const keychain = createMemoryKeychain();
  const first = await start();
  const second = await person.wm(['login', '--start', '--store', 'keychain', '--auth-url', service.url], {
    environment: application,
    world: { keychain },
  });
  assert.equal(second.status, 0, second.errors);
  assert.deepEqual(await pendings(), []);
  const environment = { WM_TOKEN_STORE: undefined };
  const input = `${landing(first)}\n${landing(new URL(second.output))}\n`;
  const ran = await person.wm(['login', '--complete'], { environment, input, world: { keychain } });
  assert.equal(ran.status, 0, ran.errors);
  assert.match(ran.errors, /^Line 1 of standard input: This URL belongs to another sign-in/m);
  assert.ok([...keychain.items.keys()].every((name) => !name.includes('pending')));
});

test('each profile has its own started sign-in', async () => {
  const consentOfOne = await start('--profile', 'one');
  const two = await start('--profile', 'two');
  const none = await complete(landing(consentOfOne));
  assert.equal(none.status, 2);
  assert.match(none.errors, /wm login --complete --profile NAME/);
  assert.equal((await complete(landing(consentOfOne), '--profile', 'two')).status, 2);
  assert.equal((await complete(landing(two), '--profile', 'two')).status, 0);
  assert.equal((await complete(landing(consentOfOne), '--profile', 'one')).status, 0);
});

test('after ten minutes: exit 4, the sign-in is removed, and the printed command starts again', async () => {
  const consent = await start('--profile', 'work');
  const world = { clock: later(600_000) };
  const input = landing(consent);
  const ran = await person.wm(['login', '--complete', '--profile', 'work'], { input, world });
  assert.equal(ran.status, 4, ran.errors);
  assert.match(ran.errors, /^wm: The started sign-in has expired\n {2}it had to be completed by \d/m);
  assert.deepEqual(service.exchanges, []);
  assert.deepEqual(await pendings(), []);
  // The profile was never signed in to, so the address is asked for as at the first time.
  const words = printedCommand(ran.errors, 'Start again: ');
  assert.deepEqual(words, ['login', '--start', '--profile', 'work']);
  const environment = { ...application, WM_AUTH_URL: service.url };
  assert.equal((await person.wm(words, { environment })).status, 0);
});

test('still accepts the URL just before the ten minutes are over', async () => {
  const consent = await start();
  const world = { clock: later(590_000) };
  assert.equal((await person.wm(['login', '--complete'], { input: landing(consent), world })).status, 0);
});

test('denied: exit 4 with the description, the sign-in is used up, and the printed command starts again', async () => {
  const consent = await start();
  const ran = await complete(landing(consent, { error: 'access_denied', error_description: 'She said no' }));
  assert.equal(ran.status, 4, ran.errors);
  assert.match(ran.errors, /^wm: Access was denied on the consent page\n {2}She said no\n/m);
  assert.deepEqual(await pendings(), []);
  const environment = { WM_CLIENT_SECRET: secrets.clientSecret };
  const again = await person.wm(printedCommand(ran.errors, 'press Allow: '), { environment });
  assert.equal(again.status, 0, again.errors);
  assert.equal((await complete(landing(new URL(again.output)))).status, 0);
});

test('a later failure leaves the sign-in of the profile unchanged, byte for byte', async () => {
  assert.equal((await person.login(service)).status, 0);
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
    const ran = await complete(landing(consent));
    assert.equal(ran.status, exit, ran.errors);
    assert.match(ran.errors, /wm login --(?:start|with-token) /);
    assert.deepEqual(await signIns(), before);
    assert.deepEqual(await pendings(), []);
  }
});

test('another user: keeps the previous sign-in, and the printed commands add a second account', async () => {
  assert.equal((await person.login(service)).status, 0);
  const before = await signIns();
  service.who = { accountId: 'IEAAAAAZ', userId: 'KUAAAAAZ' };
  const consent = await start();
  const ran = await complete(landing(consent));
  assert.equal(ran.status, 2, ran.errors);
  assert.deepEqual(await signIns(), before);
  const words = printedCommand(ran.errors.replace(' --profile NAME. To', ' --profile second\n'), 'account: ');
  const again = await person.wm(words);
  assert.equal(again.status, 2, 'the secret of the other profile is not used');
  const environment = { WM_CLIENT_SECRET: secrets.clientSecret };
  const second = await person.wm(words, { environment });
  assert.equal((await complete(landing(new URL(second.output)), '--profile', 'second')).status, 0);
  // And in its place, with --yes.
  assert.equal((await complete(landing(await start()), '--yes')).status, 0);
});

test('connection refused during --complete: exit 7, and it can be completed later', async () => {
  const consent = await start();
  const http = {
    send: async () => ({ fault: 'connection-refused', sent: false, detail: 'ECONNREFUSED' }) as const,
  };
  const ran = await person.wm(['login', '--complete'], { input: landing(consent), world: { http } });
  assert.equal(ran.status, 7, ran.errors);
  assert.deepEqual(await pendings(), ['.pending-default.json']);
  assert.equal((await complete(landing(consent))).status, 0);
});

test('reports and removes a stored value that is not a started sign-in', async () => {
  const { writeFile } = await import('node:fs/promises');
  for (const content of ['', 'canary', '[]', 'null', '{"state":"x"}', '{"scopes":["canary"]}']) {
    const consent = await start();
    await writeFile(join(person.folder, 'tokens', '.pending-default.json'), content);
    const ran = await complete(landing(consent));
    assert.equal(ran.status, 4, ran.errors);
    assert.match(ran.errors, /Cannot read the started sign-in in .*\n {2}Start again: wm login --start\n/);
    assert.deepEqual(await pendings(), []);
  }
});

test('logout removes a started sign-in, too', async () => {
  assert.equal((await person.login(service)).status, 0);
  await start();
  assert.equal((await person.wm(['logout', '--yes'])).status, 0);
  assert.deepEqual(await pendings(), []);
});

const contradictions: readonly (readonly [words: readonly string[], says: RegExp])[] = [
  [['--start', '--complete'], /--start and --complete cannot be combined/],
  [['--with-token', '--start'], /cannot be combined/],
  [['--start', '--browser'], /--start and --browser cannot be combined/],
  [['--complete', '--no-browser'], /--no-browser cannot be used with --complete/],
  [['--start', '--callback-host', '0.0.0.0'], /--callback-host cannot be used with --start/],
  [['--complete', '--scope', 'wsReadOnly'], /--scope cannot be used with --complete\n.*wm login --start/],
  [
    ['--complete', '--auth-url', 'https://x.example.com', '--port', '1'],
    /--auth-url and --port cannot be used/,
  ],
  [['--host', 'api.example.com'], /--host cannot be used with a sign-in through the browser\n.*--with-token/],
  [
    ['--with-token', '--host', 'api.example.com', '--no-browser'],
    /--no-browser cannot be used with --with-token/,
  ],
  [['--port', '1', '--redirect-uri', 'http://127.0.0.1:2/'], /--port and --redirect-uri cannot be combined/],
];

for (const [words, says] of contradictions) {
  test(`wm login ${words.join(' ')}: exit 2 without doing anything`, async () => {
    const ran = await person.wm(['login', ...words], {
      environment: { ...application, WM_AUTH_URL: service.url },
    });
    assert.equal(ran.status, 2, ran.errors);
    assert.match(ran.errors, says);
    assert.equal(person.consent, undefined);
    assert.equal(service.probes, 0);
    assert.deepEqual([...(await person.files())], []);
  });
}

for (const [by, words, environment] of [
  ['--no-input was given', ['--no-input'], {}],
  ['CI is set', [], { CI: 'true' }],
  ['WM_NO_INPUT is set', [], { WM_NO_INPUT: '1' }],
] as const) {
  test(`wm login where ${by}: exit 2 at once, with the ways to sign in that work there`, async () => {
    const ran = await person.wm(['login', ...words], { environment });
    assert.equal(ran.status, 2, ran.errors);
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
    assert.equal(two.status, 0, two.errors);
    const done = await person.wm(['login', '--complete', ...words], {
      environment,
      input: landing(new URL(two.output)),
    });
    assert.equal(done.status, 0, done.errors);
  });
}

test('--start lists everything that is missing if it cannot prompt', async () => {
  const ran = await person.wm(['login', '--start', '--no-input']);
  assert.equal(ran.status, 2);
  assert.match(ran.errors, /^wm: Missing: --auth-url, --client-id and WM_CLIENT_SECRET\n/);
});
