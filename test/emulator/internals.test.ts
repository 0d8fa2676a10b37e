// Parts whose edge cases HTTP does not reach easily: the queue, ordering keys, random texts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSendToReceiver } from '#emulator/dispatch/send-to-receiver.ts';
import { Queue } from '#emulator/dispatch/webhook-queues.ts';
import { createEndOfTurn } from '#emulator/service/service.ts';
import { settingsFrom } from '#emulator/service/settings.ts';
import { keyAfter, keyBetween } from '#emulator/task/priority.ts';
import { randomText } from '#random-values.ts';
import { randomBytes } from '#world/random.ts';
import type { Http, HttpOptions } from '#world/world.ts';

test('a turn ends once for all its waiters, and the next turn is another', async () => {
  const ends: (() => void)[] = [];
  const turn = createEndOfTurn({ nextTurn: () => new Promise((resolve) => ends.push(resolve)) });
  const first = turn();
  assert.equal(turn(), first);
  ends[0]?.();
  await first;
  const second = turn();
  assert.notEqual(second, first);
  assert.equal(ends.length, 2);
});

test('a queue keeps its order, however long it grows', () => {
  const queue = new Queue<number>();
  let next = 0;
  for (let i = 0; i < 10_000; i++) {
    queue.push(i);
    if (i % 3 === 0) assert.equal(queue.shift(), next++);
  }
  assert.equal(queue.length, 10_000 - next);
  while (queue.length > 0) assert.equal(queue.shift(), next++);
  assert.equal(next, 10_000);
  assert.equal(queue.shift(), undefined);
  queue.push(1);
  assert.equal(queue.shift(), 1);
});

test('there is always a key between two others, and after the last', () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  const keys = ['018', '028'];
  for (let i = 0; i < 2_000; i++) {
    const place = random(keys.length + 1);
    const [low, high] = [keys[place - 1] ?? '', keys[place] ?? ''];
    const key = keyBetween(low, high);
    assert.ok(low < key && (high === '' || key < high), `${low} ${key} ${high}`);
    assert.doesNotMatch(key, /0$/);
    keys.splice(place, 0, key);
  }
  let last = keys.at(-1) ?? '';
  for (let i = 0; i < 2_000; i++) {
    const key = keyAfter(last);
    assert.ok(key > last && key.length <= 10);
    last = key;
  }
  assert.ok(keyAfter('ffffffff8') > 'ffffffff8');
});

test('random texts are letters and digits of the requested length', () => {
  const texts = Array.from({ length: 200 }, () => randomText({ randomBytes }, 43));
  assert.equal(new Set(texts).size, 200);
  for (const text of texts) assert.match(text, /^[A-Za-z0-9]{43}$/);
});

test('deliveries may go to global addresses, and to this machine only by a literal address', async () => {
  const asked: HttpOptions[] = [];
  const http: Http = {
    send(_, options) {
      asked.push(options);
      return Promise.resolve({ status: 200, headers: {}, body: new Uint8Array() });
    },
  };
  const reach = async (url: string, address: string, allowLocalHooks: boolean) => {
    const post = createSendToReceiver(
      { http },
      settingsFrom({ allowLocalHooks }),
      new AbortController().signal,
    );
    await post(url, {}, '[]');
    return asked.at(-1)?.allowAddress?.(address);
  };
  assert.equal(await reach('https://hooks.example.com/', '8.8.8.8', false), true);
  assert.equal(await reach('https://hooks.example.com/', '10.0.0.1', true), false);
  // A name that means this machine is a way around the rule, not a wish to receive here.
  assert.equal(await reach('https://hooks.example.com/', '127.0.0.1', true), false);
  assert.equal(await reach('http://127.0.0.1:4000/', '127.0.0.1', true), true);
  assert.equal(await reach('http://localhost:4000/', '::1', true), true);
  assert.equal(await reach('http://127.0.0.1:4000/', '127.0.0.1', false), false);
});
