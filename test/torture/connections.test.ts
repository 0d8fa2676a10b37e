// npm run torture: 1,000 random bursts of connections that send nothing, send slowly, half-close or reset, around signed deliveries. Each
// delivery is acknowledged within 10 s, or the overload is said. TEST_SEED repeats what an earlier run has printed.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { sign } from '#contract/signature.ts';
import { listen, secret } from '#test/receiver/listen/running-listener.ts';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { createRandom } from '#test/support/random.ts';

const seed = Number(process.env['TEST_SEED'] ?? 1);
/** Held at once in the first half: fewer than the receiver takes (1,000), so each delivery is acknowledged. Then more. */
const [fewHeld, manyHeld] = [700, 1_500];
const body = JSON.stringify([{ eventType: 'TaskCreated', taskId: 'IEAAAAAQKQAB5BNG' }]);
const head = (length: number) =>
  `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

/** What a connection does once it is open. */
const kinds: Readonly<Record<string, (socket: Socket) => void>> = {
  silent: () => {},
  'slow headers': (socket) => socket.write('POST / HTTP/1.1\r\nHost: lo'),
  'slow body': (socket) => socket.write(`${head(1_000)}[{`),
  'large slow body': (socket) => socket.write(`${head(9_000_000)}${'x'.repeat(50_000)}`),
  'half-closed': (socket) => socket.end('POST / HTTP/1.1\r\n'),
  'half-closed after its request': (socket) => socket.end(`${head(2)}[]`),
  reset: (socket) => socket.resetAndDestroy(),
};

/** On a connection of its own. */
async function deliver(port: number): Promise<number> {
  const sending = request({
    port,
    method: 'POST',
    agent: false,
    signal: AbortSignal.timeout(10_000),
    headers: { 'Content-Type': 'application/json', 'X-Hook-Signature': sign(secret, body) },
  });
  sending.end(body);
  const [response] = await once(sending, 'response');
  response.resume();
  return response.statusCode;
}

test(`1,000 bursts of connections around signed deliveries, TEST_SEED=${seed}`, async (context) => {
  const listener = await listen(context, ['--port', '0'], { folder: await ownFolder(context) });
  const random = createRandom(seed).next;
  /** The oldest first. */
  const held = new Set<Socket>();
  context.after(() => {
    for (const socket of held) socket.destroy();
  });
  const counts = { acknowledged: 0, overload: 0, closed: 0, connections: 0 };
  const names = Object.keys(kinds);
  for (let burst = 0; burst < 1_000; burst++) {
    const act = kinds[names[Math.floor(random() * names.length)] ?? ''];
    assert.ok(act);
    for (let left = 1 + Math.floor(random() * 40); left > 0; left--) {
      const socket = connect(listener.port, '127.0.0.1', () => act(socket));
      // The receiver ends some of them.
      socket.on('error', () => {}).on('close', () => held.delete(socket));
      held.add(socket);
      counts.connections++;
    }
    const isOverloaded = burst >= 500;
    for (const oldest of held) {
      if (held.size <= (isOverloaded ? manyHeld : fewHeld)) break;
      held.delete(oldest);
      oldest.destroy();
    }
    // Far beyond the limit, connections are closed without a response.
    const status = await deliver(listener.port).catch((error: NodeJS.ErrnoException) => error.code);
    if (status === 200) counts.acknowledged++;
    else {
      assert.ok(isOverloaded, `${status} to delivery ${burst}`);
      assert.ok(status === 503 || status === 'ECONNRESET', String(status));
      assert.match(listener.errors, /too many connections/);
      if (status === 503) counts.overload++;
      else counts.closed++;
    }
  }
  process.stderr.write(`bursts of connections: ${JSON.stringify({ seed, ...counts })}\n`);
});
