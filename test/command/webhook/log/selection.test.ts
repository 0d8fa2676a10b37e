// What `wm webhook log` selects, whatever the journal: the same as a plain filter on the list of everything. And how little it decodes
// and reads for it.

import assert from 'node:assert/strict';
import { appendFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { JournalFull } from '../../../../src/receiver/delivery-journal.ts';
import { createFiles } from '../../../../src/world/files.ts';
import type { Files } from '../../../../src/world/world.ts';
import { createTestClock, noon } from '../../../clock.ts';
import { open, worldWith } from '../../../receiver/journal/journal-tools.ts';
import { sampleTarget } from '../../../receiver/samples.ts';
import { clockAt } from '../../emulated.ts';
import { handSignals } from '../../manual-signals.ts';
import {
  attempt,
  dead,
  failed,
  received,
  type WrittenJournal,
  writtenJournal,
} from '../deliveries/written-journal.ts';

const second = 1000;
const otherTarget = 'http://127.0.0.1:3001/"verdict":"dead"';
const states = ['waiting', 'retrying', 'forwarded', 'no-target', 'dead', 'replayed', 'unknown'] as const;

const step = fc.oneof(
  // The clock may be set back.
  fc.record({ what: fc.constant('delivery' as const), at: fc.nat(60), task: fc.nat(3) }),
  fc.record({
    what: fc.constantFrom('forwarded', 'retry', 'dead', 'dead-of-one', 'no-target', 'duplicate', 'replay'),
    of: fc.nat(),
    target: fc.constantFrom(sampleTarget, otherTarget),
  }),
);

const selection = fc.record(
  {
    state: fc.oneof(
      fc.constantFrom<(typeof states)[number][]>(['dead'], ['replayed'], ['waiting'], ['retrying', 'dead']),
      fc.subarray([...states], { minLength: 1 }),
    ),
    since: fc.nat(60),
    until: fc.nat(60),
    last: fc.integer({ min: 1, max: 20 }),
    task: fc.nat(3),
  },
  { requiredKeys: [] },
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Chosen = typeof selection extends fc.Arbitrary<infer T> ? T : never;

interface Listed {
  readonly sequence: number;
  readonly time: string;
  readonly ids: readonly string[];
  readonly state: (typeof states)[number];
}

const secondAt = (at: number) => `${new Date(noon + at * second).toISOString().slice(0, 19)}Z`;

async function write({ folder }: WrittenJournal, steps: readonly Step[], maxBytes: number) {
  const clock = createTestClock();
  const { journal } = await open(folder, { segmentBytes: 2000, maxBytes }, worldWith(undefined, clock));
  const ended = new Set<number>();
  let stored = 0;
  for (const one of steps) {
    if (one.what === 'delivery') {
      clock.advance(second);
      const delivery = received('TaskCreated', `A${one.task}`, { receivedAt: noon + one.at * second });
      const appended = await journal.append(delivery).catch(onlyIfFull);
      if (appended === undefined) break;
      stored = appended.sequence;
      continue;
    }
    if (stored === 0) continue;
    const sequence = 1 + (one.of % stored);
    const { target } = one;
    if (one.what === 'duplicate') journal.mark({ kind: 'duplicate', sequence, time: noon });
    else if (one.what === 'replay')
      await appendFile(
        join(folder, 'replays.ndjson'),
        `${JSON.stringify({ sequence, time: noon, target, outcome: '200', milliseconds: 1, verdict: 'forwarded' })}\n`,
      );
    // A listener makes no attempt after the last.
    else if (!ended.has(sequence)) {
      if (one.what !== 'retry' && one.what !== 'dead-of-one') ended.add(sequence);
      journal.mark(
        attempt(sequence, {
          target,
          ...{
            forwarded: {},
            retry: failed,
            dead,
            'dead-of-one': { ...dead, finishes: false },
            'no-target': { target: '', outcome: 'no-target' },
          }[one.what],
        }),
      );
    }
    await journal.written();
  }
  await journal.close();
}

/** A small journal that could drop nothing: what is in it is as good as any. */
function onlyIfFull(error: unknown): undefined {
  if (!(error instanceof JournalFull)) throw error;
}

function toFlags({ state, since, until, last, task }: Chosen): readonly string[] {
  return [
    ...(state === undefined ? [] : ['--state', state.join(',')]),
    ...(since === undefined ? [] : ['--since', secondAt(since)]),
    ...(until === undefined ? [] : ['--until', secondAt(until)]),
    ...(last === undefined ? [] : ['--last', String(last)]),
    ...(task === undefined ? [] : ['--task', `A${task}`]),
  ];
}

function select(all: readonly Listed[], { state, since, until, last, task }: Chosen) {
  const found = all.filter(
    (one) =>
      (state === undefined || state.includes(one.state)) &&
      (since === undefined || Date.parse(one.time) >= noon + since * second) &&
      (until === undefined || Date.parse(one.time) <= noon + until * second) &&
      (task === undefined || one.ids.includes(`A${task}`)),
  );
  return last === undefined ? found : found.slice(-last);
}

test('any selection from any journal is what a plain filter finds in the whole list', async (context) => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 20, maxLength: 60 }),
      fc.constantFrom(8000, 1_000_000),
      fc.array(selection, { minLength: 10, maxLength: 10 }),
      async (steps, maxBytes, selections) => {
        const written = await writtenJournal(context);
        await write(written, steps, maxBytes);
        const list = async (flags: readonly string[]): Promise<readonly Listed[]> => {
          const world = { clock: clockAt(noon + 3600 * second) };
          const { status, output, errors } = await written.wm(['webhook', 'log', ...flags, '--json'], {
            world,
          });
          assert.equal(status, 0, errors);
          return JSON.parse(output);
        };
        const all = await list([]);
        for (const chosen of selections) {
          // wm rejects such dates.
          if (chosen.since !== undefined && chosen.until !== undefined && chosen.until < chosen.since)
            continue;
          assert.deepEqual(await list(toFlags(chosen)), select(all, chosen), toFlags(chosen).join(' '));
          compared += 1;
        }
      },
    ),
    { numRuns: 12, endOnFailure: true },
  );
  context.diagnostic(`${compared} selections compared`);
});

