// Real NATS servers, each a process of its own with a folder of its own. They talk to each other only through proxies of the test,
// so that one of them can be cut off.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '#test/support/service/free-port.ts';
import { within } from './bounded.ts';
import { startProxy } from './connection-proxy.ts';

export type NatsCluster = Awaited<ReturnType<typeof startCluster>>;
export type NatsNode = NatsCluster['nodes'][number];

export interface ClusterOptions {
  readonly folder: string;
  readonly count?: number;
  /** More of the configuration of each. */
  readonly more?: (node: number) => string;
  /** How each is started; by default as it is. */
  readonly command?: (node: number, words: readonly string[]) => readonly [string, ...string[]];
}

export async function startCluster({
  folder,
  count = 3,
  more = () => '',
  command = (_, words) => ['nats-server', ...words],
}: ClusterOptions) {
  const numbers = Array.from({ length: count }, (_, node) => node);
  const clientPorts = await Promise.all(numbers.map(freePort));
  const clusterPorts = await Promise.all(numbers.map(freePort));
  const monitorPorts = await Promise.all(numbers.map(freePort));
  /** By who connects, then by whom it reaches. */
  const proxies = await Promise.all(
    numbers.map((from) =>
      Promise.all(numbers.map((to) => (from === to ? undefined : startProxy(clusterPorts[to] ?? 0)))),
    ),
  );
  const nodes = await Promise.all(
    numbers.map(async (node) => {
      const own = join(folder, `n${node}`);
      await mkdir(own, { recursive: true });
      const file = join(own, 'nats.conf');
      const routes = (proxies[node] ?? []).flatMap((proxy) =>
        proxy ? [`nats://127.0.0.1:${proxy.port}`] : [],
      );
      // Nobody reaches the address that it names: the others have its proxy.
      const cluster = `cluster { name: c, host: 127.0.0.1, port: ${clusterPorts[node]}, advertise: "127.0.0.1:1", routes: [${routes.join(', ')}] }`;
      const configuration = [
        `server_name: n${node}`,
        'host: 127.0.0.1',
        `port: ${clientPorts[node]}`,
        `http: "127.0.0.1:${monitorPorts[node]}"`,
        `jetstream { store_dir: "${join(own, 'store')}" }`,
        ...(count === 1 ? [] : [cluster]),
        more(node),
        '',
      ];
      await writeFile(file, configuration.join('\n'));
      const around = proxies.flatMap((row, from) =>
        row.flatMap((proxy, to) => (proxy && (from === node || to === node) ? [proxy] : [])),
      );
      const monitor = async (page: string) =>
        (await fetch(`http://127.0.0.1:${monitorPorts[node]}/${page}`)).text();
      let child: ChildProcess | undefined;
      let log = '';
      let isCutOff = false;
      return {
        /** `127.0.0.1:4222`: for clients. */
        address: `127.0.0.1:${clientPorts[node]}`,
        name: `n${node}`,
        /** How many clients are connected to it. */
        clients: async () => Number(/"num_connections": (\d+)/.exec(await monitor('connz'))?.[1]),
        /** How many bytes it has sent so far. */
        sent: async () => Number(/"out_bytes": (\d+)/.exec(await monitor('varz'))?.[1]),
        log: () => log,
        /** Resolves once it accepts clients. */
        async start() {
          const [program, ...words] = command(node, ['-c', file]);
          const started = spawn(program, words, { stdio: ['ignore', 'ignore', 'pipe'] });
          child = started;
          const from = log.length;
          const isReady = new Promise<void>((resolve, reject) => {
            started.stderr.setEncoding('utf8').on('data', (piece) => {
              log += piece;
              if (log.includes('Server is ready', from)) resolve();
            });
            started.once('error', reject);
            started.once('exit', (status, signal) =>
              reject(
                new Error(`nats-server ended with ${status ?? signal}: ${log.slice(from).slice(-2_000)}`),
              ),
            );
          });
          await within(`n${node} is ready`, isReady, () => log.slice(from).slice(-2_000));
        },
        async kill() {
          if (!child || child.exitCode !== null || child.signalCode !== null) return;
          const ended = once(child, 'exit');
          child.kill('SIGKILL');
          await ended;
        },
        pid: () => child?.pid ?? 0,
        /** The test has it running, and in touch with the others. */
        isMeantToRun: () => child?.exitCode === null && child.signalCode === null && !isCutOff,
        /** From now on no other server hears of it, nor it of them; clients do. */
        cutOff() {
          isCutOff = true;
          for (const proxy of around) proxy.refuse();
        },
        join() {
          isCutOff = false;
          for (const proxy of around) proxy.accept();
        },
      };
    }),
  );
  const stop = async () => {
    await Promise.all(nodes.map((node) => node.kill()));
    for (const proxy of proxies.flat()) proxy?.close();
  };
  const started = await Promise.allSettled(nodes.map((node) => node.start()));
  const failed = started.find((result) => result.status === 'rejected');
  if (failed) {
    await stop();
    throw failed.reason;
  }
  return { nodes, addresses: nodes.map(({ address }) => address).join(','), stop };
}
