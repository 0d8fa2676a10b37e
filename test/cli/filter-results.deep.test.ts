// --jq: the real jq, on everything that prints JSON. Through the program, against a service.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { createFilteredOutput } from '#cli/filtered-output.ts';
import { collectStreams } from '#test/support/program/streams.ts';
import { jsonReply } from '#test/support/service/raw-server.ts';
import { ask, canary, hook, hooks } from '#test/support/service/scripted-service.ts';
import { createWorld } from '#world/create-world.ts';

const list = ['webhook', 'list', '--quiet'];

test('a filter that runs out of memory reports only that, and exits with 1', async () => {
  const filter = '[] | .[100000000] = 1 | length';
  for (const flags of [[], ['--json']]) {
    const wm = spawn(process.execPath, ['bin/wm.js', 'webhook', 'events', '--jq', filter, ...flags]);
    const ended = once(wm, 'close');
    const [output, errors] = await Promise.all([text(wm.stdout), text(wm.stderr)]);
    assert.deepEqual([await ended, output], [[1, null], '']);
    const { message, hint } = JSON.parse(errors).error;
    assert.equal(message, 'The filter of --jq failed: it ran out of memory');
    assert.match(hint, /begin the filter with \.\[\].*--limit/);
  }
});

test('a filter has no access to the environment or files, nor to a secret that must not be shown', async () => {
  const echoed = jsonReply(200, hooks({ ...hook, hookUrl: `https://example.com/${canary}` }));
  const filter =
    'try ([1] | map(1, env)) catch ., input_filename, get_search_list, .[].hookUrl, (.. | strings | @base64)';
  const { status, output } = await ask([...list, '--jq', filter], [echoed]);
  assert.equal(status, 0);
  assert.deepEqual(output.split('\n').slice(0, 4), [
    'env: a filter of --jq gets no environment',
    'null',
    '[]',
    'https://example.com/[redacted]',
  ]);
  assert.ok(!output.includes(canary));
  assert.ok(!output.includes(Buffer.from(`https://example.com/${canary}`).toString('base64').slice(0, 40)));
});

test('reports that output other than JSON cannot be filtered', async () => {
  const { jq, process: processes } = createWorld();
  const { streams, texts } = collectStreams();
  const self = [process.execPath, resolve('bin/wm.js')] as const;
  const filtered = await createFilteredOutput(
    { jq, process: { ...processes, self } },
    streams,
    '.',
    new Map(),
  );
  await filtered.output.write('{"a": 1}\nGET /tasks\n');
  const failure = await filtered.end();
  assert.equal(texts.output, '{"a":1}\n');
  assert.equal(failure?.message, 'This command does not print JSON, so --jq cannot filter its output');
  assert.equal(failure?.exitStatus, 1);
});

test('on a terminal, a string keeps its line breaks and loses terminal control characters', async () => {
  const hostile = jsonReply(200, hooks({ ...hook, hookUrl: 'a\u001b[2J\nb\u202ec' }));
  const { streams, texts } = collectStreams({ isTerminal: true, columns: 80 });
  const own = { ...streams, errors: collectStreams().streams.errors };
  await ask([...list, '--jq', '.[0].hookUrl, .[0:1]'], [hostile], { exit: 0, world: { streams: own } });
  const [first, second, third] = texts.output.split('\n');
  assert.deepEqual([first, second], ['a\ufffd[2J', 'b\ufffdc']);
  assert.match(third ?? '', /"a\\u001b\[2J\\nb\\u202ec"/);
});
