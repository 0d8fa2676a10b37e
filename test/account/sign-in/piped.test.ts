// The landing URL from a pipe. It does what a paste does, its end never ends the wait for a callback, and a process whose sign-in is
// over ends though its pipe stays open.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { join, resolve } from 'node:path';
import { PassThrough, type Writable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { run } from '#test/support/program/program.ts';
import { collectStreams, textOf } from '#test/support/program/streams.ts';
import { secrets } from '#test/support/service/auth-service.ts';
import { freePort } from '#test/support/service/free-port.ts';
import { backTo, visit } from '#test/support/sign-in/person.ts';
import { serviceForAll } from '#test/support/sign-in/stage.ts';

const service = await serviceForAll();

interface Running {
  /** Its standard input. */
  readonly input: Writable;
  /** Its settings and tokens. */
  readonly folder: string;
  /** Resolves with the match once standard error shows it. */
  shows(pattern: RegExp): Promise<RegExpExecArray>;
  /** What it has printed at its end, which has this status. */
  ends(status?: number): Promise<{ readonly output: string; readonly errors: string }>;
}

type Settings = Readonly<Record<string, string>>;

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
  const folder = await ownFolder(context);
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
  const ended = once(child, 'close').finally(errors.end);
  context.after(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const ends: Running['ends'] = async (status = 0) => {
    assert.equal((await ended)[0], status, errors.text);
    return { output, errors: errors.text };
  };
  const kill = () => {
    child.kill('SIGKILL');
    return ended;
  };
  return { input: child.stdin, folder, ends, shows: errors.shows, kill };
}

/** In this process, with a pipe of the test's. */
async function wmHere(
  context: TestContext,
  typed: readonly string[],
  environment: Settings = {},
): Promise<Running> {
  const folder = await ownFolder(context);
  const input = new PassThrough();
  const errors = watchErrors();
  const readAll = () => Promise.reject(new Error('the input is read as it comes'));
  const { streams, texts } = collectStreams({ input: { raw: input, readAll } });
  const write = async (text: string | Uint8Array) => errors.add(textOf(text));
  const ended = run(typed, {
    environment: { ...settingsIn(folder), ...environment },
    world: {
      // The one of which the test plays the part.
      browser: { open: async () => true },
      streams: { ...streams, errors: { ...streams.errors, write } },
    },
  }).finally(errors.end);
  const ends: Running['ends'] = async (status = 0) => {
    assert.equal((await ended).status, status, errors.text);
    assert.equal(input.listenerCount('data'), 0, 'it still reads its input');
    return { output: texts.output, errors: errors.text };
  };
  return { input, folder, ends, shows: errors.shows };
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
    const { output } = await running.ends();
    assert.match(output, /^Ada /);
    assert.equal(service.exchanges.length, 1);
  });
}

test('a last line without a line break signs in', async (context) => {
  const running = await wmHere(context, ['login', '--no-browser']);
  running.input.end(allowed(await consentOf(running)));
  await running.ends();
});

test('reports invalid lines without quoting them, and still accepts the right one', async (context) => {
  const running = await wm(context, ['login', '--no-browser']);
  const consent = await consentOf(running);
  const other = new URL(allowed(consent));
  other.searchParams.set('state', 'another');
  running.input.write(`canary one\n\n${other.href}\n${'canary'.repeat(20_000)}\n\u0000\u001b[31m\n`);
  await running.shows(/^Line 5 of standard input/m);
  running.input.write(`${'wrong\n'.repeat(100)}${allowed(consent)}\n`);
  const { errors } = await running.ends();
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
  await running.ends();
});

test('the callback wins, and the process ends although the pipe stays open', async (context) => {
  const running = await wm(context, ['login', '--no-browser']);
  await visit(allowed(await consentOf(running)));
  await running.ends();
  assert.equal(service.exchanges.length, 1);
});

test('a pipe that ends without the URL, with an https callback: exit 2, showing how to pass it', async (context) => {
  const https = ['--redirect-uri', 'https://example.com/callback'];
  const running = await wmHere(context, ['login', '--no-browser', ...https]);
  running.input.end();
  const { errors } = await running.ends(2);
  assert.match(
    errors,
    /^wm: Standard input ended without the address you landed on\n {2}Give it as one line: echo '/m,
  );
  assert.deepEqual(service.exchanges, []);
});

test('a denial from the pipe: exit 4', async (context) => {
  const running = await wmHere(context, ['login', '--no-browser']);
  running.input.write(`${backTo(await consentOf(running), { error: 'access_denied' })}\n`);
  await running.ends(4);
});

test('does not read standard input when it opens the browser', async (context) => {
  const running = await wmHere(context, ['login']);
  const consent = await consentOf(running);
  running.input.write('nonsense\n');
  await visit(allowed(consent));
  const { errors } = await running.ends();
  assert.doesNotMatch(errors, /standard input/);
});

test('--complete waits for its line, and ends although the pipe stays open', async (context) => {
  const started = await wmHere(context, ['login', '--start']);
  const { output } = await started.ends();
  const running = await wm(context, ['login', '--complete'], { WM_CONFIG_DIR: started.folder });
  running.input.write(`nonsense\n${allowed(new URL(output))}\n`);
  await running.ends();
});

test('killing --complete during the exchange leaves the sign-in of the profile intact', async (context) => {
  const before = await wmHere(context, ['login', '--no-browser']);
  before.input.end(`${allowed(await consentOf(before))}\n`);
  await before.ends();
  const environment = { WM_CONFIG_DIR: before.folder };
  const read = (path: string) => readFile(join(before.folder, path), 'utf8');
  const stored = async () => [await read('profiles.json'), await read('tokens/default.json')];
  const then = await stored();
  const started = await (await wmHere(context, ['login', '--start'], environment)).ends();
  assert.deepEqual(await stored(), then);
  const { answer } = service;
  const reached = new Promise<void>((resolve) => {
    service.answer = () => resolve();
  });
  const running = await wm(context, ['login', '--complete'], environment);
  running.input.end(allowed(new URL(started.output)));
  await reached;
  await running.kill();
  service.answer = answer;
  assert.deepEqual(await stored(), then);
  assert.deepEqual(await readdir(join(before.folder, 'tokens')), ['default.json'], 'it was used up');
  await (await wmHere(context, ['whoami'], environment)).ends();
});

const outside = Object.values(networkInterfaces())
  .flat()
  .find((entry) => entry?.family === 'IPv4' && !entry.internal)?.address;

test('--callback-host listens elsewhere and says so, without changing the callback or its Host check', {
  skip: outside === undefined && 'needs an address besides loopback',
}, async (context) => {
  const port = `${await freePort()}`;
  const elsewhere = ['--callback-host', '0.0.0.0', '--port', port];
  const running = await wmHere(context, ['login', '--no-browser', ...elsewhere]);
  const consent = await consentOf(running);
  await running.shows(new RegExp(`The callback listens at 0\\.0\\.0\\.0, port ${port}`));
  assert.equal(consent.searchParams.get('redirect_uri'), `http://127.0.0.1:${port}/callback`);
  const from = allowed(consent).replace('127.0.0.1', outside ?? '');
  assert.equal((await visit(from)).status, 404, 'the Host header is not that of the callback');
  // As a published port of a container delivers what the browser sends to 127.0.0.1.
  const page = await visit(from, { host: `127.0.0.1:${port}` });
  assert.match(page.text, /Signed in/);
  await running.ends();
});
