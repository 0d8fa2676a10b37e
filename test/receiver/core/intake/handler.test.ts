// What the receiver stores and responds, over real sockets: 200 only for what is stored, 503 for everything else. The exchanges that
// were written by hand are compared byte for byte.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { sign } from '#contract/signature.ts';
import { type Activity, JournalFull } from '#receiver/core/intake/delivery-journal.ts';
import { judgeRequest } from '#receiver/core/intake/judge-request.ts';
import { createTestClock, noon } from '#test/support/clock.ts';
import { checkpoint } from '#test/support/gate.ts';
import { openConnection, statusesIn } from '#test/support/service/raw-exchange.ts';
import { receiverExchanges, receiverSecrets as secrets } from '#test/witness/receiver-exchanges.ts';
import { type StartedReceiver, startReceiver } from './start-receiver.ts';

/** The bytes of an exchange that was written by hand. */
function bytesOf(about: string, change: (head: readonly string[]) => readonly string[] = (head) => head) {
  const exchange = receiverExchanges.find((candidate) => candidate.about === about);
  if (!exchange) throw new Error(`No exchange is called ${about}`);
  return `${change(exchange.head).join('\r\n')}\r\n\r\n${exchange.body}`;
}
const delivery = bytesOf('a delivery');
const handshake = bytesOf('a handshake');
const withoutKey = (head: readonly string[]) => head.filter((line) => !line.startsWith('Idempotency-Key'));
const withLines =
  (...lines: string[]) =>
  (head: readonly string[]) => [...head, ...lines];

/** Each as its kind, and what follows from it. */
const brief = (activities: readonly Activity[]) =>
  activities.map((activity) => {
    if (activity.kind === 'rejected') return `${activity.reason} ${activity.status}`;
    if (activity.kind === 'storage') return `storage ${activity.fault ?? 'works'}`;
    return activity.kind === 'stored' ? `stored ${activity.delivery.sequence}` : activity.kind;
  });

/** A disk: `reached` when the journal is asked to store, which waits until `open`. */
function gate() {
  const { reach, opened, ...disk } = checkpoint();
  const wait = () => {
    reach();
    return opened;
  };
  return { ...disk, wait };
}

/** A request and its response, after which whatever else was under way has arrived too. */
const roundTrip = async ({ exchange }: StartedReceiver) =>
  assert.deepEqual(statusesIn(await exchange('GET / HTTP/1.1\r\nConnection: close\r\n\r\n')), [503]);

for (const { about, result, head, body, response } of receiverExchanges) {
  test(`${about}: ${result}`, async (t) => {
    const receiver = await startReceiver(t, { secrets });
    const text = await receiver.exchange(`${head.join('\r\n')}\r\n\r\n${body}`);
    assert.equal(text.replace(/^Date: .*\r\n/m, ''), `${response.join('\r\n')}\r\n\r\n`);
    const isDelivery = result === 'delivery';
    assert.deepEqual(
      receiver.journal.stored.map((delivery) => [delivery.path, Buffer.from(delivery.body).toString()]),
      isDelivery ? [['/hook', body]] : [],
    );
    const [activity, ...others] = receiver.activities;
    assert.deepEqual(others, []);
    assert.equal(
      activity?.kind === 'rejected' ? activity.reason : activity?.kind,
      isDelivery ? 'stored' : result,
    );
  });
}

test('judges the same requests through a header function', () => {
  for (const { about, result, head, body } of receiverExchanges) {
    const headers = new Headers(
      head.slice(1).map((line): [string, string] => {
        const at = line.indexOf(': ');
        return [line.slice(0, at), line.slice(at + 2)];
      }),
    );
    const request = { headers: (name: string) => headers.get(name), body: Buffer.from(body) };
    const judgement = judgeRequest(request, { secrets });
    assert.equal(judgement.kind === 'rejection' ? judgement.reason : judgement.kind, result, about);
  }
});

test('responds only after the journal has the delivery, and stores it unchanged', async (t) => {
  const receiver = await startReceiver(t, { secrets, clock: createTestClock() });
  const { journal, activities, port } = receiver;
  const disk = gate();
  journal.beforeStoring = disk.wait;
  const { socket, text, all } = openConnection(port);
  socket.write(bytesOf('a delivery', withLines('X-Twice: a', 'x-twice: b', 'X-Latin: \u00e9')));
  await disk.reached;
  await roundTrip(receiver);
  assert.equal(text(), '');
  assert.deepEqual(brief(activities), ['method 503']);
  disk.open();
  assert.deepEqual(statusesIn(await all), [200]);
  const [stored] = journal.stored;
  assert.ok(stored);
  const { headers, body, ...rest } = stored;
  assert.deepEqual(rest, {
    sequence: 1,
    receivedAt: noon,
    path: '/hook',
    idempotencyKey: '7d3c',
    signature: 'valid',
  });
  assert.deepEqual(headers.slice(0, 2), [
    ['Host', 'hooks.example.com'],
    ['Content-Type', 'application/json'],
  ]);
  // The bytes of the header, not the characters that they were meant to be.
  assert.deepEqual(headers.slice(-3), [
    ['X-Twice', 'a'],
    ['x-twice', 'b'],
    ['X-Latin', '\u00c3\u00a9'],
  ]);
  assert.equal(Buffer.from(body).toString(), delivery.split('\r\n\r\n')[1]);
  assert.deepEqual(activities.slice(1), [{ kind: 'stored', delivery: stored, milliseconds: 0 }]);
  assert.equal(journal.notes.length, 1);
});

