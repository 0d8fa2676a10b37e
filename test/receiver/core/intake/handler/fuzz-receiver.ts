// Sends random requests to a receiver and holds each response to what a receiver may say: never a 4xx but 408, nothing but
// whole responses, and a 200 only for what is in its journal. At the end it must still work, with the memory that it had.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { readEntries } from '#receiver/core/journal/read-entries.ts';
import { journalFolder, worldWith } from '#test/receiver/core/journal/journal-tools.ts';
import { createRandom } from '#test/support/random.ts';
import { openConnection, statusesIn } from '#test/support/service/raw-exchange.ts';
import { type FuzzedReceiver, forkFuzzed } from './fuzzed-receiver.ts';
import { bodyOf, createDelivery, createHostileRequest, type HostileRequest } from './hostile-request.ts';

const atOnce = 24;
/** By how much the memory may have grown since the first tenth of the requests: compiled code, and the keys that the journal
 * remembers. A kilobyte for each request would be 90 MB in the long test. */
const maxGrowthBytes = 10 * 1024 * 1024;

/** Whole responses without a body, and nothing else. */
const responses = /^(?:HTTP\/1\.1 (?:100|200|408|503) [A-Za-z ]+\r\n(?:[A-Za-z-]+: [^\r\n]+\r\n)*\r\n)*$/;

/** With a receiver in a process of its own: its memory may not grow. */
export async function fuzzReceiver(t: TestContext, program: string, count: number, seed: number) {
  const folder = await journalFolder(t);
  const receiver = await forkFuzzed(t, program, folder);
  const { early, late } = await fuzz(t, { folder, receiver, count, seed });
  const growth = late.used - early.used;
  const megabytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(1);
  t.diagnostic(
    `memory after the first tenth ${megabytes(early.used)} MB, at the end ${megabytes(late.used)} MB`,
  );
  assert.ok(growth < maxGrowthBytes, `the memory grew by ${growth} bytes`);
}

interface Fuzzing {
  readonly folder: string;
  readonly receiver: FuzzedReceiver;
  readonly count: number;
  readonly seed: number;
}

export async function fuzz(t: TestContext, { folder, receiver, count, seed }: Fuzzing) {
  const { port, hastyPort, measure, exit } = receiver;
  const afterwards = Math.min(100, count / 2);
  const random = createRandom(seed);
  const byKind = new Map<string, Map<string, number>>();
  const acknowledged: number[] = [];
  const send = async (request: HostileRequest) => {
    const { kind, bytes, ending, deliveries, statuses } = request;
    const about = `${kind}, seed ${seed}: ${bytes.toString('latin1', 0, 2_000)}`;
    const text = await exchange(ending === 'stall' ? hastyPort : port, request);
    assert.equal(exit(), undefined, `the receiver ended (${exit()}) at ${about}`);
    assert.match(text, responses, about);
    const got = statusesIn(text).filter((status) => status !== 100);
    if (statuses) assert.deepEqual(got, statuses, about);
    const accepted = got.filter((status) => status === 200).length;
    if (accepted >= deliveries.length) acknowledged.push(...deliveries);
    const counts = byKind.get(kind) ?? new Map<string, number>();
    byKind.set(kind, counts);
    for (const status of got.length === 0 ? ['none'] : got)
      counts.set(`${status}`, (counts.get(`${status}`) ?? 0) + 1);
  };

  let index = 0;
  const sendUntil = (end: number) =>
    Promise.all(
      Array.from({ length: atOnce }, async () => {
        while (index < end) await send(createHostileRequest(random, index++));
      }),
    );
  await sendUntil(count / 10);
  const early = await measure();
  await sendUntil(count);
  const late = await measure();
  for (let number = 1; number <= afterwards; number++) await send(createDelivery(10 * (count + number) + 9));

  const last = await measure();
  await receiver.close();
  const stored = await readStored(folder);
  const missing = acknowledged.filter((number) => !stored.has(number));
  assert.deepEqual(missing.slice(0, 10), [], 'a delivery got 200, and is not in the journal');

  t.diagnostic(`seed ${seed}; ${count} requests; 4xx other than 408 and 429: 0; crashes: 0`);
  const list = (counts: Iterable<readonly [string, number]>) => {
    const parts = [...counts].map(([name, times]) => `${name} ${times}`);
    return parts.toSorted().join(', ');
  };
  for (const [kind, counts] of [...byKind].toSorted()) t.diagnostic(`${kind}: ${list(counts)}`);
  t.diagnostic(`in the receiver: ${list(Object.entries(last.counts))}`);
  t.diagnostic(
    `${acknowledged.length} deliveries acknowledged, all in the journal (${stored.size}); ${afterwards} of them afterwards`,
  );
  return { early, late };
}

/** Sends it as it wants to be sent; resolves with all that came back. */
async function exchange(port: number, { bytes, ending }: HostileRequest): Promise<string> {
  const { socket, all } = openConnection(port);
  if (ending === 'end') {
    socket.end(bytes);
  } else if (ending === 'reset') {
    await once(socket, 'connect');
    await new Promise<void>((resolve) => socket.write(bytes, () => resolve()));
    socket.resetAndDestroy();
  } else {
    socket.write(bytes);
  }
  return await all;
}

/** The numbers of the deliveries in the journal, each of which must be as it was sent, and there once. */
async function readStored(folder: string): Promise<ReadonlySet<number>> {
  const stored = new Set<number>();
  for await (const entry of readEntries(worldWith(), folder)) {
    assert.notEqual(entry.kind, 'damage');
    if (entry.kind !== 'delivery') continue;
    const body = Buffer.from(entry.delivery.body);
    const number = Number(/"taskId": ?"T(\d+)"/.exec(body.toString())?.[1]);
    assert.ok(body.equals(bodyOf(number)), `delivery ${number} is not as it was sent`);
    assert.ok(!stored.has(number), `delivery ${number} is stored twice`);
    stored.add(number);
  }
  return stored;
}
