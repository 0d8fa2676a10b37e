// `wm webhook listen --forward-to` its own address: every delivery would arrive as its own duplicate, and count as forwarded.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '#test/program.ts';

for (const words of [
  ['--forward-to', 'http://127.0.0.1:4020/hook'],
  ['--port', '4555', '--forward-to', 'http://localhost:4555/'],
  ['--port', '4555', '--host', '192.0.2.7', '--route', 'TaskCreated=http://192.0.2.7:4555/'],
  ['--port', '4555', '--host', '::1', '--forward-to', 'http://[::1]:4555/'],
])
  test(`${words.join(' ')}: refused before anything starts`, async () => {
    const ran = await run(['webhook', 'listen', ...words]);
    assert.equal(ran.status, 2, ran.errors);
    assert.match(ran.errors, /^wm: http:\S+ is the address of this receiver: each delivery would come back/);
  });
