// Claims of two forwarders on the same consumer, which a stream in memory keeps as NATS does: who may send, and who learns that the
// other has.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Claim } from '../../../src/receiver/sink/held-claim.ts';
import { type Claims, createClaims } from '../../../src/receiver/sink/sink-claims.ts';
import type { NatsConnection } from '../../../src/world/world.ts';
import { createTestClock, type TestClock } from '../../clock.ts';

const noResponse = { fault: 'timeout', detail: 'no response' } as const;

interface StreamInMemory extends Pick<NatsConnection, 'publish' | 'read'> {
  /** The next response is lost, and what was published is not. */
  lose(): void;
  /** The next one gets no response, and is stored only just before the one after it: both were compared with the same last record. */
  delay(): void;
  /** No quorum, or that is over. */
  setDown(value: boolean): void;
  /** A new leader, which does not have so many of the last records until it stores the next one, or `catchUp`. */
  elect(lacking: number): void;
  catchUp(): void;
  /** So many are compared with the same last record before the first of them is stored. */
  together(count: number): void;
  recreate(): void;
}

function streamInMemory(clock: TestClock): StreamInMemory {
  let records: { sequence: number; time: number; payload: Uint8Array }[] = [];
  let isLosing = false;
  let isDelaying = false;
  let delayed: Uint8Array | undefined;
  let isDown = false;
  let lacking = 0;
  let waiting: (() => void)[] = [];
  let awaited = 0;
  const store = (payload: Uint8Array) => {
    const sequence = records.length + 1;
    records.push({ sequence, time: clock.now(), payload });
    return sequence;
  };
  const visible = () => records.slice(0, records.length - lacking);
  return {
    lose() {
      isLosing = true;
    },
    delay() {
      isDelaying = true;
    },
    setDown(value) {
      isDown = value;
    },
    elect(count) {
      lacking = count;
    },
    catchUp() {
      lacking = 0;
    },
    together(count) {
      awaited = count;
    },
    recreate() {
      records = [];
    },
    async publish(_subject, payload, { expectedLast }) {
      if (isDown) return noResponse;
      if (expectedLast !== undefined && expectedLast !== visible().at(-1)?.sequence)
        return { fault: 'conflict', detail: 'wrong last sequence' };
      if (awaited > 0) {
        awaited -= 1;
        const isLast = awaited === 0;
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
          if (!isLast) return;
          for (const next of waiting) next();
          waiting = [];
        });
      }
      lacking = 0;
      if (isDelaying) {
        isDelaying = false;
        delayed = payload;
        return noResponse;
      }
      if (delayed) store(delayed);
      delayed = undefined;
      const sequence = store(payload);
      if (!isLosing) return { sequence, isDuplicate: false };
      isLosing = false;
      return noResponse;
    },
    async read(_stream, which) {
      if (isDown) return noResponse;
      const found =
        'firstOf' in which ? visible().find(({ sequence }) => sequence >= which.from) : visible().at(-1);
      return found ? { ...found, subject: '', id: undefined } : { fault: 'not-found', detail: 'no message' };
    },
  };
}

const limits = { holdMs: 10_000, unchangedMs: 5_000 };

function two() {
  const clock = createTestClock();
  const nats = streamInMemory(clock);
  const make = (holder: string): Claims => createClaims({ nats, clock, stream: 'S', holder, ...limits });
  return { clock, nats, one: make('one'), other: make('other') };
}

/** What the stream stored with this number, one each second. */
const delivery = (sequence: number, stream = 0) => ({ sequence, time: (stream + sequence) * 1_000 });

/** Asks every second, as a forwarder does that has it in hand: the first and the last response. */
async function watch(clock: TestClock, claims: Claims, seconds: number) {
  const first = await claims.claim('c-1', delivery(5));
  let last = first;
  for (let second = 0; second < seconds; second++) {
    clock.advance(1_000);
    last = await claims.claim('c-1', delivery(5));
  }
  return [first, last];
}