test('a full or failing journal: 503, reported once until it works again', async (t) => {
  const { journal, activities, exchange } = await startReceiver(t, { secrets });
  journal.beforeStoring = () => Promise.reject(new JournalFull('the journal is full'));
  for (let count = 0; count < 2; count++) assert.deepEqual(statusesIn(await exchange(delivery)), [503]);
  journal.beforeStoring = () => {
    throw 'not even an Error';
  };
  assert.deepEqual(statusesIn(await exchange(delivery)), [503]);
  const { append } = journal;
  journal.append = () => {
    throw new Error('at once');
  };
  assert.deepEqual(statusesIn(await exchange(delivery)), [503]);
  Object.assign(journal, { append, beforeStoring: () => {} });
  for (let count = 0; count < 2; count++)
    assert.deepEqual(statusesIn(await exchange(bytesOf('a delivery', withoutKey))), [200]);
  assert.deepEqual(brief(activities), [
    'not-stored 503',
    'storage the journal is full',
    'not-stored 503',
    'not-stored 503',
    'storage not even an Error',
    'not-stored 503',
    'storage at once',
    'storage works',
    'stored 1',
    'stored 2',
  ]);
});

test('a hanging disk: 503 after 8 s; if the delivery is stored later, the retry is a duplicate', async (t) => {
  const clock = createTestClock();
  const receiver = await startReceiver(t, { secrets, clock });
  const { journal, activities, port, exchange } = receiver;
  const disk = gate();
  journal.beforeStoring = disk.wait;
  const first = openConnection(port);
  first.socket.write(delivery);
  await disk.reached;
  clock.advance(3_000);
  const later = gate();
  journal.beforeStoring = later.wait;
  const second = openConnection(port);
  second.socket.write(bytesOf('a delivery', withoutKey));
  await later.reached;
  clock.advance(4_999);
  await roundTrip(receiver);
  activities.length = 0;
  assert.equal(first.text(), '');
  clock.advance(1);
  assert.deepEqual(statusesIn(await first.all), [503]);
  assert.deepEqual(brief(activities), [
    'not-stored 503',
    'storage the disk has not confirmed a delivery for 8 s',
  ]);
  clock.advance(2_999);
  await roundTrip(receiver);
  assert.equal(second.text(), '');
  later.open();
  assert.deepEqual(statusesIn(await second.all), [200]);
  clock.advance(60_000);
  disk.open();
  journal.beforeStoring = () => {};
  assert.deepEqual(statusesIn(await exchange(delivery)), [200]);
  assert.deepEqual(brief(activities).slice(3), ['storage works', 'stored 1', 'stored 2', 'duplicate']);
  assert.deepEqual(clock.waits, [8_000, 8_000, 8_000]);
});

test('deliveries stored out of order leave the limit of the oldest unchanged', async (t) => {
  const clock = createTestClock();
  const { journal, port } = await startReceiver(t, { secrets, clock });
  const disks = [gate(), gate(), gate()];
  const connections = [];
  for (const disk of disks) {
    journal.beforeStoring = disk.wait;
    const connection = openConnection(port);
    connection.socket.write(bytesOf('a delivery', withoutKey));
    await disk.reached;
    connections.push(connection);
  }
  const [first, second, third] = connections;
  disks[2]?.open();
  assert.deepEqual(statusesIn((await third?.all) ?? ''), [200]);
  disks[1]?.open();
  assert.deepEqual(statusesIn((await second?.all) ?? ''), [200]);
  clock.advance(8_000);
  assert.deepEqual(statusesIn((await first?.all) ?? ''), [503]);
});

test('a failure after the 503 sends no second response', async (t) => {
  const clock = createTestClock();
  const { journal, activities, port } = await startReceiver(t, { secrets, clock });
  const disk = gate();
  journal.beforeStoring = async () => {
    await disk.wait();
    throw new Error('the disk is gone');
  };
  const { socket, all } = openConnection(port);
  socket.write(delivery);
  await disk.reached;
  clock.advance(8_000);
  assert.deepEqual(statusesIn(await all), [503]);
  disk.open();
  await clock.nextTurn();
  assert.deepEqual(brief(activities).slice(1), [
    'storage the disk has not confirmed a delivery for 8 s',
    'storage the disk is gone',
  ]);
});

