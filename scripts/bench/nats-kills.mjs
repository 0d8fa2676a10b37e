// What NATS servers lose of what they have acknowledged when some of three are killed under load, again and again. Without wm: it tells the
// faults of the servers from ours. `node scripts/bench/nats-kills.mjs 60 1`: 60 times, one server each time. The nats-server of PATH.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AckPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { freePort } from './nats-servers.mjs';

const [rounds, atOnce] = [Number(process.argv[2] ?? 60), Number(process.argv[3] ?? 1)];
const lanes = 64;
const payload = new Uint8Array(1_000);
const folder = mkdtempSync(join(tmpdir(), 'nats-kills-'));
const numbers = [0, 1, 2];
const [clients, routes] = await Promise.all([numbers, numbers].map((all) => Promise.all(all.map(freePort))));
const all = numbers.map((number) =>
  `-js -a 127.0.0.1 -p ${clients[number]} -n n${number} -sd ${join(folder, String(number))} -cluster_name c`
    .split(' ')
    .concat('-cluster', `nats://127.0.0.1:${routes[number]}`)
    .concat('-routes', routes.map((port) => `nats://127.0.0.1:${port}`).join(',')),
);
const running = [];
const start = (number) => {
  running[number] = spawn('nats-server', all[number], { stdio: 'ignore' });
};
const kill = async (number) => {
  running[number].kill('SIGKILL');
  await once(running[number], 'exit');
};

/** Until the servers have chosen a leader. */
async function again(ask) {
  for (;;) {
    try {
      return await ask();
    } catch {
      await sleep(200 + Math.random() * 200);
    }
  }
}

try {
  numbers.forEach(start);
  const servers = clients.map((port) => `127.0.0.1:${port}`);
  const nats = await again(() => connect({ servers, maxReconnectAttempts: -1, reconnectTimeWait: 200 }));
  const manager = await again(() => jetstreamManager(nats));
  const streams = jetstream(nats, { timeout: 2_500 });
  const settings = { name: 'TRIAL', subjects: ['trial'], num_replicas: 3, duplicate_window: 7 * 86_400e9 };
  await again(() => manager.streams.add(settings));
  const acknowledged = new Set();
  let count = 0;
  let isOver = false;
  const publishing = Array.from({ length: lanes }, async () => {
    while (!isOver) {
      const msgID = String(count++);
      await again(() => streams.publish('trial', payload, { msgID }));
      acknowledged.add(msgID);
    }
  });
  for (let round = 1; round <= rounds; round++) {
    await sleep(500 + Math.random() * 1_000);
    const before = acknowledged.size;
    const first = Math.floor(Math.random() * 3);
    const victims = Array.from({ length: atOnce }, (_, at) => (first + at) % 3);
    await Promise.all(victims.map(kill));
    await sleep(Math.random() * 3_000);
    victims.forEach(start);
    while (acknowledged.size < before + 200) await sleep(100);
    process.stderr.write(`${round} of ${rounds}: ${acknowledged.size} acknowledged\n`);
  }
  isOver = true;
  await Promise.all(publishing);
  const consumer = { durable_name: 'all', ack_policy: AckPolicy.None };
  await again(() => manager.consumers.add('TRIAL', consumer));
  const found = new Set();
  for (;;) {
    const reader = await again(() => streams.consumers.get('TRIAL', 'all'));
    for await (const message of await reader.fetch({ max_messages: 5_000, expires: 3_000 }))
      found.add(message.headers?.get('Nats-Msg-Id'));
    const { num_pending: pending } = await again(() => manager.consumers.info('TRIAL', 'all'));
    if (pending === 0) break;
  }
  const lost = [...acknowledged].filter((id) => !found.has(id)).length;
  const { version } = nats.info ?? {};
  process.stdout.write(
    `${JSON.stringify({ version, rounds, atOnce, acknowledged: acknowledged.size, lost })}\n`,
  );
  await nats.close();
} finally {
  for (const child of running) child.kill('SIGKILL');
  await Promise.all(running.map((child) => child.exitCode ?? child.signalCode ?? once(child, 'exit')));
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