const sending = (forMs: number) => ({ kind: 'taken', forMs, isSending: true });

async function claimed(claims: Claims, sequence: number, stream = 0): Promise<Claim> {
  const result = await claims.claim('c-1', delivery(sequence, stream));
  assert.ok('kind' in result && result.kind === 'claimed', JSON.stringify(result));
  return result.claim;
}

test('what one has settled, the other does not send', async () => {
  const { one, other } = two();
  assert.equal(await (await claimed(one, 5)).record('forwarded', 1), 'recorded');
  assert.deepEqual(await other.claim('c-1', delivery(5)), { kind: 'settled' });
  assert.deepEqual(await other.claim('c-1', delivery(4)), { kind: 'settled' });
  assert.equal((await claimed(other, 6)).attempts, 0);
});

test('what one is sending, the other leaves alone until ten seconds have passed without a sign of life', async () => {
  const { clock, one, other } = two();
  const claim = await claimed(one, 5);
  clock.advance(4_000);
  assert.deepEqual(await watch(clock, other, 2), [sending(6_000), sending(4_000)]);
  assert.equal(await claim.renew(), 'recorded');
  assert.deepEqual(await watch(clock, other, 9), [sending(10_000), sending(1_000)]);
  clock.advance(1_000);
  await claimed(other, 5);
  assert.equal(await claim.renew(), 'lost');
  assert.equal(await claim.record('forwarded', 1), 'lost');
});

test('attempts count across forwarders, and a retry may be claimed at once', async () => {
  const { one, other } = two();
  await (await claimed(one, 5)).record('retry', 3);
  assert.equal((await claimed(other, 5)).attempts, 3);
});

test('a retry with a wait is not claimed before, by nobody', async () => {
  const { clock, one, other } = two();
  await (await claimed(one, 5)).record('retry', 3, 60_000);
  for (const claims of [one, other]) {
    const early = await claims.claim('c-1', delivery(5));
    assert.ok('kind' in early && early.kind === 'taken' && early.forMs > 59_000, JSON.stringify(early));
  }
  clock.advance(60_000);
  assert.equal((await claimed(other, 5)).attempts, 3);
});

test('after a freeze nothing is sent on an old claim', async () => {
  const { clock, one } = two();
  const claim = await claimed(one, 5);
  assert.equal(claim.isFresh(), true);
  clock.stop(6_000);
  assert.equal(claim.isFresh(), false);
});

test('a result whose response was lost is recorded all the same', async () => {
  const { nats, one, other } = two();
  const claim = await claimed(one, 5);
  nats.lose();
  // It may be there or not.
  assert.ok(typeof (await claim.record('forwarded', 1)) === 'object');
  assert.equal(await claim.record('forwarded', 1), 'recorded');
  assert.deepEqual(await other.claim('c-1', delivery(5)), { kind: 'settled' });
});

test('after an outage, who has sent something records that before another takes it over', async () => {
  for (const isAsked of [true, false]) {
    const { clock, nats, one, other } = two();
    const claim = await claimed(one, 5);
    clock.advance(1_000);
    assert.deepEqual(await other.claim('c-1', delivery(5)), sending(9_000));
    nats.setDown(true);
    clock.advance(30_000);
    if (isAsked) assert.deepEqual(await other.claim('c-1', delivery(5)), noResponse);
    assert.deepEqual(await claim.record('forwarded', 1), noResponse);
    nats.setDown(false);
    assert.deepEqual(await watch(clock, other, 4), [sending(5_000), sending(1_000)]);
    assert.equal(await claim.record('forwarded', 1), 'recorded');
    assert.deepEqual(await other.claim('c-1', delivery(5)), { kind: 'settled' });
  }
});

test('after an outage, what was sent by one that is gone is taken over', async () => {
  const { clock, one, other } = two();
  await claimed(one, 5);
  clock.advance(30_000);
  assert.deepEqual(await watch(clock, other, 4), [sending(5_000), sending(1_000)]);
  clock.advance(1_000);
  await claimed(other, 5);
});

