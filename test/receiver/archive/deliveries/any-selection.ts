// Any selection by `wm webhook log` from any journal is compared with a plain filter on the list of everything.

import assert from 'node:assert/strict';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { JournalFull } from '#receiver/core/intake/delivery-journal.ts';
import { sampleTarget } from '#test/receiver/core/intake/samples.ts';
import { open, worldWith } from '#test/receiver/core/journal/journal-tools.ts';
import { createTestClock, noon } from '#test/support/clock.ts';
import { clockAt } from '#test/support/program/emulated.ts';
import { attempt, dead, failed, received, type WrittenJournal, writtenJournal } from './written-journal.ts';

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
  for (const step of steps) {
    if (step.what === 'delivery') {
      clock.advance(second);
      const delivery = received('TaskCreated', `A${step.task}`, { receivedAt: noon + step.at * second });
      const appended = await journal.append(delivery).catch(onlyIfFull);
      if (appended === undefined) break;
      stored = appended.sequence;
      continue;
    }
    if (stored === 0) continue;
    const sequence = 1 + (step.of % stored);
    const { target } = step;
    if (step.what === 'duplicate') journal.record({ kind: 'duplicate', sequence, time: noon });
    else if (step.what === 'replay')
      await appendFile(
        join(folder, 'replays.ndjson'),
        `${JSON.stringify({ sequence, time: noon, target, outcome: '200', milliseconds: 1, verdict: 'forwarded' })}\n`,
      );
    // A listener makes no attempt after the last.
    else if (!ended.has(sequence)) {
      if (step.what !== 'retry' && step.what !== 'dead-of-one') ended.add(sequence);
      journal.record(
        attempt(sequence, {
          target,
          ...{
            forwarded: {},
            retry: failed,
            dead,
            'dead-of-one': { ...dead, finishes: false },
            'no-target': { target: '', outcome: 'no-target' },
          }[step.what],
        }),
      );
    }
    await journal.flush();
  }
  await journal.close();
}

/** A small journal that could drop nothing: what is in it is as good as any. */
function onlyIfFull(error: unknown): undefined {
  if (!(error instanceof JournalFull)) throw error;
}

function toFlags({ state, since, until, last, task }: Chosen): string {
  const flags = [
    state && `--state ${state}`,
    since !== undefined && `--since ${secondAt(since)}`,
    until !== undefined && `--until ${secondAt(until)}`,
    last !== undefined && `--last ${last}`,
    task !== undefined && `--task A${task}`,
  ];
  return flags.filter(Boolean).join(' ');
}

function select(all: readonly Listed[], { state, since, until, last, task }: Chosen) {
  const found = all.filter(
    (delivery) =>
      (state === undefined || state.includes(delivery.state)) &&
      (since === undefined || Date.parse(delivery.time) >= noon + since * second) &&
      (until === undefined || Date.parse(delivery.time) <= noon + until * second) &&
      (task === undefined || delivery.ids.includes(`A${task}`)),
  );
  return last === undefined ? found : found.slice(-last);
}

export function testSelection(numRuns: number) {
  test('any selection from any journal equals a plain filter of the whole list', async (context) => {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 20, maxLength: 60 }),
        fc.constantFrom(8000, 1_000_000),
        fc.array(selection, { minLength: 10, maxLength: 10 }),
        async (steps, maxBytes, selections) => {
          const written = await writtenJournal(context);
          await write(written, steps, maxBytes);
          const world = { clock: clockAt(noon + 3600 * second) };
          const list = async (flags: string): Promise<readonly Listed[]> => {
            const { status, output, errors } = await written.wm(`webhook log ${flags} --json`, { world });
            assert.equal(status, 0, errors);
            return JSON.parse(output);
          };
          const all = await list('');
          for (const chosen of selections) {
            // wm rejects such dates.
            if (chosen.since !== undefined && chosen.until !== undefined && chosen.until < chosen.since)
              continue;
            assert.deepEqual(await list(toFlags(chosen)), select(all, chosen), toFlags(chosen));
            compared += 1;
          }
        },
      ),
      { numRuns, endOnFailure: true },
    );
    context.diagnostic(`${compared} selections compared`);
  });
}