test('a duplicate gets 200 and a note; without a key nothing is a duplicate', async (t) => {
  const { journal, activities, exchange } = await startReceiver(t, { secrets, clock: createTestClock() });
  for (const bytes of [delivery, delivery, ...Array(2).fill(bytesOf('a delivery', withoutKey))])
    assert.deepEqual(statusesIn(await exchange(bytes)), [200]);
  assert.deepEqual(brief(activities), ['stored 1', 'duplicate', 'stored 2', 'stored 3']);
  assert.deepEqual(journal.notes, [{ kind: 'duplicate', sequence: 1, time: noon }]);
  const empty = (head: readonly string[]) => [...withoutKey(head), 'Idempotency-Key:'];
  await exchange(bytesOf('a delivery', empty));
  assert.equal(journal.stored[3]?.idempotencyKey, undefined);
});

test('other methods get 503, except GET and HEAD on the health path', async (t) => {
  const { activities, journal, exchange } = await startReceiver(t, { secrets, healthPath: '/up' });
  for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'PATCH', 'PROPFIND']) {
    const answer = async (target: string) =>
      statusesIn(await exchange(`${method} ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`));
    const healthy = method === 'GET' || method === 'HEAD' ? 200 : 503;
    for (const target of ['/up', '/up?probe=1', 'http://a/up'])
      assert.deepEqual(await answer(target), [healthy]);
    for (const target of ['/', '/upper', '/up/', '*']) assert.deepEqual(await answer(target), [503], target);
  }
  assert.deepEqual(new Set(brief(activities)), new Set(['method 503']));
  assert.deepEqual(journal.stored, []);
});

test('by default any path accepts deliveries; with the option, only that path', async (t) => {
  const to = (target: string) => bytesOf('a delivery', withoutKey).replace('/hook', target);
  const any = await startReceiver(t, { secrets });
  for (const target of ['/', '/a?b=c', 'http://b/c?d', 'https://b', '*'])
    assert.deepEqual(statusesIn(await any.exchange(to(target))), [200]);
  assert.deepEqual(
    any.journal.stored.map(({ path }) => path),
    ['/', '/a?b=c', '/c?d', '/', '*'],
  );
  const restricted = await startReceiver(t, { secrets, path: '/hook' });
  const answers: number[] = [];
  for (const target of ['/hook', '/hook?x', 'http://b/hook', '/', '/hook/', '/Hook'])
    answers.push(...statusesIn(await restricted.exchange(to(target))));
  assert.deepEqual(answers, [200, 200, 200, 503, 503, 503]);
  assert.deepEqual(brief(restricted.activities).slice(-3), Array(3).fill('path 503'));
});

test('any byte in the path: 200 for bytes that a URL may contain, 503 for the rest', async (t) => {
  const { exchange, journal } = await startReceiver(t, { secrets });
  const [before, after] = bytesOf('a delivery', withoutKey).split('/hook');
  const accepted: number[] = [];
  for (let byte = 0; byte < 256; byte++) {
    const path = Buffer.from([0x2f, byte, 0x78]);
    const bytes = Buffer.concat([Buffer.from(before ?? ''), path, Buffer.from(after ?? '')]);
    const statuses = statusesIn(await exchange(bytes, { end: true }));
    if (statuses[0] === 200) accepted.push(byte);
    else assert.deepEqual(statuses, [503], `byte ${byte}`);
  }
  const printable = Array.from({ length: 0x7f - 0x21 }, (_, index) => index + 0x21);
  assert.deepEqual(accepted, printable);
  assert.equal(journal.stored.length, printable.length);
});

test("the receiver's own reachability check gets a response and is not reported", async (t) => {
  const challenges: string[] = [];
  let isOwn = true;
  const { exchange, activities } = await startReceiver(t, {
    secrets,
    onChallenge: (challenge) => {
      challenges.push(challenge);
      return isOwn;
    },
  });
  const text = await exchange(handshake);
  assert.match(text, /^X-Hook-Secret: 562e75ead14176f7/m);
  assert.deepEqual(activities, []);
  isOwn = false;
  await exchange(handshake);
  assert.deepEqual(brief(activities), ['handshake']);
  await exchange(bytesOf('a handshake with the signature of its challenge'));
  assert.deepEqual(challenges, Array(2).fill('Hf7Ks02mQzX9Lp4RtVb8Nc6WdYg1Jj3E'));
});

