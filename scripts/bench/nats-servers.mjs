// Starts NATS servers with JetStream in one cluster, on free ports of this machine.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { withNatsServer } from '../nats-server.mjs';

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** `folder`: an empty folder. `at`: the hosts of a sink's URL. */
export async function startNatsServers(folder, count) {
  const numbers = Array.from({ length: count }, (_, at) => at);
  const clients = await Promise.all(numbers.map(freePort));
  const routes = await Promise.all(numbers.map(freePort));
  const cluster = (port) =>
    `cluster { name: c, host: 127.0.0.1, port: ${port}, routes: [${routes.map((one) => `nats://127.0.0.1:${one}`).join(', ')}] }`;
  const children = await Promise.all(
    numbers.map(async (number) => {
      const file = join(folder, `${number}.conf`);
      const lines = [
        `server_name: n${number}`,
        'host: 127.0.0.1',
        `port: ${clients[number]}`,
        `jetstream { store_dir: "${join(folder, String(number))}" }`,
        ...(count > 1 ? [cluster(routes[number])] : []),
      ];
      writeFileSync(file, `${lines.join('\n')}\n`);
      const child = spawn('nats-server', ['-c', file], {
        env: withNatsServer(process.env),
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      await new Promise((resolve, reject) => {
        child.once('error', reject);
        child.once('exit', (status) => reject(new Error(`nats-server ended with ${status}`)));
        child.stderr.setEncoding('utf8').on('data', (piece) => {
          if (piece.includes('Server is ready')) resolve();
        });
      });
      return child;
    }),
  );
  return {
    at: clients.map((port) => `127.0.0.1:${port}`).join(','),
    pids: children.map(({ pid }) => pid),
    async stop() {
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(children.map((child) => child.exitCode ?? child.signalCode ?? once(child, 'exit')));
    },
  };
}
