// The journal across runs: what was stored, what was finished, what is a duplicate; and two receivers on one folder.

import assert from 'node:assert/strict';
import { appendFile, cp, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sampleAttempt as attempt } from '../intake/samples.ts';
import {
  appendAll,
  delivery,
  journalFolder,
  open,
  range,
  unfinished,
  unfinishedNumbers,
  worldWith,
} from './journal-tools.ts';

test('deliveries are read back unchanged and in order, in this run and the next', async (context) => {
  const folder = await journalFolder(context);
  const binary = Uint8Array.from({ length: 256 }, (_, index) => index);
  const sent = [
    delivery(1),
    delivery(2, { body: new Uint8Array(0), headers: [], idempotencyKey: undefined, signature: 'unsigned' }),
    delivery(3, { body: binary, idempotencyKey: '', receivedAt: 1.5 }),
    delivery(4, { body: new Uint8Array(3_000_000).fill(7), path: '/\u{1f600}' }),
    delivery(5, {
      path: '/a:b?c=d',
      headers: [
        ['Empty', ''],
        ['Colons', ':a: b:'],
        ['Tab', 'a\tb'],
        ['High', '\u00e9\u00ff'],
      ],
    }),
  ];
  const first = await open(folder);
  assert.deepEqual(first.report, { findings: [] });
  assert.equal(first.journal.state().lastReceived, undefined);
  const expected = sent.map((delivery, index) => ({
    ...delivery,
    body: Buffer.from(delivery.body),
    sequence: index + 1,
  }));
  const comparable = <T extends { body: Uint8Array }>(delivery: T) => ({
    ...delivery,
    body: Buffer.from(delivery.body),
  });
  for (const received of sent) await first.journal.append(received);
  const stored = (await unfinished(first.journal)).map(comparable);
  assert.deepEqual(stored, expected);
  assert.deepEqual(comparable((await first.journal.read(3)) ?? delivery(0)), expected[2]);
  assert.equal(await first.journal.read(6), undefined);
  await first.journal.close();
  await assert.rejects(first.journal.append(delivery(6)), /closed/);

  const second = await open(folder);
  assert.deepEqual(second.report, { findings: [] });
  assert.equal(second.journal.state().lastReceived, sent[4]?.receivedAt);
  assert.equal(second.journal.state().unfinished, 5);
  assert.deepEqual((await unfinished(second.journal)).map(comparable), stored);
  await second.journal.close();
});

test('finished deliveries are not forwarded again after a restart; earlier attempts are remembered', async (context) => {
  const folder = await journalFolder(context);
  const first = await open(folder);
  await appendAll(first.journal, range(1, 5));
  for (const sequence of [2, 4, 5]) first.journal.record(attempt(sequence));
  first.journal.record(attempt(1, { target: 'exec', finishes: false }));
  first.journal.record(attempt(1, { target: 'print', verdict: 'retry', finishes: false }));
  first.journal.record(attempt(1, { target: 'print', verdict: 'retry', attempt: 2, finishes: false }));
  assert.equal(first.journal.state().unfinished, 2);
  await first.journal.close();
  const second = await open(folder);
  assert.deepEqual(await unfinishedNumbers(second.journal), [1, 3]);
  assert.deepEqual(second.journal.lastAttempts(1), [
    { target: 'exec', attempt: 1, verdict: 'forwarded' },
    { target: 'print', attempt: 2, verdict: 'retry' },
  ]);
  assert.deepEqual(await appendAll(second.journal, [6]), [6]);
  await second.journal.close();
});

test('flushed notes survive a kill; without notes, a flush resolves at once', async (context) => {
  const folder = await journalFolder(context);
  const { journal } = await open(folder);
  await journal.flush();
  await appendAll(journal, range(1, 3));
  journal.record(attempt(2));
  // While a sync is under way.
  const [, stored] = await Promise.all([journal.flush(), journal.append(delivery(4))]);
  journal.record(attempt(3));
  await journal.flush();
  const copy = `${folder}-copy`;
  await cp(folder, copy, { recursive: true });
  const killed = await open(copy);
  assert.deepEqual(await unfinishedNumbers(killed.journal), [1, stored.sequence]);
  await killed.journal.close();
  await journal.close();
  await journal.flush();
});

