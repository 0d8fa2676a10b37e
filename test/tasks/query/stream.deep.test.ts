// A long list: printed page by page, each page read when the one before has been written, ended by --limit, by an error or by
// a reader that has gone.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { gate } from '#test/support/gate.ts';
import { run } from '#test/support/program/program.ts';
import { collectStreams } from '#test/support/program/streams.ts';
import type { Output } from '#world/world.ts';
import { startPagedService, tasksFrom } from './paged-service.ts';

const pages = 10;
const pageSize = 1000;

/** Standard output that calls `onWrite` with each text, and waits for what it returns. */
function outputTo(onWrite: (text: string) => Promise<void> | void, more: Partial<Output> = {}): Output {
  return {
    isTerminal: false,
    columns: undefined,
    write: async (text: string) => onWrite(text),
    raw: new PassThrough(),
    ...more,
  };
}

for (const [form, flags, firstLine] of [
  ['lines', [], 'IEAAAAAQKQ000000\tActive\tTask 0\t'],
  ['JSON', ['--json'], '[{"id":"IEAAAAAQKQ000000",'],
] as const) {
  test(`10,000 tasks as ${form}: prints the first before the last page has a response`, async (context) => {
    const last = gate();
    const service = await startPagedService(context, (index) =>
      index < pages
        ? {
            tasks: tasksFrom(index * pageSize, pageSize),
            ...(index === pages - 1 ? { gate: last.opened } : {}),
          }
        : undefined,
    );
    let printed = '';
    const first = gate();
    const output = outputTo((text) => {
      printed += text;
      first.open();
    });
    const { streams } = collectStreams();
    const ran = run(['task', 'list', ...flags], {
      environment: service.environment,
      world: { streams: { ...streams, output } },
    });
    await first.opened;
    assert.ok(printed.startsWith(firstLine), printed.slice(0, 100));
    await service.arrived(pages);
    last.open();
    assert.equal((await ran).status, 0);
    const ids =
      form === 'JSON'
        ? JSON.parse(printed).map(({ id }: { id: string }) => id)
        : printed
            .trimEnd()
            .split('\n')
            .map((line) => line.split('\t')[0]);
    assert.deepEqual(
      ids,
      tasksFrom(0, pages * pageSize).map(({ id }) => id),
    );
    assert.equal(service.targets.length, pages);
  });
}

test('reads a page after the previous one is written, so that a slow reader does not fill the memory', async (context) => {
  const service = await startPagedService(context, (index) =>
    index < 3 ? { tasks: tasksFrom(index * 2, 2) } : undefined,
  );
  const [written, taken] = [gate(), gate()];
  const requestsAtWrite: number[] = [];
  const output = outputTo(() => {
    requestsAtWrite.push(service.targets.length);
    written.open();
    return taken.opened;
  });
  const { streams } = collectStreams();
  const ran = run(['task', 'list'], {
    environment: service.environment,
    world: { streams: { ...streams, output } },
  });
  await written.opened;
  // A request that did not wait would be answered before this one of the test.
  await fetch(`http://${service.environment['WM_HOST']}/api/v4/spaces`);
  assert.equal(service.targets.length, 1);
  taken.open();
  assert.equal((await ran).status, 0);
  assert.deepEqual(requestsAtWrite, [1, 2, 3]);
});

test('JSON is one array as for a single page, and [] if there is nothing', async (context) => {
  const tasks = tasksFrom(0, 3, { responsibleIds: [], dates: {}, metadata: [{ key: 'a\nb', value: 'ü' }] });
  const service = await startPagedService(context, (index) => tasks[index] && { tasks: [tasks[index]] });
  const { output, status } = await run(['task', 'list', '--json'], { environment: service.environment });
  assert.equal(status, 0);
  assert.equal(output, `${JSON.stringify(tasks)}\n`);
  const none = await startPagedService(context, () => undefined);
  const empty = await run(['task', 'list', '--json'], { environment: none.environment });
  assert.deepEqual([empty.status, empty.output], [0, '[]\n']);
});