test('a claim whose response was lost is claimed again by the same forwarder', async () => {
  const { nats, one } = two();
  nats.lose();
  const first = await one.claim('c-1', delivery(5));
  assert.ok('fault' in first && first.fault === 'timeout');
  assert.equal((await claimed(one, 5)).attempts, 0);
});

test('a claim that is stored late is not taken for the claim of another delivery', async () => {
  const { nats, one, other } = two();
  await (await claimed(one, 4)).record('forwarded', 1);
  nats.delay();
  assert.deepEqual(await one.claim('c-1', delivery(5)), noResponse);
  // Meanwhile the stream has dropped that one for its age.
  assert.deepEqual(await one.claim('c-1', delivery(6)), { kind: 'taken', forMs: 0, isSending: false });
  await claimed(one, 6);
  assert.deepEqual(await other.claim('c-1', delivery(6)), sending(10_000));
});

test('a renewal holds from its own time, not from that of one before it whose response was lost', async () => {
  const { clock, nats, one, other } = two();
  const claim = await claimed(one, 5);
  nats.lose();
  assert.deepEqual(await claim.renew(), noResponse);
  clock.advance(4_000);
  nats.elect(1);
  assert.equal(await claim.renew(), 'recorded');
  clock.advance(1_000);
  assert.deepEqual(await other.claim('c-1', delivery(5)), sending(9_000));
  assert.equal(await claim.record('forwarded', 1), 'recorded');
  assert.deepEqual(await other.claim('c-1', delivery(5)), { kind: 'settled' });
});

test('a stream that was created again: what has an old number is not taken for settled', async () => {
  const { one, other } = two();
  const again = 100;
  assert.equal(await (await claimed(one, 5)).record('forwarded', 1), 'recorded');
  assert.equal((await claimed(other, 4, again)).attempts, 0);
  assert.equal(await (await claimed(other, 5, again)).record('retry', 2), 'recorded');
  assert.equal((await claimed(one, 5, again)).attempts, 2);
});

test('a forwarder whose clock is an hour behind takes over after ten seconds too', async () => {
  const { clock, nats, one } = two();
  await claimed(one, 5);
  const behind = { now: () => clock.now() - 3_600_000, monotonic: () => clock.monotonic() };
  const late = createClaims({ nats, clock: behind, stream: 'S', holder: 'late', ...limits });
  assert.deepEqual(await watch(clock, late, 9), [sending(10_000), sending(1_000)]);
  clock.advance(1_000);
  await claimed(late, 5);
});

test('of several that claim at the same time one gets it, whatever the server compares', async () => {
  for (const isFirst of [true, false]) {
    const { clock, nats, one, other } = two();
    const third = createClaims({ nats, clock, stream: 'S', holder: 'third', ...limits });
    if (!isFirst) await (await claimed(one, 4)).record('forwarded', 1);
    nats.together(3);
    const results = await Promise.all([one, other, third].map((claims) => claims.claim('c-1', delivery(5))));
    const kinds = results.map((result) => ('kind' in result ? result.kind : result.fault));
    assert.deepEqual(kinds.toSorted(), ['claimed', 'taken', 'taken']);
    const [winner] = results.flatMap((result) => ('claim' in result ? [result.claim] : []));
    assert.equal(await winner?.record('forwarded', 1), 'recorded');
    for (const claims of [one, other, third])
      assert.deepEqual(await claims.claim('c-1', delivery(5)), { kind: 'settled' });
  }
});

