// Responses that are large, endless or compressed: what one costs in memory (large-response.deep.test.ts measures others), and what
// is done where several records are too large together.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createWorld } from '../../src/world/create-world.ts';
import { createFiles } from '../../src/world/files.ts';
import { printedCommand } from '../printed.ts';
import { filling, json, megabyte, pour, serve, testTooLarge } from './large-response.ts';
import { askAt, hook, hooks, lines } from './service.ts';

const ids = ['IEAAAAAQKQAAAAAA', 'IEAAAAAQKQAAAAAB', 'IEAAAAAQKQAAAAAC'];

testTooLarge('in chunks');

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
