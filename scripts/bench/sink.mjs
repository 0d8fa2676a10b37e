// Compares a sink on three NATS servers with the local journal: deliveries per second, response times, and the processor time of each
// process, which shows what it could do with a core of its own.

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { median, ratioOf, runNode, secret, send, takeRounds } from './compare.mjs';

const connections = 200;
/** Of two receivers to one, and of one receiver to the journal. */
const targets = [
  ['two receivers, three servers', 'one receiver, three servers', 1.6],
  ['one receiver, three servers', 'one receiver, journal', 0.5],
];

/** Prints tables, and returns the missed targets. */
export async function benchSink(bench) {
  const { builds, environment, folder, start, rounds = 3 } = bench;
  const env = { ...environment, HOME: folder, WM_WEBHOOK_SECRET: secret };
  const wm = [builds.wm, 'webhook'];
  const [cluster, single] = await Promise.all([3, 1].map((count) => startNats(bench, count)));
  const urlOn = (servers) => `nats://${servers.at}/BENCH`;
  for (const servers of [cluster, single]) await runNode([...wm, 'sink', 'create', urlOn(servers)], env);

  const measure = async (count, servers, words) => {
    const receivers = await Promise.all(
      Array.from({ length: count }, () =>
        start([process.execPath, ...wm, 'listen', '--port', '0', ...words], env),
      ),
    );
    const sendFor = (milliseconds) =>
      Promise.all(receivers.map(({ port }) => send(port, milliseconds, connections / count)));
    await sendFor(3_000);
    const taken = watchProcessors([...receivers, ...servers].map(({ pid }) => pid));
    const figures = await sendFor(5_000);
    const milliseconds = taken();
    const deliveries = sum(figures.map((one) => one.count));
    const each = (some) => some.map((one) => (one * 1_000) / deliveries);
    // The leader of the stream comes first: it takes the most time, and works for all receivers.
    const nats = each(milliseconds.slice(count)).toSorted((a, b) => b - a);
    await Promise.all(receivers.map(({ stop }) => stop()));
    return {
      perSecond: sum(figures.map((one) => one.perSecond)),
      p99: Math.max(...figures.map((one) => one.p99)),
      parts: [each(milliseconds.slice(0, count)), nats, each(figures.map((one) => one.processorMs))],
      alone: Math.min(
        sum(figures.map((one, at) => (one.count * 1_000) / milliseconds[at])),
        1e6 / (nats[0] ?? 0),
      ),
    };
  };
  let journals = 0;
  // Nothing listens there, so deliveries wait in the journal: only receiving is measured.
  const journal = () => ['--journal', join(folder, `j${++journals}`), '--forward-to', 'http://127.0.0.1:1/'];
  const runs = {
    'one receiver, journal': () => measure(1, [], journal()),
    'one receiver, three servers': () => measure(1, cluster.servers, ['--sink', urlOn(cluster)]),
    'two receivers, three servers': () => measure(2, cluster.servers, ['--sink', urlOn(cluster)]),
    'one receiver, one server': () => measure(1, single.servers, ['--sink', urlOn(single)]),
  };
  const taken = await takeRounds(rounds, Object.values(runs));
  const results = new Map(Object.keys(runs).map((name, at) => [name, taken[at]]));
  return report(results);
}

function report(results) {
  process.stdout.write(
    `\nsink: deliveries stored a second with ${connections} connections, and microseconds of processor time for each; alone: with a core for each process, the load left out\n`,
  );
  const printLine = (cells) =>
    process.stdout.write(`  ${cells.map((cell, at) => cell.padEnd(at === 0 ? 30 : 11)).join('')}\n`);
  printLine(['', 'a second', 'p99 ms', 'wm', 'nats', 'load', 'together', 'alone']);
  for (const [name, figures] of results) {
    const middle = (of) => median(figures.map(of)).toFixed(0);
    // Of each process over the rounds.
    const parts = figures[0].parts.map((processes, part) =>
      processes.map((_, at) => middle((one) => one.parts[part][at])).join('+'),
    );
    const together = middle(({ parts }) => sum(parts.flat()));
    const rates = [middle(({ perSecond }) => perSecond), middle(({ p99 }) => p99)];
    printLine([name, ...rates, ...parts, together, middle(({ alone }) => alone)]);
  }
  return targets.flatMap(([mine, theirs, least]) => {
    const [here, apart] = ['perSecond', 'alone'].map((what) =>
      ratioOf(...[mine, theirs].map((name) => results.get(name).map((one) => one[what]))),
    );
    const line = `${mine}, of ${theirs}: ${here.toFixed(2)} here, ${apart.toFixed(2)} with a core for each process (target ${least})`;
    process.stdout.write(`  ${line}\n`);
    return Math.max(here, apart) < least ? [line] : [];
  });
}

const sum = (numbers) => numbers.reduce((total, one) => total + one, 0);

/** Returns a function that says how many milliseconds each process has taken since, as Linux counts it, in ticks of 10 ms. */
function watchProcessors(pids) {
  const count = (pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  };
  const before = pids.map(count);
  return () => pids.map((pid, at) => count(pid) - before[at]);
}

async function freeHost() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return `127.0.0.1:${port}`;
}

/** Starts NATS servers with JetStream in one cluster. `at`: the hosts of a sink's URL. */
async function startNats({ start, environment, folder }, count) {
  const numbers = Array.from({ length: count }, (_, at) => at);
  const hosts = await Promise.all(numbers.map(freeHost));
  const routes = await Promise.all(numbers.map(async () => `nats://${await freeHost()}`));
  const servers = await Promise.all(
    numbers.map((at) => {
      const [address, port] = hosts[at].split(':');
      const own = ['--addr', address, '--port', port, '--server_name', `n${at}`];
      const stream = ['--jetstream', '--store_dir', join(folder, `nats-${count}-${at}`)];
      const cluster = ['--cluster_name', 'c', '--cluster', routes[at], '--routes', routes.join()];
      const command = ['nats-server', ...own, ...stream, ...(count > 1 ? cluster : [])];
      return start(command, environment, /Server is ready/);
    }),
  );
  return { at: hosts.join(), servers };
}
