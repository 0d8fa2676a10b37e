// `wm task list` on a terminal: a table whose parts look like one, names in place of ids, and a line while it takes long.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '#test/support/program/program.ts';
import { collectStreams } from '#test/support/program/streams.ts';
import { createWorld } from '#world/create-world.ts';
import type { Clock } from '#world/world.ts';
import { type ListedTask, type PagedService, startPagedService, tasksFrom } from './paged-service.ts';

async function onTerminal(
  { environment }: PagedService,
  argv: readonly string[],
  { columns = 80, clock }: { readonly columns?: number; readonly clock?: Clock } = {},
) {
  const { streams, texts } = collectStreams({ isTerminal: true });
  const { status } = await run(['task', 'list', ...argv, '--no-color'], {
    environment,
    world: { streams: { ...streams, output: { ...streams.output, columns } }, ...(clock ? { clock } : {}) },
  });
  assert.equal(status, 0, texts.errors);
  return texts;
}

const task = (n: number, more: object = {}): ListedTask => ({
  ...tasksFrom(n, 1)[0],
  id: `IEAAAAAQKQ00000${n}`,
  ...more,
});
const ids = {
  responsibleIds: ['KUAABENQ'],
  customStatusId: 'IEAAAAAQJM000001',
  dates: { due: '2026-02-06T17:00:00' },
};
const lists = {
  contacts: [{ id: 'KUAABENQ', firstName: 'Ben', lastName: 'Okafor' }],
  workflows: [{ id: 'A', customStatuses: [{ id: 'IEAAAAAQJM000001', name: 'In review', group: 'Active' }] }],
};

test('prints the titles only above the first page, and looks up names once', async (context) => {
  const service = await startPagedService(
    context,
    (index) =>
      [
        { tasks: [task(1, ids), task(2)] },
        { tasks: [task(3, ids)] },
        { tasks: [task(4, { dates: { due: '2026-02-06T17:00:30' } })] },
      ][index],
    lists,
  );
  const { output } = await onTerminal(service, []);
  assert.equal(
    output,
    [
      'title   status     assignees   due         id',
      'Task 1  In review  Ben Okafor  2026-02-06  IEAAAAAQKQ000001',
      'Task 2  Active                             IEAAAAAQKQ000002',
      'Task 3  In review  Ben Okafor  2026-02-06  IEAAAAAQKQ000003',
      '',
      'title   status     assignees   due                  id',
      'Task 4  Active                 2026-02-06 17:00:30  IEAAAAAQKQ000004',
      '',
    ].join('\n'),
  );
});

test('a page that does not fit the columns starts its own table', async (context) => {
  const long = 'A title that is longer than three lines of the narrow column above it';
  const service = await startPagedService(
    context,
    (index) => [{ tasks: [task(1)] }, { tasks: [task(2, { title: long })] }, { tasks: [task(3)] }][index],
  );
  const { output } = await onTerminal(service, [], { columns: 120 });
  assert.equal(
    output,
    [
      'title   status  assignees  due  id',
      'Task 1  Active                  IEAAAAAQKQ000001',
      '',
      `title${' '.repeat(long.length - 5)}  status  assignees  due  id`,
      `${long}  Active                  IEAAAAAQKQ000002`,
      `Task 3${' '.repeat(long.length - 6)}  Active                  IEAAAAAQKQ000003`,
      '',
    ].join('\n'),
  );
});

test('--long: a page that fits continues the table; another one repeats the titles', async (context) => {
  const tasks = [task(1), task(2), task(3, { title: 'It takes four lines' })];
  const service = await startPagedService(context, (index) => tasks[index] && { tasks: [tasks[index]] });
  const { output } = await onTerminal(service, ['--long']);
  assert.equal(
    output,
    [
      'title   status  assignees  due  id',
      'Task 1  Active                  IEAAAAAQKQ000001',
      'Task 2  Active                  IEAAAAAQKQ000002',
      '',
      'title                status  assignees  due  id',
      'It takes four lines  Active                  IEAAAAAQKQ000003',
      '',
    ].join('\n'),
  );
});

