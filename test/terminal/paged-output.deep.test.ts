// A pager on a real terminal that fails late, or is ended by Ctrl-C or SIGTERM; and none in a pipe.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { key, skip } from '#test/support/terminal/terminal.ts';
import { startPagedService, tasksFrom } from '../tasks/query/paged-service.ts';
import { lastEvent, openWithPager, stageWithPagers, trapped } from './pagers.ts';

for (const [how, line] of [
  ['a pipe', 'wm webhook events | cat'],
  ['input from elsewhere', 'wm webhook events < /dev/null'],
] as const) {
  test(`${how}: no pager`, { skip }, async (context) => {
    const stage = await stageWithPagers(context);
    const terminal = openWithPager(context, stage, line, { PAGER: 'whole' });
    assert.equal(await terminal.ended, 0, terminal.text);
    assert.ok(!terminal.text.includes('PAGER'), terminal.text);
    assert.ok(terminal.text.includes(lastEvent), terminal.text);
  });
}

test('a pager that fails after reading much: a warning, and nothing is printed twice', {
  skip,
}, async (context) => {
  const stage = await stageWithPagers(context);
  const service = await startPagedService(context, (index) =>
    index < 2 ? { tasks: tasksFrom(1 + index * 12_000, 12_000) } : undefined,
  );
  const terminal = openWithPager(context, stage, 'wm task list', { ...service.environment, PAGER: 'late' });
  await terminal.shows('The pager "late" failed with status 3.');
  assert.equal(await terminal.ended, 0);
  assert.ok(!terminal.text.includes('Task'), terminal.text.slice(0, 500));
});

/** Says afterwards, as the terminal itself has it, whether lines and echo are on again. */
const thenState = '; code=$?; stty -a | tr " ;" "\\n\\n" | grep -x -e "-*icanon" -e "-*echo"; exit $code';

test('when Ctrl-C ends the pager, wm ends after it', { skip }, async (context) => {
  const stage = await stageWithPagers(context);
  const terminal = openWithPager(context, stage, `${trapped}wm webhook events${thenState}`, { PAGER: 'raw' });
  await terminal.shows('key?\n', key.interrupt);
  await terminal.shows(/restored by INT\nwm: Interrupted\n {2}nothing was changed\nicanon\necho\n$/);
  assert.equal(await terminal.ended, 130);
});

// On a busy system, wm may see the end of its pager before the Ctrl-C that ended both.
test('a pager ended by a Ctrl-C that wm did not receive ends wm', { skip }, async (context) => {
  const stage = await stageWithPagers(context);
  const terminal = openWithPager(context, stage, 'wm webhook events', { PAGER: 'interrupted' });
  await terminal.shows('wm: Interrupted\n');
  assert.equal(await terminal.ended, 130);
});

test('SIGTERM to wm ends the pager first', { skip }, async (context) => {
  const stage = await stageWithPagers(context);
  const line = `sh -c 'echo $$ > pid; exec wm webhook events'${thenState}`;
  const terminal = openWithPager(context, stage, line, { PAGER: 'raw' });
  await terminal.shows('key?\n');
  process.kill(Number(await readFile(join(stage.folder, 'pid'), 'utf8')), 'SIGTERM');
  await terminal.shows('restored by TERM\nwm: Ended by SIGTERM\n');
  await terminal.shows(/icanon\necho\n$/);
  assert.equal(await terminal.ended, 143);
});
