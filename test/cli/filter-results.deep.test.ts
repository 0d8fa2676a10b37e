// --jq: the real jq, on everything that prints JSON. Through the program, against a service.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { createFilteredOutput } from '#cli/filtered-output.ts';
import { run } from '#test/support/program/program.ts';
import { collectStreams } from '#test/support/program/streams.ts';
import { jsonReply } from '#test/support/service/raw-server.ts';
import { ask, canary, hook, hookId, hooks, lines } from '#test/support/service/scripted-service.ts';
import { createWorld } from '#world/create-world.ts';
import { found, list, testPrograms } from './programs.ts';

testPrograms('quick');

test('a filter that jq cannot compile: exit 2, nothing sent', async () => {
  for (const [filter, why] of [
    ['.[0', 'syntax error'],
    ['nonsense', 'nonsense/0 is not defined'],
    ['import "a" as a; .', 'module not found'],
    ['include "/etc/passwd"; .', 'module not found'],
    ['module {}; .', 'syntax error'],
    ['--help', 'help/0 is not defined'],
    ['# nothing', 'Top-level program not given'],
  ] as const) {
    for (const line of [list, lines.PUT]) {
      const { status, output, errors, requests } = await ask([...line, `--jq=${filter}`], [found]);
      assert.deepEqual([status, output, requests], [2, '', []], filter);
      const { code, message } = JSON.parse(errors).error;
      assert.equal(code, 'usage');
      assert.ok(message.startsWith(`--jq: ${JSON.stringify(filter)} is not a jq filter`), message);
      assert.ok(message.includes(why), message);
    }
  }
});

test('a failing filter: its output so far, its error, and exit 1', async () => {
  const { status, output, errors, requests } = await ask(
    [...list, '--jq', '.[].id, ("x" | error), 1'],
    [found],
  );
  assert.deepEqual([status, output, requests.length], [1, `${hookId}\nIEAAAAAQJAAAAAAC\n`, 1]);
  const { code, message } = JSON.parse(errors).error;
  assert.deepEqual([code, message], ['other', 'The filter of --jq failed: x']);
});

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

test('filters each object of a command that prints one per id, even after the filter failed for one', async () => {
  const line = ['webhook', 'get', hookId, 'IEAAAAAQJAAAAAAC'];
  const filter = 'if .id | endswith("B") then error("no") else .id end';
  const { status, output, errors } = await ask([...line, '--jq', filter], [found]);
  assert.deepEqual([status, output], [1, 'IEAAAAAQJAAAAAAC\n']);
  assert.match(errors, /The filter of --jq failed: no/);
});

test('prints an error of the command as JSON, and keeps its exit status', async () => {
  const { status, output, errors } = await ask(
    [...list, '--jq', '.[].id'],
    [jsonReply(404, { error: 'resource_not_found', errorDescription: 'x' })],
  );
  assert.deepEqual([status, output], [5, '']);
  assert.equal(JSON.parse(errors).error.code, 'resource_not_found');
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

test('filters a secret that was requested, too', async () => {
  const environment = { WM_TOKEN: canary, WM_HOST: 'api.example.com' };
  const { status, output } = await run(['auth', 'token', '--jq', '.token'], { environment });
  assert.deepEqual([status, output], [0, `${canary}\n`]);
});

test('passes one document at a time, however the output arrives', async () => {
  const { output } = await ask([...list, '--jq', 'try input catch .'], [found]);
  assert.equal(output, '--jq gets one document at a time, so this is the only input\n');
});

test('debug and stderr in jq go to standard error', async () => {
  const { status, output, errors } = await ask([...list, '--jq', 'length | debug'], [found]);
  assert.deepEqual([status, output, errors], [0, '2\n', '["DEBUG:",2]\n']);
});

test('--jq implies --json, and is a usage error with --curl', async () => {
  const environment = { WM_TOKEN: canary, WM_HOST: 'api.example.com' };
  const shown = await run([...lines.PUT, '--dry-run', '--jq', '.method'], { environment });
  assert.deepEqual([shown.status, shown.output, shown.errors], [0, 'PUT\n', '']);
  const curl = await run([...lines.PUT, '--curl', '--jq', '.method'], { exit: 2, environment });
  assert.match(curl.errors, /--jq filters JSON, and --curl prints a command/);
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