test('if no table fits, prints every page as blocks', async (context) => {
  const service = await startPagedService(
    context,
    (index) => [{ tasks: [task(1)] }, { tasks: [task(2)] }][index],
  );
  const { output } = await onTerminal(service, [], { columns: 24 });
  assert.equal(
    output,
    [
      ...['title:  Task 1', 'status: Active', 'id:     IEAAAAAQKQ000001', ''],
      ...['title:  Task 2', 'status: Active', 'id:     IEAAAAAQKQ000002', ''],
    ].join('\n'),
  );
});

/** A clock that is the real one, but whose timers of these lengths end when the test says so. */
function clockWith(lengths: readonly number[]) {
  const due = new Map<number, () => void>();
  const { clock } = createWorld();
  const after: Clock['after'] = (milliseconds, run) => {
    if (!lengths.includes(milliseconds)) return clock.after(milliseconds, run);
    due.set(milliseconds, run);
    return () => void due.delete(milliseconds);
  };
  return { clock: { ...clock, after }, due };
}

test('a line shows the progress until rows are on the screen', async (context) => {
  const lengths = [1000, 2000, 4000, 8000];
  const { clock, due } = clockWith(lengths);
  const pages = [
    { tasks: tasksFrom(0, 1200) },
    { tasks: tasksFrom(2000, 1) },
    { tasks: [task(7, { title: 'Found' })] },
    { tasks: tasksFrom(3000, 1) },
  ];
  const service = await startPagedService(context, (index) => {
    // While the n-th page is answered, the n-th wait ends.
    const length = lengths[service.targets.length - 1] ?? 0;
    const endWait = due.get(length);
    due.delete(length);
    endWait?.();
    return pages[index];
  });
  const { output, errors } = await onTerminal(service, ['--title', 'found'], { clock });
  assert.match(output, /Found/);
  assert.equal(
    errors,
    'Reading tasks...\nRead 1,200 tasks so far; 0 match.\nRead 1,201 tasks so far; 0 match.\n',
  );
  assert.equal(service.targets.length, pages.length);
  assert.deepEqual([...due.keys()], []);
});

test('counts the tasks of a page as matching while their names are looked up', async (context) => {
  const { clock, due } = clockWith([1000]);
  const pages = [{ tasks: [task(1, ids), task(2, { title: 'Other' })] }, { tasks: [task(3)] }];
  const service = await startPagedService(context, (index) => pages[index], {
    get contacts() {
      due.get(1000)?.();
      return lists.contacts;
    },
  });
  const { errors } = await onTerminal(service, ['--title', 'task'], { clock });
  assert.equal(errors, 'Read 2 tasks so far; 1 match.\n');
});

test('with the output in a file, no rows are on the screen, so the progress line continues', async (context) => {
  const { clock, due } = clockWith([1000]);
  const service = await startPagedService(context, (index) => {
    if (service.targets.length === 2) due.get(1000)?.();
    return [{ tasks: tasksFrom(0, 3) }, { tasks: tasksFrom(3, 3) }][index];
  });
  const { streams, texts } = collectStreams({ isTerminal: true });
  await run(['task', 'list'], {
    environment: service.environment,
    world: { clock, streams: { ...streams, output: { ...streams.output, isTerminal: false } } },
  });
  assert.match(texts.errors, /^Read 3 tasks so far\.\n/);
});

test('--quiet hides that line', async (context) => {
  const { clock, due } = clockWith([1000]);
  const service = await startPagedService(context, (index) =>
    index === 0 ? { tasks: tasksFrom(0, 2) } : undefined,
  );
  const { errors } = await onTerminal(service, ['--title', 'none', '--quiet'], { clock });
  assert.equal(errors, '');
  assert.equal(due.size, 0);
});
