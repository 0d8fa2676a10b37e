// The landing URL from a pipe. It does what a paste does, its end never ends the wait for a callback, and a process whose sign-in is
// over ends though its pipe stays open.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { networkInterfaces, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PassThrough, type Writable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { run } from '#test/support/program/program.ts';
import { json, secrets, tokens } from '#test/support/service/auth-service.ts';
import { freePort } from '#test/support/service/free-port.ts';
import { backTo, visit } from '#test/support/sign-in/person.ts';
import { serviceForAll } from '#test/support/sign-in/stage.ts';

const service = await serviceForAll();
service.answer = (response) => json(response, 200, tokens(service.host));

interface Running {
  /** Its standard input. */
  readonly input: Writable;
  /** Its settings and tokens. */
  readonly folder: string;
  /** Resolves with the match once standard error shows it. */
  shows(pattern: RegExp): Promise<RegExpExecArray>;
  readonly ended: Promise<{
    readonly status: number | null;
    readonly output: string;
    readonly errors: string;
  }>;
}

type Settings = Readonly<Record<string, string>>;

async function newFolder(context: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'wm-piped-'));
  context.after(() => rm(folder, { recursive: true }));
  return folder;
}

const settingsIn = (folder: string) => ({
  HOME: folder,
  WM_CONFIG_DIR: folder,
  WM_TOKEN_STORE: 'file',
  WM_AUTH_URL: service.url,
  WM_CLIENT_ID: 'app',
  WM_CLIENT_SECRET: secrets.clientSecret,
  BROWSER: 'none',
});

/** Standard error, and what waits for something in it. */
function watchErrors() {
  let text = '';
  let isOver = false;
  const looks = new Set<() => void>();
  return {
    get text() {
      return text;
    },
    add(more: string) {
      text += more;
      for (const look of [...looks]) look();
    },
    end() {
      isOver = true;
      for (const look of [...looks]) look();
    },
    shows: (pattern: RegExp) =>
      new Promise<RegExpExecArray>((done, fail) => {
        const look = () => {
          const match = pattern.exec(text);
          if (!match && !isOver) return;
          looks.delete(look);
          if (match) done(match);
          else fail(new Error(`it ended without ${pattern}:\n${text}`));
        };
        looks.add(look);
        look();
      }),
  };
}