test('a server that does not have all yet: what is settled, nobody claims', async () => {
  for (const lacking of [1, 2, 3, 4]) {
    const { clock, nats, one } = two();
    for (const sequence of [5, 6]) await (await claimed(one, sequence)).record('forwarded', 1);
    const starting = createClaims({ nats, clock, stream: 'S', holder: 'starting', ...limits });
    nats.elect(lacking);
    // Without the last record it is as if the other one were still sending.
    const kind = lacking === 1 ? 'taken' : 'settled';
    const claim = await starting.claim('c-1', delivery(6));
    assert.equal('kind' in claim && claim.kind, kind, `${lacking}`);
    nats.catchUp();
    assert.deepEqual(await starting.claim('c-1', delivery(6)), { kind: 'settled' });
    await (await claimed(one, 7)).record('forwarded', 1);
    await claimed(starting, 8);
  }
});

test('a server that does not have all yet: the result of an attempt is recorded once it has', async () => {
  const { nats, one, other } = two();
  await (await claimed(other, 4)).record('forwarded', 1);
  const claim = await claimed(one, 5);
  nats.elect(1);
  const recorded = await claim.record('forwarded', 1);
  assert.ok(typeof recorded === 'object' && recorded.fault === 'no-quorum', JSON.stringify(recorded));
  nats.catchUp();
  assert.equal(await claim.record('forwarded', 1), 'recorded');
  assert.deepEqual(await other.claim('c-1', delivery(5)), { kind: 'settled' });
});

test('a server that does not have all yet is not believed, however often there is one', async () => {
  const { clock, nats, one } = two();
  for (const sequence of [5, 6]) await (await claimed(one, sequence)).record('forwarded', 1);
  for (let time = 0; time < 2; time++) {
    nats.elect(1);
    const last = await one.last('c-1', true);
    assert.ok('fault' in last && last.fault === 'no-quorum', JSON.stringify(last));
    nats.catchUp();
    assert.ok(!('fault' in (await one.last('c-1', true))));
    clock.advance(20_000);
  }
});

test('a renewal whose response was lost does not count after the result', async () => {
  const { nats, one, other } = two();
  const claim = await claimed(one, 5);
  nats.lose();
  assert.deepEqual(await claim.renew(), noResponse);
  nats.elect(1);
  assert.equal(await claim.record('forwarded', 1), 'recorded');
  assert.deepEqual(await other.claim('c-1', delivery(5)), { kind: 'settled' });
});

test('a stream of progress that was created again is believed after ten seconds', async () => {
  const { clock, nats, one } = two();
  for (const sequence of [5, 6]) await (await claimed(one, sequence)).record('forwarded', 1);
  nats.recreate();
  const before = await one.last('c-1', true);
  assert.ok('fault' in before && before.fault === 'no-quorum', JSON.stringify(before));
  clock.advance(10_000);
  assert.equal((await claimed(one, 7)).attempts, 0);
});

test('a renewal that is due while the result is recorded changes nothing', async () => {
  const { one, other } = two();
  const claim = await claimed(one, 5);
  const renewing = claim.renew();
  const recording = claim.record('retry', 3, 60_000);
  const late = claim.renew();
  assert.deepEqual(await Promise.all([renewing, recording, late]), ['lost', 'recorded', 'lost']);
  const early = await other.claim('c-1', delivery(5));
  assert.ok('kind' in early && early.kind === 'taken' && !early.isSending, JSON.stringify(early));
});

test('a result that comes after another has taken over is not believed', async () => {
  const { clock, nats, one, other } = two();
  const claim = await claimed(one, 5);
  clock.advance(30_000);
  await watch(clock, other, 4);
  clock.advance(1_000);
  await claimed(other, 5);
  // The server does not know of that claim yet.
  nats.elect(1);
  assert.equal(await claim.record('forwarded', 1), 'lost');
  const next = await one.claim('c-1', delivery(6));
  assert.ok('kind' in next && next.kind !== 'settled', JSON.stringify(next));
});

test('after a conflict, what another is sending is not passed over for a later one', async () => {
  const { one, other } = two();
  await (await claimed(one, 4)).record('forwarded', 1);
  await one.last('c-1', true);
  await claimed(other, 5);
  assert.deepEqual(await one.claim('c-1', delivery(6)), { kind: 'taken', forMs: 0, isSending: false });
});
