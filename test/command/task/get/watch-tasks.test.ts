// `wm task get --watch`, whose clock the test moves: at each wait the test changes the task, and the next read sees it.

import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { sample } from '../../../../src/emulator/state/sample-ids.ts';
import type { World } from '../../../../src/world/world.ts';
import { createTestClock, noon } from '../../../clock.ts';
import { emulated } from '../../emulated.ts';
import { fail, inFront } from '../../intercept.ts';
import { handSignals } from '../../manual-signals.ts';

type Step = () => unknown;

/** Each step happens in one wait between two reads; in the wait after the last one the user presses Ctrl-C. */
async function watched(context: TestContext, intervalMs = 10_000) {
  const all = await emulated(context);
  let answer: ((response: ServerResponse) => true) | undefined;
  const host = await inFront(
    context,
    all.environment['WM_HOST'],
    (_request, response) => answer?.(response) ?? false,
  );
  return {
    ...all,
    respond(to: typeof answer) {
      answer = to;
    },
    async watch(typed: readonly string[], steps: readonly Step[], more: Partial<World> = {}) {
      const signals = handSignals();
      const left = [...steps];
      const waits: number[] = [];
      const clock = createTestClock((milliseconds) => {
        // Retries of one request wait for less.
        if (milliseconds < intervalMs) return clock.advance(milliseconds);
        waits.push(milliseconds);
        const step = left.shift();
        if (!step) return signals.interrupt();
        void Promise.resolve(step()).then(() => clock.advance(milliseconds));
      });
      const ran = await all.wm(['task', 'get', '--watch', ...typed], {
        environment: { WM_HOST: host },
        world: { clock, process: { ...signals.process, self: ['node'] }, ...more },
      });
      return { ...ran, waits };
    },
  };
}

const at = (seconds: number) => new Date(noon + seconds * 1000).toISOString();
const title = 'Write the launch page';

test('a line for each member that changed; nothing where nothing did', async (context) => {
  const { watch, wm } = await watched(context);
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
  assert.deepEqual(ran.waits, [10_000, 10_000, 10_000, 10_000, 10_000]);
  const before = JSON.stringify([sample.ben]);
  assert.deepEqual(ran.output.trimEnd().split('\n'), [
    `${at(20)}\tchanged\t${sample.task}\timportance\tNormal\tHigh\t${title}`,
    `${at(20)}\tchanged\t${sample.task}\tresponsibleIds\t${before}\t${JSON.stringify([sample.ben, sample.ada])}\t${title}`,
    `${at(40)}\tchanged\t${sample.task}\ttitle\t${title}\tA\\tB\tA\\tB`,
  ]);
});

test('JSON: an object for each change, its values as the service sent them; several tasks; the interval', async (context) => {
  const { watch, wm } = await watched(context, 5_000);
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

test('a read that fails is a warning, and the next one comes later; a task that is gone, and back', async (context) => {
  const { watch, wm, respond } = await watched(context);
  const ran = await watch(
    [sample.task],
    [
      () => respond((response) => fail(response, 403, 'access_forbidden')),
      () => {},
      () => respond((response) => fail(response, 404, 'resource_not_found')),
      () => {},
      async () => {
        respond(undefined);
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

test('a task that is not there at first ends it', async (context) => {
  const { watch } = await watched(context);
  const ran = await watch([sample.task, 'IEAAAAAQKQAB5XXX'], []);
  assert.equal(ran.status, 5, ran.errors);
  assert.deepEqual(ran.waits, []);
});

test('it ends once nobody reads its output', async (context) => {
  const { watch, wm } = await watched(context);
  let isReaderGone = false;
  const silent = { isTerminal: false, columns: undefined, write: async () => {} };
  const { streams } = (await import('../../../../src/world/create-world.ts')).createWorld();
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
