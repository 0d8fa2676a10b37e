// Compares a sink on three NATS servers with the local journal: deliveries per second, response times, and the processor time of each
// process, which shows what it could do with a core of its own. Then measures forwarding (sink-forwarding.mjs).

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { secret, send, start } from './listen.mjs';
import { inTurn, median, ratioOf } from './median.mjs';
import { startNatsServers } from './nats-servers.mjs';
import { watchProcessors } from './processor-time.mjs';
import { benchForwarding } from './sink-forwarding.mjs';

const load = { connections: 200, warmUpMs: 3_000, milliseconds: 5_000 };
const target = { two: 1.6, ofJournal: 0.5 };
const names = {
  journal: 'one receiver, journal',
  one: 'one receiver, three servers',
  two: 'two receivers, three servers',
  single: 'one receiver, one server',
};

/** Prints tables, and returns the missed targets. */
export async function benchSink({ builds, environment, rounds = 3 }) {
  const folder = mkdtempSync(join(tmpdir(), 'wm-bench-sink-'));
  const own = { ...environment, HOME: folder, WM_WEBHOOK_SECRET: secret };
  const wm = (...words) => [process.execPath, builds.wm, 'webhook', ...words];
  const createSink = async (url, ...words) => {
    const [command, ...rest] = wm('sink', 'create', url, ...words);
    const child = spawn(command, rest, { env: own, stdio: ['ignore', 'ignore', 'pipe'] });
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (piece) => {
      errors += piece;
    });
    if ((await once(child, 'close'))[0] !== 0) throw new Error(`The sink could not be created: ${errors}`);
  };
  const [cluster, single] = await Promise.all(
    [3, 1].map((count) => {
      const place = join(folder, `nats-${count}`);
      mkdirSync(place);
      return startNatsServers(place, count);
    }),
  );
  const urlOn = (servers, stream) => `nats://${servers.at}/${stream}`;
  let journals = 0;
  const results = Object.fromEntries(Object.keys(names).map((name) => [name, []]));
  const measure = async (name, servers, count, words) => {
    const receivers = await Promise.all(
      Array.from({ length: count }, () => start(wm('listen', '--port', '0', ...words), own)),
    );
    const sendTo = (milliseconds) =>
      Promise.all(receivers.map(({ port }) => send(port, milliseconds, undefined, load.connections / count)));
    await sendTo(load.warmUpMs);
    const pids = [...receivers.map(({ pid }) => pid), ...servers];
    const taken = watchProcessors(pids);
    const figures = await sendTo(load.milliseconds);
    const milliseconds = taken();
    const deliveries = sum(figures.map(({ count: own }) => own));
    const each = (some) => some.map((one) => (one * 1_000) / deliveries);
    const nats = each(milliseconds.slice(count)).toSorted((a, b) => b - a);
    results[name].push({
      perSecond: sum(figures.map(({ perSecond }) => perSecond)),
      p99: Math.max(...figures.map(({ p99 }) => p99)),
      wm: each(milliseconds.slice(0, count)),
      // The leader of the stream comes first: it takes the most time.
      nats,
      load: each(figures.map(({ processorMs }) => processorMs)),
      // With a core of its own, each receiver is limited only by its own time. The leader works for all of them.
      alone: Math.min(
        sum(figures.map(({ count: own }, at) => (own * 1_000) / milliseconds[at])),
        1e6 / (nats[0] ?? 0),
      ),
    });
    await Promise.all(receivers.map(({ stop }) => stop()));
  };
  // Nothing listens there, so deliveries wait in the journal: only receiving is measured.
  const journal = () => ['--journal', join(folder, `j${++journals}`), '--forward-to', 'http://127.0.0.1:1/'];
  const sink = ['--sink', urlOn(cluster, 'BENCH')];
  const missed = [];
  try {
    await createSink(urlOn(cluster, 'BENCH'));
    await createSink(urlOn(single, 'BENCH'));
    for (let round = 0; round < rounds; round++)
      await inTurn(round, [
        () => measure('journal', [], 1, journal()),
        () => measure('one', cluster.pids, 1, sink),
        () => measure('two', cluster.pids, 2, sink),
        () => measure('single', single.pids, 1, ['--sink', urlOn(single, 'BENCH')]),
      ]);
    missed.push(...report(results));
    await benchForwarding({ wm, environment: own, cluster, createSink, urlOn });
  } finally {
    await Promise.all([cluster.stop(), single.stop()]);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  return missed;
}

function report(results) {
  const cores = availableParallelism();
  process.stdout.write(
    `\nsink: deliveries stored a second with ${load.connections} connections, and microseconds of processor time for each (of ${cores} cores)\n`,
  );
  line('', ['a second', 'p99 ms', 'wm', 'nats', 'load', 'together', 'cores', 'alone']);
  for (const [name, words] of Object.entries(names)) {
    const figures = results[name];
    const perSecond = median(figures.map((one) => one.perSecond));
    const total = median(figures.map(together));
    line(words, [
      perSecond.toFixed(0),
      median(figures.map(({ p99 }) => p99)).toFixed(0),
      ...['wm', 'nats', 'load'].map((part) => medians(figures.map((one) => one[part]))),
      total.toFixed(0),
      median(figures.map((one) => (one.perSecond * together(one)) / 1e6)).toFixed(2),
      median(figures.map(({ alone }) => alone)).toFixed(0),
    ]);
  }
  process.stdout.write(
    '  cores: how many of them these processes kept busy; alone: what they would allow with a core for each, the load left out\n',
  );
  const perSecond = (name) => results[name].map((one) => one.perSecond);
  return [
    judge('two receivers, of one', target.two, ['two', 'one']),
    judge('one receiver, of the journal', target.ofJournal, ['one', 'journal']),
  ].filter((one) => one !== undefined);

  function judge(what, least, [mine, theirs]) {
    const here = ratioOf(perSecond(mine), perSecond(theirs));
    const apart = ratioOf(...[mine, theirs].map((name) => results[name].map(({ alone }) => alone)));
    const processes = processesOf(results[mine][0]);
    // With fewer cores than processes, the processes only take time from each other.
    const isShort = cores < processes;
    const isMet = here >= least || (isShort && apart >= least);
    const total = median(results[mine].map(together));
    process.stdout.write(
      `  ${what}: ${here.toFixed(2)} here, ${apart.toFixed(2)} with a core for each process (target ${least}): ${isMet ? 'met' : 'missed'}\n`,
    );
    if (here < least && isShort)
      process.stdout.write(
        `    ${processes} processes share ${cores} cores, which allow ${((cores * 1e6) / total).toFixed(0)} a second at ${total.toFixed(0)} µs each\n`,
      );
    return isMet ? undefined : `${what}: ${here.toFixed(2)}, target ${least}`;
  }
}

const processesOf = ({ wm, nats, load: loads }) => wm.length + nats.length + loads.length;
const sum = (numbers) => numbers.reduce((total, one) => total + one, 0);
const together = ({ wm, nats, load: loads }) => sum([...wm, ...nats, ...loads]);
/** Medians for the same process over several rounds. */
const medians = (rounds) =>
  rounds[0].map((_, at) => median(rounds.map((round) => round[at])).toFixed(0)).join('+') || '-';

function line(words, cells) {
  const widths = [9, 7, 8, 10, 7, 9, 6, 8];
  process.stdout.write(
    `  ${words.padEnd(29)}${cells.map((cell, at) => cell.padStart(widths[at])).join('')}\n`,
  );
}
