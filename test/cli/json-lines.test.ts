// JSON for programs: in a pipe each document is on one line, and standard error has lines of JSON alone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { createWorld } from '#world/create-world.ts';

test('in a pipe a list, a record and an empty list take one line each', async (context) => {
  const { wm } = await emulated(context);
  for (const [argv, isList] of [
    [['task', 'list'], true],
    [['task', 'list', '--title', 'nothing has it'], true],
    [['space', 'list'], true],
    [['account'], false],
    [['task', 'get', sample.task], false],
    [['webhook', 'events'], true],
    [['api', 'GET', '/tasks', '--paginate'], true],
    [['contract', 'asyncapi'], false],
    [['help', 'task', 'get'], false],
  ] as const) {
    const ran = await wm([...argv, '--json'], { exit: 0 });
    assert.match(ran.output, /^.+\n$/, argv.join(' '));
    const parsed: unknown = JSON.parse(ran.output);
    assert.equal(Array.isArray(parsed), isList);
    assert.equal(ran.output, `${JSON.stringify(parsed)}\n`);
  }
});

test('on a terminal the JSON is indented', async (context) => {
  const { wm } = await emulated(context);
  const { streams } = createWorld();
  let shown = '';
  const output = {
    ...streams.output,
    isTerminal: true,
    columns: 80,
    write: async (text: string) => {
      shown += text;
    },
  };
  for (const argv of [['task', 'list'], ['account'], ['api', 'GET', '/tasks', '--paginate']]) {
    shown = '';
    await wm([...argv, '--json', '--no-input'], { world: { streams: { ...streams, output } } });
    assert.equal(shown, `${JSON.stringify(JSON.parse(shown), null, 2)}\n`, argv.join(' '));
  }
});

test('standard error is only lines of JSON, each with its kind', async (context) => {
  const { wm } = await emulated(context);
  const linesOf = async (argv: readonly string[], input = '') => {
    const { errors, rawErrors = errors } = await wm([...argv, '--json'], { input });
    return rawErrors
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  };
  assert.deepEqual(await linesOf(['task', 'list', '--title', 'nothing has it']), [
    { info: 'No tasks with "nothing has it" in the title.\nSearched 11 tasks.' },
  ]);
  const html = ['task', 'update', sample.task, '--description', '</div>', '--verbose'];
  const lines = await linesOf(html);
  assert.deepEqual(lines[0], { warning: 'The service drops: </div> (1). See wm task update --help html' });
  assert.deepEqual(Object.keys(lines[1]), ['trace']);
  const bulk = await linesOf(['task', 'update', '--from', '-'], `id,title\n${sample.task},x\n`);
  assert.deepEqual(
    bulk.map((line) => Object.keys(line)[0]),
    ['info', 'info', 'info', 'error'],
  );
  assert.deepEqual(await linesOf(['task', 'list', '--title', 'nothing has it', '--quiet']), []);
});