test('an error in the middle: earlier rows are printed, the JSON array stays open, the status is that of the error', async (context) => {
  const service = await startPagedService(context, (index) =>
    index < 2 ? { tasks: tasksFrom(index * 2, 2) } : { tasks: [], status: 400 },
  );
  const json = await run(['task', 'list', '--json'], { environment: service.environment });
  assert.equal(json.status, 2);
  assert.deepEqual(
    JSON.parse(`${json.output}]`).map(({ id }: { id: string }) => id),
    tasksFrom(0, 4).map(({ id }) => id),
  );
  assert.equal(JSON.parse(json.errors).error.code, 'invalid_parameter');
  const lines = await run(['task', 'list'], { environment: service.environment });
  assert.equal(lines.status, 2);
  assert.equal(lines.output.trimEnd().split('\n').length, 4);
  assert.match(lines.errors, /A fault of the test/);
});

test('an error at the start prints no JSON', async (context) => {
  const service = await startPagedService(context, () => ({ tasks: [], status: 400 }));
  const ran = await run(['task', 'list', '--json'], { environment: service.environment });
  assert.deepEqual([ran.status, ran.output], [2, '']);
});

test('--limit ends the list, and reads no unnecessary page', async (context) => {
  const service = await startPagedService(context, (index) =>
    index < 9 ? { tasks: tasksFrom(index * 2, 2) } : undefined,
  );
  const ran = await run(['task', 'list', '--limit', '4'], { environment: service.environment });
  assert.equal(ran.status, 0, ran.errors);
  assert.equal(ran.output.trimEnd().split('\n').length, 4);
  assert.equal(service.targets.length, 2);
  const odd = await run(['task', 'list', '--limit', '3', '--json'], { environment: service.environment });
  assert.equal(JSON.parse(odd.output).length, 3);
  assert.equal(service.targets.length, 4);
});

test('--limit with a filter that wm applies counts matches, and requests whole pages', async (context) => {
  const service = await startPagedService(context, (index) =>
    index < 9 ? { tasks: tasksFrom(index * 10, 10) } : undefined,
  );
  const ran = await run(['task', 'list', '--title', 'K 1', '--limit', '3'], {
    environment: service.environment,
  });
  assert.equal(ran.status, 0, ran.errors);
  assert.deepEqual(
    ran.output
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t')[2]),
    ['Task 1', 'Task 10', 'Task 11'],
  );
  assert.equal(service.targets.length, 2);
  assert.match(service.targets[0] ?? '', /pageSize=1000/);
});

for (const flags of [[], ['--json']]) {
  test(`a reader that has enough (head -1) ends the list quietly ${flags.join(' ')}`, async (context) => {
    const closed = gate();
    const service = await startPagedService(context, (index) =>
      index < 9
        ? { tasks: tasksFrom(index * 10, 10), ...(index === 1 ? { gate: closed.opened } : {}) }
        : undefined,
    );
    const wm = spawn(process.execPath, ['bin/wm.js', 'task', 'list', ...flags], {
      env: { ...process.env, ...service.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const errors = text(wm.stderr);
    await once(wm.stdout, 'data');
    wm.stdout.destroy();
    await once(wm.stdout, 'close');
    closed.open();
    const [status] = await once(wm, 'close');
    assert.deepEqual([status, await errors], [0, '']);
    // The first write to a pipe without a reader is that of the second page.
    assert.equal(service.targets.length, 2);
  });
}

test('a page that is too large for one response is requested again with half as many tasks', async (context) => {
  const large = 'x'.repeat(33 * 1024 * 1024);
  const service = await startPagedService(context, (index, target) => {
    const size = Number(/pageSize=(\d+)/.exec(target)?.[1]);
    if (index > 0) return undefined;
    return { tasks: size > 2 ? tasksFrom(0, 1, { description: large }) : tasksFrom(0, 2) };
  });
  const ran = await run(['task', 'list', '--limit', '9'], { environment: service.environment });
  assert.equal(ran.status, 0, ran.errors);
  assert.equal(ran.output.trimEnd().split('\n').length, 2);
  assert.deepEqual(
    service.targets.map((target) => /pageSize=(\d+)/.exec(target)?.[1]),
    ['9', '4', '2'],
  );
});

test('a single task that is too large is an error', async (context) => {
  const large = 'x'.repeat(33 * 1024 * 1024);
  const service = await startPagedService(context, () => ({
    tasks: tasksFrom(0, 1, { description: large }),
  }));
  const ran = await run(['task', 'list', '--limit', '1'], { environment: service.environment });
  assert.equal(ran.status, 7, ran.errors);
  assert.equal(service.targets.length, 1);
});
