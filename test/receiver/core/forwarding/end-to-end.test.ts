// The journal on a real disk, real HTTP, and a program that fails, breaks connections and is restarted: each delivery reaches it,
// in the order of its task, with its own bytes.

import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import { test } from 'node:test';
import { sign } from '#contract/signature.ts';
import { JournalForwarder } from '#receiver/core/forwarding/forwarder.ts';
import { createHttpTarget } from '#receiver/core/forwarding/http-target.ts';
import type { Journal } from '#receiver/core/intake/delivery-journal.ts';
import { createHurriedClock } from '#test/support/clock.ts';
import { listening } from '#test/support/service/listening.ts';
import { createClock } from '#world/clock.ts';
import { createHttp } from '#world/http.ts';
import { journalFolder, open } from '../journal/journal-tools.ts';

const subjects = 7;
const concurrency = 4;
const subjectOf = (sequence: number) => sequence % subjects;

interface Receipt {
  readonly sequence: number;
  readonly attempt: number;
  readonly isTaken: boolean;
}

/** Fails every few requests, in several ways. */
function createProgram() {
  const receipts: Receipt[] = [];
  let requests = 0;
  const listener: RequestListener = async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    assert.equal(request.headers['x-hook-signature'], sign('secret', body));
    requests += 1;
    const [fails, breaks] = [requests % 5 === 0, requests % 11 === 0];
    receipts.push({
      sequence: Number(request.headers['x-wm-delivery']),
      attempt: Number(request.headers['x-wm-attempt']),
      isTaken: !fails && !breaks,
    });
    if (breaks) response.destroy();
    else response.writeHead(fails ? 500 : 200).end();
  };
  return { receipts, listener };
}

async function store(journal: Journal, from: number, to: number): Promise<void> {
  for (let sequence = from; sequence <= to; sequence++) {
    const event = { eventType: 'TaskCreated', taskId: `T${subjectOf(sequence)}`, title: `ü${sequence}` };
    const body = Buffer.from(JSON.stringify([event]));
    const stored = await journal.append({
      receivedAt: 0,
      path: '/',
      headers: [['X-Hook-Signature', sign('secret', body)]],
      body,
      idempotencyKey: `key-${sequence}`,
      signature: 'valid',
    });
    assert.equal(stored.sequence, sequence);
  }
}

test('each delivery reaches the program, in order, even if both are restarted', async (t) => {
  const folder = await journalFolder(t);
  const { receipts, listener } = createProgram();
  let server = createServer(listener);
  const port = await listening(server);
  const stopProgram = () =>
    new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  let isDown = () => {};
  const marked = new Set<number>();
  const start = (journal: Journal) =>
    new JournalForwarder({
      journal,
      targets: [target],
      chooseTargets: () => [target],
      // Each backoff is over at once.
      clock: createHurriedClock(),
      random: Math.random,
      concurrency,
      maxAttempts: 1000,
      retryForMs: undefined,
      giveUpAfterMs: Number.POSITIVE_INFINITY,
      onActivity: (activity) => {
        if (activity.kind === 'target' && activity.fault !== undefined) isDown();
        if (activity.kind === 'attempt' && activity.verdict === 'forwarded') marked.add(activity.sequence);
      },
    });
  const target = createHttpTarget(
    { http: createHttp({}), clock: createClock() },
    { url: `http://127.0.0.1:${port}/`, headers: {}, timeoutMs: 60_000, connections: concurrency },
  );

  let { journal } = await open(folder);
  let forwarder = start(journal);
  await store(journal, 1, 30);
  // The program is gone, deliveries come, and it is there again.
  const gone = new Promise<void>((resolve) => {
    isDown = resolve;
  });
  await stopProgram();
  await store(journal, 31, 60);
  await gone;
  // The receiver is restarted meanwhile.
  await forwarder.stop();
  await journal.close();
  const before = new Set(marked);
  server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  t.after(stopProgram);
  const from = receipts.length;
  ({ journal } = await open(folder));
  forwarder = start(journal);
  await store(journal, 61, 100);
  await forwarder.drain(1e12);
  assert.equal(journal.state().unfinished, 0);
  await journal.close();

  const taken = receipts.filter(({ isTaken }) => isTaken).map(({ sequence }) => sequence);
  assert.equal(new Set(taken).size, 100);
  // The response to what was in flight when the program went may be lost.
  assert.ok(taken.length <= 100 + concurrency);
  for (let subject = 0; subject < subjects; subject++) {
    const own = receipts
      .map(({ sequence }) => sequence)
      .filter((sequence) => subjectOf(sequence) === subject);
    assert.deepEqual(
      own,
      own.toSorted((a, b) => a - b),
    );
  }
  assert.ok(receipts.slice(from).every(({ sequence }) => !before.has(sequence)));
  t.diagnostic(`100 deliveries, ${receipts.length} attempts that arrived, ${before.size} before the restart`);
});
