// Servers that accept connections and say nothing, as one that hangs does: wm says so, leaves no connection behind, and ends.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createConnection, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import type { TestContext } from 'node:test';
import { listening } from '../listening.ts';
import { test } from './bounded.ts';
import { run, start, wm } from './running-wm.ts';
import { startTarget, startTrial, store } from './trial.ts';

/** Passes connections on, if there is somewhere, until it is silenced; then it keeps them, and new ones too. */
async function startServer(t: Pick<TestContext, 'after'>, to?: number) {
  const held = new Set<Socket>();
  const passing = new Set<Socket>();
  /** Those of clients. */
  const taking = new Set<Socket>();
  let isSilent = to === undefined;
  let total = 0;
  let check = () => {};
  let holding: string | undefined;
  let isHolding = false;
  let hasHeld = () => {};
  const server = createServer((socket) => {
    socket.on('error', () => {});
    if (isSilent || to === undefined) {
      total += 1;
      held.add(socket);
      socket.resume().on('close', () => held.delete(socket));
      check();
      return;
    }
    taking.add(socket.on('close', () => taking.delete(socket)));
    const other = createConnection(to, '127.0.0.1');
    for (const connection of [socket, other]) passing.add(connection.on('error', () => {}));
    socket.on('data', (piece) => {
      if (holding !== undefined && piece.includes(holding)) {
        isHolding = true;
        hasHeld();
      }
      if (!isHolding) other.write(piece);
    });
    socket.on('close', () => other.destroy());
    other.pipe(socket);
  });
  const port = await listening(server);
  t.after(() => {
    server.close();
    for (const socket of [...held, ...passing]) socket.destroy();
  });
  return {
    port,
    open: () => held.size,
    /** From now on it takes no bytes, and gives none, of the connections that there are. True if there are any. */
    hang() {
      for (const socket of taking) socket.pause();
      return taking.size > 0;
    },
    /** From the request with this text on, nothing reaches the server. Resolves once it has come. */
    holdFrom: (text: string) =>
      new Promise<void>((resolve) => {
        holding = text;
        hasHeld = resolve;
      }),
    silence() {
      isSilent = true;
      for (const socket of passing) socket.destroy();
    },
    /** Resolves once so many connections have come since then. */
    came: (count: number) =>
      new Promise<void>((resolve) => {
        check = () => {
          if (total >= count) resolve();
        };
        check();
      }),
  };
}

test('a silent server: a command ends, with the reason', async (t) => {
  const { port } = await startServer(t);
  const sink = `nats://127.0.0.1:${port}/S`;
  for (const words of [
    ['sink', 'check', sink],
    ['listen', '--sink', sink],
  ]) {
    const ended = await wm(['webhook', ...words], { home: tmpdir() });
    assert.equal(ended.status, 7, ended.errors);
    assert.match(ended.errors, /timeout/);
  }
});

test('the servers fall silent: a forwarder ends in time, and says what that means', async (t) => {
  const trial = await startTrial(t, { count: 1 }, ['--partitions', '2']);
  const target = await startTarget(t);
  const between = await startServer(t, Number(trial.cluster.addresses.split(':')[1]));
  const receiver = await trial.listen();
  const words = [
    '--sink',
    `nats://127.0.0.1:${between.port}/TRIAL`,
    '--forward-to',
    target.url,
    '--drain',
    '1',
  ];
  const forwarder = await run(['webhook', 'forward', ...words], /Forwarding from/, { home: trial.home });
  t.after(() => forwarder.kill());
  target.hold();
  await store(receiver.port, { key: 'a' });
  await target.until(() => target.keys.includes('a'));
  between.silence();
  // What came of it cannot be written down.
  target.release();
  const start = performance.now();
  assert.equal(await forwarder.end(), 130);
  const tookMs = performance.now() - start;
  assert.ok(tookMs < 12_000, `${tookMs} ms`);
  assert.match(forwarder.errors(), /the NATS servers did not respond/);
});

test('Ctrl-C while a server is silent: wm ends at once', async (t) => {
  const { port, came } = await startServer(t);
  const sink = `nats://127.0.0.1:${port}/S`;
  for (const [at, words] of [['listen'], ['forward', '--forward-to', 'http://127.0.0.1:1/']].entries()) {
    const child = start(['webhook', ...words, '--sink', sink], { home: tmpdir() });
    let errors = '';
    child.stderr?.setEncoding('utf8').on('data', (piece) => {
      errors += piece;
    });
    await came(at + 1);
    child.kill('SIGINT');
    const [status] = await once(child, 'close');
    assert.equal(status, 130, errors);
    assert.match(errors, /Interrupted: wm had not started yet/);
  }
});

test('Ctrl-C while sink create waits for a stream: it reports the existing streams, and can be run again', async (t) => {
  const { cluster, home } = await startTrial(t, { count: 1 }, ['--partitions', '2']);
  const between = await startServer(t, Number(cluster.addresses.split(':')[1]));
  const create = ['webhook', 'sink', 'create', `nats://127.0.0.1:${between.port}/S`];
  const asked = between.holdFrom('STREAM.CREATE.S-dead');
  const child = start(create, { home });
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (piece) => {
    errors += piece;
  });
  await asked;
  child.kill('SIGINT');
  const [status] = await once(child, 'close');
  assert.equal(status, 130, errors);
  assert.match(errors, /Interrupted: 1 of the streams of S exists, as far as wm knows/);
  assert.match(errors, /Run the same command again/);
  const again = await wm(['webhook', 'sink', 'create', `nats://${cluster.addresses}/S`], { home });
  assert.equal(again.status, 0, again.errors);
  assert.match(again.output, /S-state/);
});

test('a server hangs with much data on its way: the receiver still leaves it', async (t) => {
  const trial = await startTrial(t, { count: 1 }, ['--partitions', '2']);
  const port = Number(trial.cluster.addresses.split(':')[1]);
  const ways = [await startServer(t, port), await startServer(t, port)];
  const receiver = await trial.listen(`nats://${ways.map((way) => `127.0.0.1:${way.port}`).join(',')}/TRIAL`);
  assert.ok(ways.map((way) => way.hang()).includes(true));
  // More than the buffers of a connection hold.
  const title = 'x'.repeat(900_000);
  const keys = Array.from({ length: 16 }, (_, at) => `large ${at}`);
  await Promise.all(keys.map((key) => store(receiver.port, { key, title })));
  assert.equal(await receiver.end(), 0);
});
