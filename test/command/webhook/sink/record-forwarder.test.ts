// What forwarders say of themselves in a sink, with a stream in memory that compares and sets as NATS does: who counts as running, and
// that the messages do not become more and more.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type ForwarderRecord,
  recordForwarder,
} from '../../../../src/command/webhook/sink/record-forwarder.ts';
import {
  currentForwarders,
  forwardingOf,
  readSinkForwarders,
} from '../../../../src/command/webhook/sink/sink-forwarders.ts';
import type { NatsConnection, NatsMessage } from '../../../../src/world/world.ts';
import { createTestClock } from '../../../clock.ts';

const url = 'http://127.0.0.1:3000/hook';

function trial() {
  const clock = createTestClock();
  const messages = new Map<string, NatsMessage>();
  let sequence = 0;
  let isDown = false;
  const nats: Pick<NatsConnection, 'publish' | 'readAll'> = {
    async publish(subject, payload, { expectedLast }) {
      if (isDown) return { fault: 'no-quorum', detail: '' };
      if (expectedLast !== undefined && expectedLast !== messages.get(subject)?.sequence)
        return { fault: 'conflict', detail: '' };
      sequence += 1;
      messages.set(subject, { sequence, subject, time: clock.now(), id: undefined, payload });
      return { sequence, isDuplicate: false };
    },
    async *readAll() {
      if (isDown) throw new Error('no quorum');
      yield* [...messages.values()];
    },
  };
  let count = 0;
  return {
    clock,
    setDown: (down: boolean) => {
      isDown = down;
    },
    put: (subject: string, text: string) => {
      sequence += 1;
      const payload = new TextEncoder().encode(text);
      messages.set(subject, { sequence, subject, time: clock.now(), id: undefined, payload });
    },
    start(target = url): ForwarderRecord {
      const random = count / 1_000_000;
      count += 1;
      return recordForwarder(
        {
          nats,
          clock,
          random: () => random,
          stream: 'S',
          holder: `h${count}`,
          host: 'one',
          pid: count,
          partial: [],
        },
        { routes: [], rest: [target], every: [] },
      );
    },
    read: () => readSinkForwarders(nats, 'S', clock.now()),
    subjects: () => [...messages.keys()],
  };
}

test('it says again that it is there; one that was killed counts as gone, and the next takes its place', async () => {
  const { clock, start, read, subjects } = trial();
  const first = start();
  await first.written();
  for (let at = 0; at < 10; at++) {
    clock.advance(20_000);
    await new Promise(setImmediate);
  }
  const [known] = await read();
  assert.deepEqual([known?.pid, known?.isRunning, known?.rest], [1, true, [url]]);
  // Its timers stop with it.
  await first.end();
  const second = start();
  await second.written();
  assert.deepEqual(subjects(), ['S.progress.forwarders.0'], 'in the place of the one that has ended');
  const beside = start();
  await beside.written();
  assert.equal(subjects().length, 2);
  assert.deepEqual(
    (await read()).map((one) => [one.pid, one.isRunning]),
    [
      [2, true],
      [3, true],
    ],
  );
  // As after a kill: nobody says anything.
  const silent = trial();
  silent.put(
    'S.progress.forwarders.0',
    JSON.stringify({ ...routing, holder: 'x', host: 'two', pid: 9, partial: [], hasEnded: false }),
  );
  silent.clock.advance(80_000);
  assert.equal((await silent.read())[0]?.isRunning, true);
  silent.clock.advance(20_000);
  const gone = await silent.read();
  assert.equal(gone[0]?.isRunning, false);
  assert.deepEqual(
    forwardingOf(gone),
    { ...routing, outages: [] },
    'where it sent stays known, its outages do not',
  );
});

const routing = {
  routes: [],
  rest: [url],
  every: [],
  outages: [{ target: url, fault: 'refused', since: 5 }],
};

test('several at once have places of their own, whatever else is there', async () => {
  const { start, read, put } = trial();
  put('S.progress.forwarders.7', 'from a newer version');
  const records = [start(), start(), start(), start()];
  await Promise.all(records.map((one) => one.written()));
  assert.deepEqual((await read()).map(({ pid }) => pid).toSorted(), [1, 2, 3, 4]);
});

test('an outage counts from its first forwarder on, and says if others reach the target', async () => {
  const { clock, start, read } = trial();
  const [one, other] = [start(), start()];
  one.onActivity({ kind: 'target', target: url, fault: 'refused' });
  const since = clock.now();
  await Promise.all([one.written(), other.written()]);
  assert.deepEqual(forwardingOf(await read())?.outages, [
    { target: url, fault: 'refused (1 of 2 forwarders)', since },
  ]);
  clock.advance(1_000);
  other.onActivity({ kind: 'target', target: url, fault: 'refused' });
  await other.written();
  assert.deepEqual(forwardingOf(await read())?.outages, [{ target: url, fault: 'refused', since }]);
  one.onActivity({ kind: 'target', target: url, fault: undefined });
  other.onActivity({ kind: 'target', target: url, fault: undefined });
  await Promise.all([one.written(), other.written()]);
  assert.deepEqual(forwardingOf(await read())?.outages, []);
});

test('without a quorum nothing is thrown, and it is said once there is one again', async () => {
  const { clock, start, read, setDown } = trial();
  setDown(true);
  const one = start();
  await one.written();
  assert.deepEqual(await read().catch(() => 'down'), 'down');
  setDown(false);
  clock.advance(5_000);
  await new Promise(setImmediate);
  assert.equal((await read()).length, 1);
  setDown(true);
  await one.end();
});

test('when none runs, the one that was heard of last counts', async () => {
  const { clock, start, read } = trial();
  const [old, young] = [start('http://old.example.com/'), start()];
  await Promise.all([old.written(), young.written()]);
  await old.end();
  clock.advance(1_000);
  await young.end();
  assert.deepEqual(
    currentForwarders(await read()).map(({ pid }) => pid),
    [2],
  );
});
