// --jq on a list of several pages: a filter that begins with .[] gets each page as it arrives, any other the whole list.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '#test/support/program/program.ts';
import { streamsOfFullDisk } from '#test/support/program/streams.ts';
import { startPagedService, tasksFrom } from '../tasks/query/paged-service.ts';

/** Two tasks on each of two pages; the third page fails. */
const brokenOff = (index: number) =>
  index < 2 ? { tasks: tasksFrom(index * 2, 2) } : { tasks: [], status: 400 };
const ids = tasksFrom(0, 4).map(({ id }) => id);
const linesOf = (output: string) => output.split('\n').filter(Boolean);

test('filters page by page only if each element is filtered on its own', async (context) => {
  const { environment } = await startPagedService(context, brokenOff);
  for (const [filter, printed] of [
    ['.[].id', ids],
    [' .[] | select(.title // "x") | .id, .none', ids.flatMap((id) => [id, 'null'])],
    ['.[] |= .id', []],
    ['.[].id, .[].id', []],
    ['.[].none // 1', []],
    ['.[] | halt', []],
    ['map(.id)[]', []],
  ] as const) {
    const ran = await run(['task', 'list', '--jq', filter], { exit: 2, environment });
    assert.deepEqual(linesOf(ran.output), printed, filter);
  }
});

test('an error in the filter ends the list, as it does without pages', async (context) => {
  const { environment } = await startPagedService(context, (index) =>
    index < 3 ? { tasks: tasksFrom(index * 2, 2) } : undefined,
  );
  const filter = `.[] | if .id == "${ids[2]}" then error("no") else .id end`;
  const ran = await run(['task', 'list', '--jq', filter], { environment });
  assert.deepEqual([ran.status, linesOf(ran.output)], [1, ids.slice(0, 2)]);
  assert.match(ran.errors, /The filter of --jq failed: no/);
});

test('an empty list, and one page', async (context) => {
  for (const tasks of [[], tasksFrom(0, 1)]) {
    const service = await startPagedService(context, (index) => (index === 0 ? { tasks } : undefined));
    const ran = await run(['task', 'list', '--jq', '.[].id'], service);
    assert.deepEqual(
      linesOf(ran.output),
      tasks.map(({ id }) => id),
    );
  }
});

test('results that cannot be written are one failure', async (context) => {
  const { environment } = await startPagedService(context, brokenOff);
  for (const filter of ['.[].id', 'length']) {
    const { streams, texts } = streamsOfFullDisk();
    const argv = ['task', 'list', '--limit', '2', '--jq', filter];
    const ran = await run(argv, { environment, world: { streams } });
    assert.equal(ran.status, 1);
    assert.equal(JSON.parse(texts.errors).error.message, 'Cannot write the result: ENOSPC');
  }
});
