// Responses that are large, endless or compressed; large-response.deep.test.ts has others.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { printedCommand } from '#test/support/program/printed.ts';
import { askAt, hook, hooks, lines } from '#test/support/service/scripted-service.ts';
import { filling, json, megabyte, pour, serve, testTooLarge } from './large-response.ts';

testTooLarge('in chunks');

test('does not decompress a compressed response', async (context) => {
  const body = gzipSync(JSON.stringify(hooks(hook)));
  let asked: string | undefined;
  const host = await serve(context, ({ headers }, response) => {
    asked = String(headers['accept-encoding']);
    response.writeHead(200, { ...json, 'Content-Encoding': 'gzip' }).end(body);
  });
  const ran = await askAt({ host }, lines.GET);
  assert.equal(asked, 'identity');
  assert.equal(ran.status, 1, ran.errors);
  assert.match(ran.errors, /the body is compressed \(gzip\), although wm asked for no compression/);
});

test('an emulator response that is too large: prints the command that resets the data', async (context) => {
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
