// Two receivers, four forwarders and three NATS servers under load, of which one is killed again and again. Counts what was lost,
// what came out of order, and what came twice. A kill is due after a number of deliveries, not after a time, and nothing waits for
// the one that was killed to be back: others are killed meanwhile. Only the servers go one at a time, because two of three are needed.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import { planKills, randomFrom } from './kill-plan.ts';
import { type NatsNode, startCluster } from './nats-cluster.ts';
import { type RunningWm, run, wm } from './running-wm.ts';
import { forwarderHeader, type LoadCounts, startLoad } from './sink-load.ts';

export interface SinkKillCounts extends LoadCounts {
  readonly seed: number;
  readonly rounds: number;
  readonly seconds: number;
  /** Of each of the nine. */
  readonly kills: Readonly<Record<string, number>>;
  readonly forwarderKills: number;
}

export const partitions = 16;
/** At most so many are acknowledged and forwarded between two kills. */
const mostBetween = 40;

/** One of the nine, which is started again as soon as it is killed. */
interface Victim {
  readonly name: string;
  /** Resolves once it is back, and has something to lose. */
  working(): Promise<unknown>;
  kill(): Promise<void>;
}

export async function killAround(
  rounds: number,
  seed = Math.floor(Math.random() * 2 ** 31),
  say: (line: string) => void = () => {},
): Promise<SinkKillCounts> {
  const random = randomFrom(seed);
  const start = performance.now();
  const folder = await mkdtemp(join(tmpdir(), 'wm-sink-'));
  const cluster = await startCluster({ folder });
  const sink = `nats://${cluster.addresses}/TRIAL`;
  const place = { home: folder };
  const running = new Set<RunningWm>();
  /** All that were ever started. */
  const starts: Promise<unknown>[] = [];

  let forwarderKills = 0;
  const ports = await Promise.all([freePort(), freePort()]);
  const load = await startLoad({
    ports,
    said: () => [...running].map((program) => program.errors().slice(-1_000)).join('\n'),
  });

  const victim = (name: string, begin: () => Promise<RunningWm>, hasWorked: () => boolean): Victim => {
    const again = () => {
      const starting = begin().then((program) => {
        running.add(program);
        return program;
      });
      // It is awaited when its turn comes.
      starting.catch(() => {});
      starts.push(starting);
      return starting;
    };
    let current = again();
    return {
      name,
      async working() {
        await current;
        await load.until(`${name} works`, hasWorked);
      },
      async kill() {
        const program = await current;
        await program.kill();
        running.delete(program);
        current = again();
      },
    };
  };
  const createReceiver = (port: number, at: number) =>
    victim(
      `receiver ${at}`,
      () => run(['webhook', 'listen', '--port', String(port), '--sink', sink], new RegExp(`:${port}`), place),
      () => true,
    );
  const createForwarder = (at: number) => {
    let name = '';
    let generation = 0;
    const begin = () => {
      name = `f${at}-${generation++}`;
      const words = [
        '--sink',
        sink,
        '--forward-to',
        load.url,
        '--forward-header',
        `${forwarderHeader}: ${name}`,
      ];
      return run(['webhook', 'forward', ...words], /Forwarding from/, place);
    };
    const own = victim(`forwarder ${at}`, begin, () => load.sentBy(name) > 0);
    const kill = () => {
      forwarderKills++;
      return own.kill();
    };
    return { ...own, kill };
  };
  let serverStarting: Promise<unknown> = Promise.resolve();
  const createServer = (node: NatsNode, at: number): Victim => ({
    name: `server ${at}`,
    working: () => serverStarting,
    async kill() {
      await node.kill();
      serverStarting = node.start();
      serverStarting.catch(() => {});
    },
  });

  try {
    const created = await wm(['webhook', 'sink', 'create', sink, '--partitions', String(partitions)], place);
    if (created.status !== 0) throw new Error(created.errors);
    const victims: readonly Victim[] = [
      ...ports.map(createReceiver),
      ...[0, 1, 2, 3].map(createForwarder),
      ...cluster.nodes.map(createServer),
    ];
    const kills = Object.fromEntries(victims.map(({ name }) => [name, 0]));
    load.start();
    for (const chosen of planKills(rounds, victims.length, random)) {
      const victim = victims[chosen];
      if (!victim) continue;
      const deliveryCount = 1 + Math.floor(random() * mostBetween);
      const [stored, forwarded] = [load.acknowledged() + deliveryCount, load.forwarded() + deliveryCount];
      await load.until(
        `${deliveryCount} more are stored and forwarded`,
        () => load.acknowledged() >= stored && load.forwarded() >= forwarded,
      );
      await victim.working();
      await victim.kill();
      kills[victim.name] = (kills[victim.name] ?? 0) + 1;
      say(`${Math.round(performance.now() - start)} ms: ${victim.name}, ${load.acknowledged()} acknowledged`);
    }
    const counts = await load.finish();
    const seconds = Math.round((performance.now() - start) / 1_000);
    return { seed, rounds, seconds, kills, forwarderKills, ...counts };
  } finally {
    load.close();
    await Promise.allSettled([...starts, serverStarting]);
    await Promise.all([...running].map((program) => program.kill()));
    await cluster.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
