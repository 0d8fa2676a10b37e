// Responses that are large, endless or compressed: what they cost in memory, measured with the real command, and what is
// done where several records are too large together.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createWorld } from '../../src/world/create-world.ts';
import { createFiles } from '../../src/world/files.ts';
import { listening } from '../listening.ts';
import { printedCommand } from '../printed.ts';
import { askAt, hook, hooks, lines } from './service.ts';

const megabyte = 1024 * 1024;
const ids = ['IEAAAAAQKQAAAAAA', 'IEAAAAAQKQAAAAAB', 'IEAAAAAQKQAAAAAC'];
const json = { 'Content-Type': 'application/json' };

async function serve(
  context: TestContext,
  reply: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer(reply);
  const port = await listening(server);
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `127.0.0.1:${port}`;
}

/** Writes it so many times, or until the other end has gone. */
function pour(response: ServerResponse, piece: Buffer, times: number): void {
  let left = times;
  const more = () => {
    while (left > 0 && !response.destroyed) {
      left -= 1;
      if (!response.write(piece)) return;
    }
    response.end();
  };
  response.on('drain', more);
  more();
}

interface Measured {
  readonly status: number | null;
  readonly errors: string;
  /** The most memory that the process had, in megabytes. */
  readonly most: number;
}

/** The built command in a process of its own. */
async function measured(context: TestContext, host: string, typed: readonly string[]): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'wm-large-'));
  context.after(() => rm(folder, { recursive: true }));
  const [hookFile, result] = [join(folder, 'measure.cjs'), join(folder, 'result')];
  await writeFile(
    hookFile,
    `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(result)}, String(process.resourceUsage().maxRSS)));`,
  );
  const child = spawn(process.execPath, ['--require', hookFile, resolve('bin/wm.js'), ...typed], {
    env: { PATH: process.env['PATH'], HOME: folder, WM_CONFIG_DIR: folder, WM_TOKEN: 't', WM_HOST: host },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (text) => {
    errors += text;
  });
  const status = await new Promise<number | null>((done) => child.on('close', done));
  return { status, errors, most: Number(await readFile(result, 'utf8')) / 1024 };
}

const filling = Buffer.alloc(megabyte, 'x');

for (const [what, headers] of [
  ['with its length', { ...json, 'Content-Length': 200 * megabyte }],
  ['in chunks', json],
] as const) {
  test(`a response of 200 MB, ${what}: given up at 32 MB, without the memory for more`, async (context) => {
    const host = await serve(context, (_, response) => {
      response.writeHead(200, headers);
      pour(response, filling, 200);
    });
    const { status, errors, most } = await measured(context, host, lines.GET);
    assert.equal(status, 7, errors);
    assert.match(errors, /^wm: The response is too large\n {2}it is larger than 32 MB\n.*wm doctor\n/);
    assert.ok(most < 200, `${most} MB`);
  });
}

test('a response in chunks of one byte takes no more memory than any other', async (context) => {
  const chunks = Buffer.from('1\r\nx\r\n'.repeat(100_000));
  const host = await serve(context, (_, { socket }) => {
    socket?.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n');
    // A megabyte of them.
    let left = 10;
    const more = () => {
      while (left > 0 && socket?.writable) {
        left -= 1;
        if (!socket.write(chunks)) return;
      }
      socket?.end('0\r\n\r\n');
    };
    socket?.on('drain', more);
    more();
  });
  const { status, errors, most } = await measured(context, host, lines.GET);
  assert.equal(status, 1, errors);
  assert.match(errors, /not a JSON object/);
  assert.ok(most < 200, `${most} MB`);
});

test('a compressed response is not decompressed', async (context) => {
  const body = gzipSync(JSON.stringify(hooks(hook)));
  let asked: string | undefined;
  const host = await serve(context, ({ headers }, response) => {
    asked = String(headers['accept-encoding']);
    response.writeHead(200, { ...json, 'Content-Encoding': 'gzip' }).end(body);
  });
  const ran = await askAt({ host }, lines.GET);
  assert.equal(asked, 'identity');
  assert.equal(ran.status, 1, ran.errors);
  assert.match(ran.errors, /the body is compressed \(gzip\), although wm asks for an uncompressed one/);
});

interface Large {
  readonly host: string;
  /** How many tasks each of the requests to read named; and each that was updated. */
  readonly read: number[];
  readonly updated: string[];
}

/** Tasks with so many megabytes each. */
async function largeTasks(context: TestContext, megabytes: readonly number[]): Promise<Large> {
  const read: number[] = [];
  const updated: string[] = [];
  const host = await serve(context, ({ method, url = '' }, response) => {
    const named = ids.filter((id) => url.includes(id));
    if (method === 'GET') read.push(named.length);
    else updated.push(...named);
    const records = named.map((id) => {
      const size = method === 'GET' ? (megabytes[ids.indexOf(id)] ?? 0) : 0;
      return `{"id":"${id}","title":"t","description":"${'x'.repeat(size * megabyte)}"}`;
    });
    response.writeHead(200, json).end(`{"kind":"tasks","data":[${records.join()}]}`);
  });
  return { host, read, updated };
}

test('several records that are too large together are read apart', async (context) => {
  const { host, read } = await largeTasks(context, [12, 12, 12]);
  const ran = await askAt({ host }, ['task', 'get', ...ids]);
  assert.equal(ran.status, 0, ran.errors);
  assert.deepEqual(
    ran.output.split('\n').map((line) => line.slice(0, 16)),
    [...ids, ''],
  );
  assert.deepEqual(read, [3, 2, 1]);
});

test('one of several that is too large alone is named, and the others are printed', async (context) => {
  const { host } = await largeTasks(context, [0, 33, 0]);
  const ran = await askAt({ host }, ['task', 'get', ...ids]);
  assert.equal(ran.status, 5, ran.errors);
  assert.match(ran.errors, new RegExp(`1 of 3 tasks was too large: ${ids[1]}`));
  assert.equal(ran.output.trim().split('\n').length, 2);
});

test('the values before a bulk update are read apart as well', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'wm-large-'));
  context.after(() => rm(folder, { recursive: true }));
  const { host, read, updated } = await largeTasks(context, [12, 12, 12]);
  const typed = ['task', 'update', ...ids, '--title', 'new', '--undoable', '--yes'];
  const files = createFiles({ WM_CONFIG_DIR: folder }, process.platform, folder);
  const ran = await askAt({ host }, typed, { world: { files, clock: createWorld().clock } });
  assert.equal(ran.status, 0, ran.errors);
  assert.deepEqual(read, [3, 2, 1]);
  assert.deepEqual(updated.toSorted(), ids);
});

test('a response of an emulator that is too large: the command that empties it is printed', async (context) => {
  const host = await serve(context, (_, response) => {
    response.writeHead(200, { ...json, 'Content-Length': 65 * megabyte });
    pour(response, filling, 65);
  });
  const ran = await askAt({ host }, ['emulator', 'user', '--url', `http://${host}`]);
  assert.equal(ran.status, 7, ran.errors);
  assert.match(ran.errors, /^wm: The response from \S+ is too large\n {2}it is larger than 64 MB\n/);
  const reset = printedCommand(ran.errors, 'To discard its data and restore the sample: ');
  assert.deepEqual(reset, ['emulator', 'reset', '--url', `http://${host}`]);
});
