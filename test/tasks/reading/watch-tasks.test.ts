// `wm task get --watch`, whose clock the test moves: at each wait the test changes the task, and the next read sees it.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { noon } from '#test/support/clock.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { watched } from '#test/support/program/watched.ts';
import { fail } from '#test/support/service/intercept.ts';
import { createWorld } from '#world/create-world.ts';

/** Tasks that are watched; `intervalMs`: what the test gives with --interval. */
const watchedTasks = async (context: TestContext, intervalMs = 10_000) =>
  watched(context, await emulated(context), ['task', 'get', '--watch'], intervalMs);

const at = (seconds: number) => new Date(noon + seconds * 1000).toISOString();
const title = 'Write the launch page';

test('prints a line for each changed member, and nothing if nothing changed', async (context) => {
  const { watch, wm } = await watchedTasks(context);
  const ran = await watch(
    [title],
    [
      () => {},
      () => wm(['task', 'update', sample.task, '--importance', 'High', '--add-responsibles', sample.ada]),
      () => wm(['task', 'update', sample.bug, '--importance', 'Low']),
      () => wm(['task', 'update', sample.task, '--title', 'A\tB']),
    ],
  );
  assert.equal(ran.status, 130, ran.errors);
  assert.match(ran.errors, /^Watching Write the launch page \(IEAAAAAQKQAB5BNG\) every 10 s\. Press Ctrl-C/m);
  assert.match(ran.errors, /to end\.\nEnded\.\n$/);
  assert.deepEqual(ran.waits, [10_000, 10_000, 10_000, 10_000, 10_000]);
  const before = JSON.stringify([sample.ben]);
  assert.deepEqual(ran.output.trimEnd().split('\n'), [
    `${at(20)}\tchanged\t${sample.task}\timportance\tNormal\tHigh\t${title}`,
    `${at(20)}\tchanged\t${sample.task}\tresponsibleIds\t${before}\t${JSON.stringify([sample.ben, sample.ada])}\t${title}`,
    `${at(40)}\tchanged\t${sample.task}\ttitle\t${title}\tA\\tB\tA\\tB`,
  ]);
});

test('on a terminal each change is a sentence, with names in place of ids', async (context) => {
  const { watch, wm, respondWith } = await watchedTasks(context);
  const { streams } = createWorld();
  let shown = '';
  const ran = await watch(
    [title],
    [
      () => wm(['task', 'update', sample.task, '--add-responsibles', sample.ada, '--follow=false']),
      () => wm(['task', 'update', sample.task, '--title', 'Write \u001b[2J\nit']),
      () => wm(['task', 'update', sample.task, '--status', 'Completed']),
      () => respondWith((response) => fail(response, 404, 'resource_not_found')),
      () => respondWith(undefined),
    ],
    {
      streams: {
        ...streams,
        output: {
          ...streams.output,
          isTerminal: true,
          columns: 80,
          write: async (text) => {
            shown += text;
          },
        },
      },
    },
  );
  assert.equal(ran.status, 130, ran.errors);
  const changed = (seconds: number, name: string, changes: readonly string[]) =>
    changes.map((change) => `${at(seconds)}  ${name} (${sample.task}): ${change}`);
  assert.deepEqual(
    shown
      .trimEnd()
      .replace(/(?<=-> )\S+T\S+Z$/m, 'TIME')
      .split('\n'),
    [
      ...changed(10, title, [
        'assignees: Ben Okafor -> Ben Okafor, Ada Fields',
        'followers: Ada Fields -> (none)',
        'followed by you: true -> false',
      ]),
      ...changed(20, 'Write \ufffd[2J it', ['title: Write the launch page -> Write \ufffd[2J it']),
      ...changed(30, 'Write \ufffd[2J it', [
        'status: New (Active) -> Completed',
        'completedDate: (none) -> TIME',
      ]),
      ...changed(40, 'Write \ufffd[2J it', ['missing']),
      ...changed(50, 'Write \ufffd[2J it', ['back']),
    ],
  );
});

test('JSON: an object per change, with values as the service sent them; several tasks; the interval', async (context) => {
  const { watch, wm } = await watchedTasks(context, 5_000);
  const ran = await watch(
    [sample.task, sample.bug, '--json', '--interval', '5'],
    [() => wm(['task', 'update', sample.bug, '--follow=false'])],
  );
  assert.deepEqual(ran.waits, [5_000, 5_000]);
  const changes = ran.output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const common = { at: at(5), change: 'changed', id: sample.bug, title: 'The form loses its text' };
  assert.deepEqual(
    changes.filter(({ field }) => field === 'followedByMe'),
    [{ ...common, field: 'followedByMe', before: true, after: false }],
  );
  assert.ok(changes.every(({ field }) => field !== 'updatedDate'));
});

test('a failed read is a warning, and the next read comes later; a task that disappears and returns', async (context) => {
  const { watch, wm, respondWith } = await watchedTasks(context);
  const ran = await watch(
    [sample.task],
    [
      () => respondWith((response) => fail(response, 403, 'access_forbidden')),
      () => {},
      () => respondWith((response) => fail(response, 404, 'resource_not_found')),
      () => {},
      async () => {
        respondWith(undefined);
        await wm(['task', 'update', sample.task, '--status', 'Deferred']);
      },
    ],
  );
  assert.equal(ran.status, 130);
  assert.deepEqual(ran.waits, [10_000, 20_000, 40_000, 10_000, 10_000, 10_000]);
  assert.equal(
    ran.errors.match(/Cannot read the task: .*Next attempt in (20|40) s\./g)?.length,
    2,
    ran.errors,
  );
  assert.match(ran.errors, /^The service responds again\.$/m);
  assert.deepEqual(
    ran.output
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t').slice(0, 4).join(' ')),
    [
      `${at(70)} missing ${sample.task} `,
      `${at(90)} back ${sample.task} `,
      `${at(90)} changed ${sample.task} status`,
      `${at(90)} changed ${sample.task} customStatusId`,
    ],
  );
});

test('a rejected token is a warning, too', async (context) => {
  const { watch, respondWith } = await watchedTasks(context);
  const ran = await watch(
    [sample.task, sample.bug],
    [() => respondWith((response) => fail(response, 401, 'not_authorized'))],
  );
  assert.match(ran.errors, /Cannot read the tasks: The service responded with 401 .*Next attempt in 20 s\./);
  assert.deepEqual(ran.waits, [10_000, 20_000]);
});

test('a task that is missing at the start ends it', async (context) => {
  const { watch } = await watchedTasks(context);
  const ran = await watch([sample.task, 'IEAAAAAQKQAB5XXX'], []);
  assert.equal(ran.status, 5, ran.errors);
  assert.deepEqual(ran.waits, []);
});

test('ends once its output has no reader', async (context) => {
  const { watch, wm } = await watchedTasks(context);
  let isReaderGone = false;
  const silent = { isTerminal: false, columns: undefined, write: async () => {} };
  const { streams } = createWorld();
  const output = {
    ...streams.output,
    ...silent,
    get isReaderGone() {
      return isReaderGone;
    },
  };
  const ran = await watch(
    [sample.task],
    [
      async () => {
        await wm(['task', 'update', sample.task, '--importance', 'High']);
        isReaderGone = true;
      },
    ],
    { streams: { ...streams, output, errors: { ...streams.errors, ...silent } } },
  );
  assert.equal(ran.status, 0);
  assert.deepEqual(ran.waits, [10_000]);
});
