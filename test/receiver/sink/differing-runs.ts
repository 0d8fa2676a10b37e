// Random deliveries to servers whose copies differ, which move, freeze and lose consumers, and forwarders that end and start meanwhile.
// Checks at the end what forwarding from a sink promises.

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createDifferingBench, partitions } from './differing-bench.ts';
import type { InCopy } from './differing-servers.ts';

const partition = fc.nat({ max: partitions - 1 });
const inCopy = fc.constantFrom<InCopy>('there', 'there', 'there', 'missing', 'other', 'of another partition');
/** Seconds before it. */
const after = fc.constantFrom(0, 0, 0.25, 1, 12);
const event = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('store' as const),
      partition,
      isForTarget: fc.constantFrom(true, true, true, false),
      copies: fc.tuple(inCopy, inCopy, inCopy),
      after,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('move' as const), partition, to: fc.nat({ max: 2 }), after }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('again' as const),
      partition,
      count: fc.nat({ max: 5 }),
      after,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('stale' as const), seconds: fc.constantFrom(1, 5, 12), after }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('elect' as const),
      seconds: fc.constantFrom(0.5, 1, 5),
      unknown: fc.integer({ min: 1, max: 6 }),
      after,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('restart' as const), at: fc.nat({ max: 2 }), after }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('freeze' as const),
      servers: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
      after,
    }),
  },
);
const plans = fc.record({
  forwarders: fc.integer({ min: 1, max: 3 }),
  /** Of a hundred messages on the way, so many are lost: which, the rest says. */
  lost: fc.constantFrom(0, 3, 10),
  dice: fc.infiniteStream(fc.nat({ max: 99 })),
  keepsInFlight: fc.boolean(),
  electionMs: fc.constantFrom(0, 500),
  verdicts: fc.array(fc.constantFrom('forwarded' as const, 'forwarded' as const, 'retry' as const), {
    maxLength: 8,
  }),
  takes: fc.array(fc.constantFrom(0, 0, 100, 2_600, 7_000, 12_000), { maxLength: 8 }),
  events: fc.array(event, { minLength: 2, maxLength: 16 }),
});
type Plan = typeof plans extends fc.Arbitrary<infer T> ? T : never;

interface Counts {
  runs: number;
  deliveries: number;
  attempts: number;
}

/** Rejects at the first broken promise; what was tried, for people. */
export async function tryDifferingCopies(numRuns: number): Promise<string> {
  const counts: Counts = { runs: 0, deliveries: 0, attempts: 0 };
  await fc.assert(
    fc.asyncProperty(plans, (plan) => run(plan, counts)),
    { numRuns, includeErrorInReport: true },
  );
  const { runs, deliveries, attempts } = counts;
  return `${runs} runs, ${deliveries} deliveries, ${attempts} attempts; 0 lost, 0 out of order`;
}

async function run(
  { forwarders, lost, dice, keepsInFlight, electionMs, verdicts, takes, events }: Plan,
  counts: Counts,
) {
  const bench = createDifferingBench();
  const { servers, clock } = bench;
  const rolls = dice[Symbol.iterator]();
  assert.equal(await bench.ensure(), undefined);
  const running = Array.from({ length: forwarders }, () => bench.start());
  await bench.pass(6);
  Object.assign(servers.trouble, {
    keepsInFlight,
    electionMs,
    isLost: () => lost > 0 && Number(rolls.next().value) < lost,
  });
  bench.verdicts.push(...verdicts);
  bench.takes.push(...takes);
  const wanted: string[][] = Array.from({ length: partitions }, () => []);
  let stored = 0;
  for (const one of events) {
    await bench.pass(one.after);
    if (one.kind === 'store') {
      const key = `k${++stored}`;
      bench.store(key, one);
      if (one.isForTarget) wanted[one.partition]?.push(key);
    } else if (one.kind === 'move') servers.move(bench.consumer(one.partition), one.to);
    else if (one.kind === 'again') servers.handOutAgain(bench.consumer(one.partition), one.count);
    else if (one.kind === 'freeze') servers.trouble.frozen = one.servers;
    else if (one.kind === 'elect') servers.elect(one.unknown, one.seconds);
    else if (one.kind === 'stale') {
      const until = clock.monotonic() + one.seconds * 1_000;
      servers.trouble.stale = { until, messages: Math.max(0, stored - 1) };
    } else if (running[one.at]) {
      const [old] = running.splice(one.at, 1, bench.start());
      void old?.stop();
    }
  }
  servers.trouble.isLost = () => false;
  const all = wanted.flat();
  for (let round = 0; round < 180 && !all.every((key) => bench.taken.has(key)); round++) await bench.pass(10);
  await bench.pass(30);
  for (const one of running) void one.stop();
  assert.deepEqual(bench.overlaps, []);
  const keys = bench.sent.map(({ key }) => key);
  for (const ofPartition of wanted) {
    const sent = keys.filter((key) => ofPartition.includes(key));
    assert.deepEqual(
      sent.filter((key, at) => key !== sent[at - 1]),
      ofPartition,
    );
  }
  // Beyond those that failed, each one once.
  const failed = verdicts.slice(0, keys.length).filter((verdict) => verdict !== 'forwarded').length;
  assert.equal(keys.length, all.length + failed, keys.join(' '));
  counts.runs += 1;
  counts.deliveries += all.length;
  counts.attempts += keys.length;
}
