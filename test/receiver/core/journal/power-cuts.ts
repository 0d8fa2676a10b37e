// Random receivers that are killed, or whose power fails, at a random change of the disk, again and again: what they acknowledged is compared with
// what the journal holds in the end.

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createMemoryDisk } from '#test/support/disk/memory-disk.ts';
import { sampleAttempt as attempt } from '../intake/samples.ts';
import { delivery, unfinished } from './journal-tools.ts';
import { chooseUnsynced, startRun } from './power.ts';

type Action =
  /** Stores so many new deliveries at once. */
  | { readonly append: number }
  /** Sends one again that was sent before. */
  | { readonly repeat: number }
  /** Finishes one of those that are stored. */
  | { readonly finish: number }
  | { readonly advance: number }
  /** Waits until all is stored that was sent. */
  | { readonly settle: true };

interface Round {
  readonly actions: readonly Action[];
  readonly lastStep: number;
  /** The machine goes on: what was not synced is there for the next process, until the power fails. */
  readonly isKill: boolean;
  readonly seed: readonly number[];
}

const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 6 }).map((append) => ({ append })) },
  { weight: 1, arbitrary: fc.nat(1000).map((repeat) => ({ repeat })) },
  { weight: 3, arbitrary: fc.nat(1000).map((finish) => ({ finish })) },
  { weight: 1, arbitrary: fc.constant({ advance: 1500 }) },
  { weight: 3, arbitrary: fc.constant({ settle: true } as const) },
);
const round: fc.Arbitrary<Round> = fc.record({
  actions: fc.array(action, { minLength: 1, maxLength: 25 }),
  lastStep: fc.integer({ min: 1, max: 60 }),
  isKill: fc.boolean(),
  seed: fc.array(fc.nat(10_000), { minLength: 8, maxLength: 8 }),
});

export interface Counts {
  runs: number;
  cuts: number;
  kills: number;
  acknowledged: number;
  finished: number;
  segments: number;
}

export async function tryPowerCuts(runs: number, seed?: number): Promise<Counts> {
  const counts: Counts = { runs: 0, cuts: 0, kills: 0, acknowledged: 0, finished: 0, segments: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 4 }), (rounds) => tryRounds(rounds, counts)),
    { numRuns: runs, ...(seed === undefined ? {} : { seed }) },
  );
  return counts;
}

async function tryRounds(rounds: readonly Round[], counts: Counts): Promise<void> {
  counts.runs += 1;
  const disk = createMemoryDisk();
  const options = { segmentBytes: 1200 };
  let sent = 0;
  /** Sequence numbers by number of the delivery, and the reverse. */
  const acknowledged = new Map<number, number>();
  const marked = new Set<number>();
  /** Finished, and the disk said later that all was synced. */
  const surelyFinished = new Set<number>();
  for (const { actions, lastStep, isKill, seed } of rounds) {
    const run = startRun(disk, lastStep);
    /** Marked in this run. */
    const noted = new Set<number>();
    const script = async () => {
      const { journal } = await run.open(options);
      const waiting = new Set<Promise<unknown>>();
      const store = (number: number) => {
        const before = [...noted];
        const storing = journal.append(delivery(number)).then(
          ({ sequence, isDuplicate }) => {
            if (run.isOff()) return;
            const known = acknowledged.get(number);
            assert.ok(known === undefined || known === sequence, `#${sequence} was #${known}`);
            acknowledged.set(number, sequence);
            // A duplicate of what is on the disk already needs no sync.
            if (!isDuplicate) for (const sequence of before) surelyFinished.add(sequence);
          },
          () => {},
        );
        waiting.add(storing.finally(() => waiting.delete(storing)));
      };
      for (const action of actions) {
        if (run.isOff()) return;
        if ('append' in action) for (let count = 0; count < action.append; count += 1) store(++sent);
        else if ('repeat' in action && sent > 0) store((action.repeat % sent) + 1);
        else if ('finish' in action) {
          const sequences = [...acknowledged.values()];
          const sequence = sequences[action.finish % sequences.length];
          if (sequence === undefined) continue;
          journal.record(attempt(sequence));
          marked.add(sequence);
          noted.add(sequence);
        } else if ('advance' in action) run.clock.advance(action.advance);
        else await Promise.all(waiting);
      }
      await Promise.all(waiting);
      await journal.close();
      if (!run.isOff()) for (const sequence of noted) surelyFinished.add(sequence);
    };
    await Promise.race([script(), run.failed]);
    if (isKill) {
      if (run.isOff()) counts.kills += 1;
      continue;
    }
    if (run.isOff()) counts.cuts += 1;
    let at = 0;
    const numbers = () => seed[at++ % seed.length] ?? 0;
    disk.restart(run.isOff() ? chooseUnsynced(numbers) : 'kept');
  }

  const last = startRun(disk);
  const { journal } = await last.open(options);
  const remaining = await unfinished(journal);
  const sequences = remaining.map(({ sequence }) => sequence);
  assert.deepEqual(
    sequences,
    sequences.toSorted((a, b) => a - b),
    'in order',
  );
  const bodies = remaining.map(({ body }) => Buffer.from(body).toString());
  assert.equal(new Set(bodies).size, bodies.length, 'none twice');
  for (const [number, sequence] of acknowledged) {
    const stored = await journal.read(sequence);
    assert.deepEqual(stored && Buffer.from(stored.body), delivery(number).body, `#${sequence} is there`);
    assert.ok(sequences.includes(sequence) || marked.has(sequence), `#${sequence} is unfinished`);
    const again = await journal.append(delivery(number));
    assert.deepEqual(again, { sequence, isDuplicate: true });
  }
  for (const sequence of surelyFinished)
    assert.ok(!sequences.includes(sequence), `#${sequence} stays finished`);
  await journal.close();
  counts.acknowledged += acknowledged.size;
  counts.finished += surelyFinished.size;
  counts.segments += [...disk.files().keys()].filter((path) => path.endsWith('.journal')).length;
}