/** A process, where its end or its own pipe counts. */
async function wm(context: TestContext, typed: readonly string[], environment: Settings = {}) {
  const folder = await newFolder(context);
  const own = { PATH: process.env['PATH'], ...settingsIn(folder), ...environment };
  const child = spawn(process.execPath, [resolve('bin/wm.js'), ...typed], { cwd: folder, env: own });
  // A process that ends before it has read its input is no fault of the test's.
  child.stdin.on('error', () => {});
  let output = '';
  const errors = watchErrors();
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', errors.add);
  const ended = new Promise<Awaited<Running['ended']>>((done) =>
    child.on('close', (status) => {
      errors.end();
      done({ status, output, errors: errors.text });
    }),
  );
  context.after(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const running: Running = { input: child.stdin, folder, ended, shows: errors.shows };
  return { ...running, kill: () => child.kill('SIGKILL') };
}

/** In this process, with a pipe of the test's. */
async function wmHere(
  context: TestContext,
  typed: readonly string[],
  environment: Settings = {},
): Promise<Running> {
  const folder = await newFolder(context);
  const input = new PassThrough();
  const errors = watchErrors();
  let output = '';
  const collect = (add: (text: string) => void) => ({
    isTerminal: false,
    columns: undefined,
    write: async (text: string) => add(text),
    raw: new PassThrough(),
  });
  const ended = run(typed, {
    environment: { ...settingsIn(folder), ...environment },
    world: {
      // The one of which the test plays the part.
      browser: { open: async () => true },
      streams: {
        input: {
          isTerminal: false,
          readAll: () => Promise.reject(new Error('the input is read as it comes')),
          raw: input,
        },
        output: collect((text) => {
          output += text;
        }),
        errors: collect(errors.add),
      },
    },
  }).then(({ status }) => {
    errors.end();
    assert.equal(input.listenerCount('data'), 0, 'it still reads its input');
    return { status, output, errors: errors.text };
  });
  return { input, folder, ended, shows: errors.shows };
}

/** The address of the consent page, once the process waits for what comes of it. */
async function consentOf(running: Running): Promise<URL> {
  const [, url = ''] = await running.shows(/\n {2}(http\S+)\n/);
  await running.shows(/aiting/);
  return new URL(url);
}

const allowed = (consent: URL) => backTo(consent, { code: secrets.code });

for (const [name, more, environment] of [
  ['with a loopback callback', [], {}],
  ['with an https callback', ['--redirect-uri', 'https://example.com/callback'], {}],
  ['in CI', [], { CI: 'true' }],
  ['with --no-input', ['--no-input'], {}],
] as const) {
  test(`a line from a pipe signs in, ${name}; the pipe may stay open`, async (context) => {
    const start = name === 'with a loopback callback' ? wm : wmHere;
    const running = await start(context, ['login', '--no-browser', ...more], environment);
    const consent = await consentOf(running);
    running.input.write(`${allowed(consent)}\n`);
    const { status, output, errors } = await running.ended;
    assert.equal(status, 0, errors);
    assert.match(output, /^Ada /);
    assert.equal(service.exchanges.length, 1);
  });
}

test('a last line without a line break signs in', async (context) => {
  const running = await wmHere(context, ['login', '--no-browser']);
  running.input.end(allowed(await consentOf(running)));
  const { status, errors } = await running.ended;
  assert.equal(status, 0, errors);
});

test('reports invalid lines without quoting them, and still accepts the right one', async (context) => {
  const running = await wm(context, ['login', '--no-browser']);
  const consent = await consentOf(running);
  const other = new URL(allowed(consent));
  other.searchParams.set('state', 'another');
  running.input.write(`canary one\n\n${other.href}\n${'canary'.repeat(20_000)}\n\u0000\u001b[31m\n`);
  await running.shows(/^Line 5 of standard input/m);
  running.input.write(`${'wrong\n'.repeat(100)}${allowed(consent)}\n`);
  const { status, errors } = await running.ended;
  assert.equal(status, 0, errors);
  const lines = errors.split('\n').filter((line) => line.startsWith('Line '));
  assert.deepEqual(
    lines.map((line) => line.slice(0, 61)),
    [
      'Line 1 of standard input: This is not the URL that the browse',
      'Line 3 of standard input: This URL belongs to another sign-in',
      'Line 4 of standard input: It is longer than 16384 characters.',
      'Line 5 of standard input: This is not the URL that the browse',
      'Line 6 of standard input: This is not the URL that the browse',
    ],
  );
  assert.doesNotMatch(errors, /canary/);
});

test('a pipe that ends without the URL does not end the wait for the callback', async (context) => {
  const running = await wmHere(context, ['login', '--no-browser']);
  running.input.end('nonsense\n');
  const consent = await consentOf(running);
  await running.shows(/^Line 1 of standard input/m);
  const page = await visit(allowed(consent));
  assert.match(page.text, /Signed in/);
  const { status, errors } = await running.ended;
  assert.equal(status, 0, errors);
});

test('the callback wins, and the process ends although the pipe stays open', async (context) => {
  const running = await wm(context, ['login', '--no-browser']);
  await visit(allowed(await consentOf(running)));
  const { status, errors } = await running.ended;
  assert.equal(status, 0, errors);
  assert.equal(service.exchanges.length, 1);
});

test('a pipe that ends without the URL, with an https callback: exit 2, showing how to pass it', async (context) => {
  const running = await wmHere(context, [
    'login',
    '--no-browser',
    '--redirect-uri',
    'https://example.com/callback',
  ]);
  running.input.end();
  const { status, errors } = await running.ended;
  assert.equal(status, 2, errors);
  assert.match(
    errors,
    /^wm: Standard input ended without the address you landed on\n {2}Give it as one line: echo '/m,
  );
  assert.deepEqual(service.exchanges, []);
});

test('a denial from the pipe: exit 4', async (context) => {
  const running = await wmHere(context, ['login', '--no-browser']);
  running.input.write(`${backTo(await consentOf(running), { error: 'access_denied' })}\n`);
  const { status, errors } = await running.ended;
  assert.equal(status, 4, errors);
});

test('does not read standard input when it opens the browser', async (context) => {
  const running = await wmHere(context, ['login']);
  const consent = await consentOf(running);
  running.input.write('nonsense\n');
  await visit(allowed(consent));
  const { status, errors } = await running.ended;
  assert.equal(status, 0, errors);
  assert.doesNotMatch(errors, /standard input/);
});

test('--complete waits for its line, and ends although the pipe stays open', async (context) => {
  const started = await wmHere(context, ['login', '--start']);
  const { output, status } = await started.ended;
  assert.equal(status, 0);
  const running = await wm(context, ['login', '--complete'], { WM_CONFIG_DIR: started.folder });
  running.input.write(`nonsense\n${allowed(new URL(output))}\n`);
  const done = await running.ended;
  assert.equal(done.status, 0, done.errors);
});

test('killing --complete during the exchange leaves the sign-in of the profile intact', async (context) => {
  const before = await wmHere(context, ['login', '--no-browser']);
  before.input.end(`${allowed(await consentOf(before))}\n`);
  assert.equal((await before.ended).status, 0);
  const environment = { WM_CONFIG_DIR: before.folder };
  const read = (path: string) => readFile(join(before.folder, path), 'utf8');
  const stored = async () => [await read('profiles.json'), await read('tokens/default.json')];
  const then = await stored();
  const started = await (await wmHere(context, ['login', '--start'], environment)).ended;
  assert.deepEqual(await stored(), then);
  const { answer } = service;
  const reached = new Promise<void>((resolve) => {
    service.answer = () => resolve();
  });
  const running = await wm(context, ['login', '--complete'], environment);
  running.input.end(allowed(new URL(started.output)));
  await reached;
  running.kill();
  await running.ended;
  service.answer = answer;
  assert.deepEqual(await stored(), then);
  assert.deepEqual(await readdir(join(before.folder, 'tokens')), ['default.json'], 'it was used up');
  const again = await (await wmHere(context, ['whoami'], environment)).ended;
  assert.equal(again.status, 0, again.errors);
});

const outside = Object.values(networkInterfaces())
  .flat()
  .find((entry) => entry?.family === 'IPv4' && !entry.internal)?.address;

test('--callback-host listens elsewhere and says so, without changing the callback or its Host check', {
  skip: outside === undefined && 'needs an address besides loopback',
}, async (context) => {
  const port = `${await freePort()}`;
  const running = await wmHere(context, [
    'login',
    '--no-browser',
    '--callback-host',
    '0.0.0.0',
    '--port',
    port,
  ]);
  const consent = await consentOf(running);
  await running.shows(new RegExp(`The callback listens at 0\\.0\\.0\\.0, port ${port}`));
  assert.equal(consent.searchParams.get('redirect_uri'), `http://127.0.0.1:${port}/callback`);
  const from = allowed(consent).replace('127.0.0.1', outside ?? '');
  assert.equal((await visit(from)).status, 404, 'the Host header is not that of the callback');
  // As a published port of a container delivers what the browser sends to 127.0.0.1.
  const page = await visit(from, { host: `127.0.0.1:${port}` });
  assert.match(page.text, /Signed in/);
  const { status, errors } = await running.ended;
  assert.equal(status, 0, errors);
});