test('stores the same key and bytes once: during the first write, after it, and after a restart', async (context) => {
  const folder = await journalFolder(context);
  const first = await open(folder);
  const [original, duplicate, otherBody] = await Promise.all([
    first.journal.append(delivery(1)),
    first.journal.append(delivery(1, { receivedAt: 5, path: '/other' })),
    first.journal.append(delivery(1, { body: Buffer.from('{}') })),
  ]);
  assert.deepEqual(
    [original, duplicate, otherBody],
    [
      { sequence: 1, isDuplicate: false },
      { sequence: 1, isDuplicate: true },
      { sequence: 2, isDuplicate: false },
    ],
  );
  assert.deepEqual(await first.journal.append(delivery(1)), { sequence: 1, isDuplicate: true });
  const without = delivery(3, { idempotencyKey: undefined });
  assert.deepEqual(await first.journal.append(without), { sequence: 3, isDuplicate: false });
  assert.deepEqual(await first.journal.append(without), { sequence: 4, isDuplicate: false });
  await first.journal.close();
  const second = await open(folder);
  assert.deepEqual(await second.journal.append(delivery(1)), { sequence: 1, isDuplicate: true });
  assert.equal(second.journal.state().unfinished, 4);
  await second.journal.close();
});

test('a duplicate that arrives during the sync of the first waits for that sync', async (context) => {
  const world = worldWith();
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isHeld = false;
  const files: typeof world.files = {
    ...world.files,
    async append(path, options) {
      const file = await world.files.append(path, options);
      const sync = async () => {
        begin();
        if (isHeld) await released;
        await file.sync();
      };
      return { ...file, sync };
    },
  };
  const { journal } = await open(await journalFolder(context), {}, { ...world, files });
  isHeld = true;
  const order: string[] = [];
  const first = journal.append(delivery(1)).then((appended) => [order.push('first'), appended]);
  await begun;
  const second = journal.append(delivery(1)).then((appended) => [order.push('second'), appended]);
  const other = journal.append(delivery(2));
  assert.deepEqual(order, []);
  release();
  assert.deepEqual(await Promise.all([first, second, other]), [
    [1, { sequence: 1, isDuplicate: false }],
    [2, { sequence: 1, isDuplicate: true }],
    { sequence: 2, isDuplicate: false },
  ]);
  assert.equal(journal.state().unfinished, 2);
  await journal.close();
});

test('cuts off and reports a torn last frame; later deliveries go to the same segment', async (context) => {
  const folder = await journalFolder(context);
  const first = await open(folder);
  await appendAll(first.journal, [1, 2]);
  await first.journal.close();
  const path = join(folder, '0000000001.journal');
  const completeSize = (await stat(path)).size;
  const content = await readFile(path);
  const delivery1 = content.indexOf('wmj1', 4);
  await appendFile(path, content.subarray(delivery1, delivery1 + 90));
  const second = await open(folder);
  assert.deepEqual(second.report.findings, [
    { kind: 'torn', file: '0000000001.journal', offset: completeSize, bytes: 90 },
  ]);
  assert.equal((await stat(path)).size, completeSize);
  assert.deepEqual(await appendAll(second.journal, [3]), [3]);
  await second.journal.close();
  const third = await open(folder);
  assert.deepEqual(third.report.findings, []);
  assert.deepEqual(await unfinishedNumbers(third.journal), [1, 2, 3]);
  await third.journal.close();
  assert.deepEqual((await readdir(folder)).toSorted(), ['0000000001.journal', 'lock']);
});

test('seals segments by size; a restart reads the last one, and finds unfinished deliveries in all of them', async (context) => {
  const folder = await journalFolder(context);
  const options = { segmentBytes: 2000 };
  const first = await open(folder, options);
  for (const number of range(1, 40)) {
    await appendAll(first.journal, [number]);
    if (number % 3 !== 0) first.journal.record(attempt(number));
  }
  await first.journal.close();
  const names = await readdir(folder);
  const segments = names.filter((name) => name.endsWith('.journal'));
  assert.ok(segments.length > 5, String(names));
  assert.equal(names.filter((name) => name.endsWith('.keys')).length, segments.length - 1);
  const second = await open(folder, options);
  assert.deepEqual(second.report.findings, []);
  const expected = range(1, 40).filter((number) => number % 3 === 0);
  assert.deepEqual(await unfinishedNumbers(second.journal), expected);
  assert.equal((await second.journal.read(10))?.path, '/hook?n=10');
  for (const number of range(1, 40))
    assert.deepEqual(await second.journal.append(delivery(number)), { sequence: number, isDuplicate: true });
  assert.deepEqual(await appendAll(second.journal, [41]), [41]);
  await second.journal.close();
});