/** Deliveries a second apart; those given are dead letters, after an attempt that failed, and all others are forwarded. */
async function finished(context: TestContext, count: number, deadOnes: readonly number[]) {
  const written = await writtenJournal(context);
  const clock = createTestClock();
  const { journal } = await open(written.folder, { segmentBytes: 32 * 1024 }, worldWith(undefined, clock));
  for (let from = 1; from <= count; from += 50) {
    const numbers = Array.from({ length: 50 }, (_, index) => from + index);
    await Promise.all(
      numbers.map((number) =>
        journal.append(received('TaskCreated', `A${number}`, { receivedAt: noon + number * second })),
      ),
    );
    for (const number of numbers) {
      if (deadOnes.includes(number)) journal.mark(attempt(number, failed));
      journal.mark(attempt(number, deadOnes.includes(number) ? { ...dead, attempt: 2 } : {}));
    }
    await journal.written();
    clock.advance(50 * second);
  }
  await journal.close();
  return written;
}

/** How often a body becomes text, which is the first step to read its events. */
async function countDecoded(context: TestContext, read: () => Promise<unknown>): Promise<number> {
  const { mock } = context.mock.method(TextDecoder.prototype, 'decode');
  await read();
  const count = mock.callCount();
  mock.restore();
  return count;
}

test('only what may be selected is decoded: dead letters, what waits, a time, a range', async (context) => {
  const count = 1000;
  const { wm, folder } = await finished(context, count, [40, 700]);
  await writeFile(join(folder, 'replays.ndjson'), '');
  const target = ['--forward-to', 'http://127.0.0.1:9/', '--dry-run'];
  const list = (...typed: readonly string[]) =>
    countDecoded(context, async () => {
      const { status, errors } = await wm(['webhook', ...typed], {
        world: { clock: clockAt(noon + 3600 * second) },
      });
      assert.equal(status, 0, errors);
    });
  assert.ok((await list('log')) >= count, 'decoding is not counted');
  for (const [typed, most] of [
    [['log', '--dead-letters'], 2],
    [['log', '--state', 'dead,retrying'], 2],
    [['log', '--state', 'waiting'], 0],
    [['log', '--stuck'], 2],
    [['log', '--since', secondAt(990)], 11],
    [['log', '--until', secondAt(10)], 10],
    [['log', '--last', '3', '--until', secondAt(990)], 190],
    [['replay', '--dead-letters', ...target], 2],
  ] as const) {
    const decoded = await list(...typed);
    // Some for other files.
    assert.ok(decoded <= most + 50, `${typed.join(' ')}: ${decoded} decoded, ${most} expected`);
  }
});

test('--follow decodes what it lists once', async (context) => {
  const count = 1000;
  const { wm } = await finished(context, count, [40, 700]);
  for (const [typed, most] of [
    [[], count],
    [['--dead-letters'], 2 + 2],
  ] as const) {
    const signals = handSignals();
    // The journal has been read to its end.
    const sleep = async (milliseconds: number) => {
      if (milliseconds === 200) signals.interrupt();
      return new Promise<void>(() => {});
    };
    const decoded = await countDecoded(context, async () => {
      const { status, errors } = await wm(['webhook', 'log', '--follow', ...typed], {
        world: {
          clock: { ...clockAt(noon + 3600 * second), sleep },
          process: { ...signals.process, self: ['node'] },
        },
      });
      assert.equal(status, 130, errors);
    });
    assert.ok(decoded <= most + 50, `${typed.join(' ')}: ${decoded} decoded, ${most} expected`);
  }
});

test('what lies before the last few, before a date, or before a range, is not read', async (context) => {
  const count = 1000;
  const { wm, home } = await finished(context, count, []);
  const read = async (...typed: readonly string[]) => {
    const files = createFiles({ WM_CONFIG_DIR: home }, process.platform);
    const opened = new Set<string>();
    const openForReading: Files['openForReading'] = (path) => {
      if (path.endsWith('.journal')) opened.add(basename(path));
      return files.openForReading(path);
    };
    const { status, errors } = await wm(['webhook', 'log', ...typed], {
      world: { clock: clockAt(noon + 3600 * second), files: { ...files, openForReading } },
    });
    assert.equal(status, 0, errors);
    return opened;
  };
  const all = (await read()).size;
  assert.ok(all >= 10, `${all} segments`);
  for (const typed of [
    ['--last', '3'],
    ['--since', secondAt(950)],
    ['--since', secondAt(950), '--state', 'forwarded'],
    ['950-960'],
    ['1-760', '--last', '3', '--state', 'forwarded'],
  ]) {
    const opened = await read(...typed);
    assert.ok(opened.size <= all / 2, `${typed.join(' ')}: ${opened.size} of ${all} segments`);
  }
});
