// Two receivers, four forwarders and three NATS servers under load, of which one is killed again and again: 18 times, or as many as
// SINK_KILLS says. SINK_KILL_SEED repeats one order. A kill is due after a number of deliveries, not after a time, and nothing waits for
// the one that was killed to be back: others are killed meanwhile. Only the servers go one at a time, because two of three are needed.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { createRandom, type Random } from '#test/support/random.ts';
import { freePort } from '#test/support/service/free-port.ts';
import { test } from './bounded.ts';
import type { NatsNode } from './nats-cluster.ts';
import type { RunningWm } from './running-wm.ts';
import { forwarderHeader, startLoad } from './sink-load.ts';
import { startTrial } from './trial.ts';

const rounds = Number(process.env['SINK_KILLS'] ?? 18);
const seed = Number(process.env['SINK_KILL_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const manyRounds = 100;
const limitMs = 60_000 + rounds * 10_000;
const partitions = 16;
/** At most so many are acknowledged and forwarded between two kills. */
const mostBetween = 40;

/** One of the nine, which is started again as soon as it is killed. */
interface Victim {
  readonly name: string;
  /** Resolves once it is back, and has something to lose. */
  working(): Promise<unknown>;
  kill(): Promise<void>;
}

test(
  `${rounds} kills around a sink: loses no acknowledged delivery, keeps the order of each task, and marks repeats`,
  async (t) => {
    const lines: string[] = [];
    const counts = await killAround(t, (line) => lines.push(line)).catch((error: unknown) => {
      process.stderr.write(`${lines.join('\n')}\n`);
      throw error;
    });
    process.stderr.write(`kills around a sink: ${JSON.stringify(counts)}\n`);
    assert.equal(counts.lost, 0);
    assert.equal(counts.outOfOrder, 0);
    const each = Object.values(counts.kills);
    assert.equal(each.length, 9);
    assert.ok(Math.max(...each) - Math.min(...each) <= 1, JSON.stringify(counts.kills));
    assert.equal(counts.unmarked, 0);
    // A kill of a forwarder, or of the server that leads a consumer, repeats at most what was on its way: one for each partition.
    const repeating = rounds - (counts.kills['receiver 0'] ?? 0) - (counts.kills['receiver 1'] ?? 0);
    assert.ok(counts.repeats <= repeating * partitions, JSON.stringify(counts));
    // That it is less than one for each forwarder takes many rounds to see.
    if (rounds >= manyRounds) assert.ok(counts.repeats <= counts.forwarderKills, JSON.stringify(counts));
  },
  limitMs,
);

async function killAround(t: TestContext, say: (line: string) => void) {
  const random = createRandom(seed);
  const start = performance.now();
  const trial = await startTrial(t, {}, ['--partitions', String(partitions)]);
  const ports = await Promise.all([freePort(), freePort()]);
  const load = await startLoad(ports, trial.said);
  /** All that were ever started. */
  const starts: Promise<unknown>[] = [];
  const noteStart = <T>(starting: Promise<T>): Promise<T> => {
    // It is awaited when its turn comes.
    starting.catch(() => {});
    starts.push(starting);
    return starting;
  };

  const victim = (
    name: string,
    begin: () => Promise<RunningWm>,
    hasWorked: () => boolean = () => true,
  ): Victim => {
    let current = noteStart(begin());
    return {
      name,
      async working() {
        await current;
        await load.until(`${name} works`, hasWorked);
      },
      async kill() {
        await (await current).kill();
        current = noteStart(begin());
      },
    };
  };
  const createReceiver = (port: number, at: number) =>
    victim(`receiver ${at}`, () =>
      trial.runs(new RegExp(`:${port}`), 'listen', '--port', String(port), '--sink', trial.sink),
    );
  const createForwarder = (at: number) => {
    let name = '';
    let generation = 0;
    const begin = () => {
      name = `f${at}-${generation++}`;
      return trial.forward(load.url, '--forward-header', `${forwarderHeader}: ${name}`);
    };
    return victim(`forwarder ${at}`, begin, () => load.sentBy(name) > 0);
  };
  let serverStarting: Promise<unknown> = Promise.resolve();
  const createServer = (node: NatsNode, at: number): Victim => ({
    name: `server ${at}`,
    working: () => serverStarting,
    async kill() {
      await node.kill();
      serverStarting = noteStart(node.start());
    },
  });

  try {
    const victims: readonly Victim[] = [
      ...ports.map(createReceiver),
      ...[0, 1, 2, 3].map(createForwarder),
      ...trial.cluster.nodes.map(createServer),
    ];
    const kills = Object.fromEntries(victims.map(({ name }) => [name, 0]));
    load.start();
    for (const victim of planKills(victims, random)) {
      await load.goOn(1 + random.below(mostBetween));
      await victim.working();
      await victim.kill();
      kills[victim.name] = (kills[victim.name] ?? 0) + 1;
      say(`${Math.round(performance.now() - start)} ms: ${victim.name}, ${load.acknowledged()} acknowledged`);
    }
    const counts = await load.finish();
    const seconds = Math.round((performance.now() - start) / 1_000);
    const ofForwarders = Object.entries(kills).filter(([name]) => name.startsWith('forwarder'));
    const forwarderKills = ofForwarders.reduce((sum, [, count]) => sum + count, 0);
    return { seed, rounds, seconds, kills, forwarderKills, ...counts };
  } finally {
    load.close();
    await Promise.allSettled(starts);
  }
}

/** In an order by chance, each as often as any other, or once more. */
function planKills(victims: readonly Victim[], random: Random): readonly Victim[] {
  const plan = Array.from({ length: rounds }, (_, round) => ({
    victim: victims[round % victims.length],
    at: random.below(2 ** 31),
  }));
  return plan.toSorted((a, b) => a.at - b.at).flatMap(({ victim }) => victim ?? []);
}