test('a reader gets new deliveries as they are stored, and ends with its signal', async (context) => {
  const { journal } = await open(await journalFolder(context));
  const stop = new AbortController();
  const numbers: number[] = [];
  const reading = (async () => {
    for await (const { sequence } of journal.unfinished(stop.signal)) {
      numbers.push(sequence);
      journal.record(attempt(sequence));
      if (sequence === 3) return;
    }
  })();
  await appendAll(journal, [1]);
  await appendAll(journal, [2, 3]);
  await reading;
  assert.deepEqual(numbers, [1, 2, 3]);
  const waiting = journal.unfinished(stop.signal)[Symbol.asyncIterator]().next();
  stop.abort();
  assert.equal((await waiting).done, true);
  await journal.close();
});

test('a reader that keeps up reads from memory; a slower reader reads the newest from the disk', async (context) => {
  const world = worldWith();
  let opened = 0;
  const files: typeof world.files = {
    ...world.files,
    openForReading(...given) {
      opened += 1;
      return world.files.openForReading(...given);
    },
  };
  const { journal } = await open(await journalFolder(context), {}, { ...world, files });
  const before = opened;
  const reading = journal.unfinished(new AbortController().signal)[Symbol.asyncIterator]();
  const next = async () => {
    const { value } = await reading.next();
    return value && { sequence: value.sequence, body: Buffer.from(value.body), headers: value.headers };
  };
  const large = (number: number) => delivery(number, { body: new Uint8Array(1_300_000).fill(number) });
  const expected = (number: number, { body, headers } = large(number)) => ({
    sequence: number,
    body: Buffer.from(body),
    headers,
  });
  for (const number of range(1, 20)) {
    const result = next();
    await journal.append(delivery(number));
    assert.deepEqual(await result, expected(number, delivery(number)));
  }
  // Three of these fit in what is kept.
  for (const number of range(21, 25)) await journal.append(large(number));
  for (const number of range(21, 23)) assert.deepEqual(await next(), expected(number));
  assert.equal(opened, before);
  for (const number of range(24, 25)) assert.deepEqual(await next(), expected(number));
  assert.equal(opened, before + 1);
  await journal.append(delivery(26));
  assert.deepEqual(await next(), expected(26, delivery(26)));
  assert.equal(opened, before + 1);
  await reading.return?.();
  await journal.close();
});

test('a non-waiting reader works alongside a waiting one, and ends with the last delivery', async (context) => {
  const { journal } = await open(await journalFolder(context), { segmentBytes: 1500 });
  await appendAll(journal, range(1, 12));
  const endless = journal.unfinished(new AbortController().signal)[Symbol.asyncIterator]();
  const numbers = async () => {
    const numbers: number[] = [];
    for await (const { sequence } of journal.unfinished(new AbortController().signal, false))
      numbers.push(sequence);
    return numbers;
  };
  for (const number of range(1, 6)) assert.equal((await endless.next()).value?.sequence, number);
  journal.record(attempt(4));
  assert.deepEqual(await numbers(), [...range(1, 3), ...range(5, 12)]);
  for (const number of range(7, 12)) assert.equal((await endless.next()).value?.sequence, number);
  const next = endless.next();
  assert.deepEqual(await numbers(), [...range(1, 3), ...range(5, 12)]);
  await appendAll(journal, [13]);
  assert.equal((await next).value?.sequence, 13);
  assert.deepEqual(
    [13, 14].map((from) => journal.hasUnfinished(from)),
    [true, false],
  );
  for (const number of range(9, 13)) journal.record(attempt(number));
  assert.deepEqual(
    [8, 9].map((from) => journal.hasUnfinished(from)),
    [true, false],
  );
  await endless.return?.();
  await journal.close();
});

test('an attempt is known as soon as it is recorded', async (context) => {
  const { journal } = await open(await journalFolder(context));
  await appendAll(journal, [1]);
  journal.record(attempt(1, { target: 'one', finishes: false }));
  assert.deepEqual(journal.lastAttempts(1), [{ target: 'one', attempt: 1, verdict: 'forwarded' }]);
  await journal.close();
});

test('two endless readers both get every stored delivery', async (context) => {
  const { journal } = await open(await journalFolder(context));
  const stop = new AbortController();
  const readers = [1, 2].map(() => journal.unfinished(stop.signal)[Symbol.asyncIterator]());
  const next = () => Promise.all(readers.map(async (reader) => (await reader.next()).value?.sequence));
  for (const number of range(1, 3)) {
    const waiting = next();
    await appendAll(journal, [number]);
    assert.deepEqual(await waiting, [number, number]);
  }
  const ending = next();
  stop.abort();
  assert.deepEqual(await ending, [undefined, undefined]);
  await journal.close();
});