test('a body in many pieces is stored unchanged; a body that is too large gets 503', async (t) => {
  const { journal, activities, port, exchange } = await startReceiver(t, {
    secrets: [],
    unsigned: true,
    maxBodyBytes: 100_000,
  });
  const body = Buffer.from(Array.from({ length: 100_000 }, (_, at) => at % 251));
  const { socket, all } = openConnection(port);
  socket.write('POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n');
  for (let at = 0; at < body.length; ) {
    const piece = body.subarray(at, at + 1 + (at % 7_001));
    socket.write(`${piece.length.toString(16)}\r\n`);
    socket.write(piece);
    socket.write('\r\n');
    at += piece.length;
  }
  socket.write('0\r\n\r\n');
  assert.deepEqual(statusesIn(await all), [200]);
  assert.ok(body.equals(journal.stored[0]?.body ?? Buffer.alloc(0)));
  const head = 'POST / HTTP/1.1\r\nContent-Length: 100001\r\n\r\n';
  // The rest of it is read all the same, and the connection goes on.
  const next = 'POST / HTTP/1.1\r\nContent-Length: 1\r\nConnection: close\r\n\r\n1';
  assert.deepEqual(statusesIn(await exchange(`${head}${'x'.repeat(100_001)}${next}`)), [503, 200]);
  assert.deepEqual(brief(activities), ['stored 1', 'too-large 503', 'stored 2']);
});

test('large arriving bodies share one limit, and never keep small bodies out', async (t) => {
  const { journal, activities, port, exchange } = await startReceiver(t, {
    unsigned: true,
    maxHeldBytes: 1_000_000,
  });
  const large = (length: number) =>
    `POST / HTTP/1.1\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n${'x'.repeat(length)}`;
  const waiting = openConnection(port);
  waiting.socket.write(large(1_200_000).slice(0, -1));
  // It is past what a connection can hold unread, so the receiver has nearly all of it.
  while (waiting.socket.writableLength > 0) await once(waiting.socket, 'drain');
  while (!brief(activities).includes('busy 503')) await exchange(large(600_000));
  assert.deepEqual(statusesIn(await exchange(large(40_000))), [200]);
  waiting.socket.destroy();
  // This end may be closed before the receiver notices, and frees the memory.
  while (statusesIn(await exchange(large(600_000)))[0] !== 200);
  const disk = gate();
  journal.beforeStoring = disk.wait;
  const storing = openConnection(port);
  storing.socket.write(large(900_000));
  await disk.reached;
  const before = activities.length;
  // What waits for the disk counts whole, be it small.
  assert.deepEqual(statusesIn(await exchange(large(110_000))), [503]);
  assert.deepEqual(brief(activities).slice(before), ['not-stored 503']);
  disk.open();
  assert.deepEqual(statusesIn(await storing.all), [200]);
  assert.deepEqual(statusesIn(await exchange(large(900_000))), [200]);
});

test('the memory of a large body is freed after every outcome', async (t) => {
  const { exchange, activities } = await startReceiver(t, {
    secrets,
    maxHeldBytes: 500_000,
    maxBodyBytes: 600_000,
  });
  const large = (length: number, line = '') =>
    `POST / HTTP/1.1\r\n${line}Content-Length: ${length}\r\nConnection: close\r\n\r\n${'x'.repeat(length)}`;
  for (let count = 0; count < 4; count++) {
    await exchange(large(500_000));
    await exchange(large(500_000, 'X-Hook-Signature: 00\r\n'));
    await exchange(large(700_000));
    await exchange(large(500_000).slice(0, -1), { end: true });
  }
  // It would have to be held while it waits for the disk.
  const body = 'x'.repeat(550_000);
  const signed = large(body.length, `X-Hook-Signature: ${sign('s3cret', body)}\r\n`);
  for (let count = 0; count < 2; count++) await exchange(signed);
  const each = ['no-signature 503', 'bad-signature 503', 'too-large 503', 'malformed 503'];
  const four = [...each, ...each, ...each, ...each];
  assert.deepEqual(brief(activities), [...four, 'not-stored 503', 'not-stored 503']);
  assert.deepEqual(statusesIn(await exchange(delivery)), [200]);
});

test('an aborted request stores nothing', async (t) => {
  const { journal, activities, exchange } = await startReceiver(t, { secrets });
  assert.deepEqual(statusesIn(await exchange(delivery.slice(0, -1), { end: true })), [503]);
  assert.deepEqual(journal.stored, []);
  assert.deepEqual(brief(activities), ['malformed 503']);
});

test('a client that has closed its side still gets the response', async (t) => {
  const receiver = await startReceiver(t, { secrets });
  const { journal, port } = receiver;
  const disk = gate();
  journal.beforeStoring = disk.wait;
  const { socket, all } = openConnection(port);
  socket.end(delivery);
  await disk.reached;
  await roundTrip(receiver);
  disk.open();
  assert.deepEqual(statusesIn(await all), [200]);
});
