// Receivers that respond with a 5xx now and then, whatever a request contains: `wm webhook verify` says so, and blames no content for it.
// A receiver that always fails for one content is still told which.

import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { createWorld } from '#world/create-world.ts';
import {
  type Arrived,
  isHandshake,
  type Respond,
  respondRightly,
  secret,
  startReceiver,
} from './receivers.ts';
import { verifying } from './verified.ts';

const right = respondRightly();
const events = ['--events', 'TaskStatusChanged,FolderCreated'];
const account = await verifying({ after });

async function verifyWith(context: TestContext, respond: Respond, { isSigned = true } = {}) {
  const receiver = await startReceiver(context, respond);
  const ran = await account.verify([receiver.url, ...events], { secret: isSigned ? secret : undefined });
  return { ...ran, receiver };
}

/** `isDown`: by the number of the request, from 1. */
function flapping(isDown: (request: number) => boolean, respond: Respond = right, status = 503): Respond {
  let count = 0;
  return (arrived) => (isDown(++count) ? { status } : respond(arrived));
}

/** The same numbers from 0 to 1 for a seed: mulberry32. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const failedChecks = ({ results }: Awaited<ReturnType<typeof verifyWith>>) =>
  results.filter(({ outcome }) => outcome === 'fail').map(({ check }) => check);

const numerals = ['', '', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

for (const period of [2, 3, 4, 5, 7])
  for (const isSigned of [true, false])
    test(`503 to every request number ${period}, ${isSigned ? 'signed' : 'not signed'}: reported, wherever it begins`, async (context) => {
      for (let first = 1; first <= period; first++) {
        let downs = 0;
        const isDown = (request: number) => {
          const isNow = request % period === first % period;
          if (isNow) downs++;
          return isNow;
        };
        const ran = await verifyWith(context, flapping(isDown, isSigned ? right : () => ({ status: 200 })), {
          isSigned,
        });
        assert.deepEqual(failedChecks(ran), downs > 0 ? ['availability'] : [], ran.cause);
        if (downs === 0) continue;
        const total = ran.receiver.arrived.length;
        const share = `one request in ${numerals[Math.round(total / downs)]} (${downs} of ${total}), whatever it contains`;
        assert.ok(
          ran.cause.startsWith(`availability: it responds with 503 to about ${share}: 503: `),
          ran.cause,
        );
        if (isSigned && period < 4) assert.equal(Math.round(total / downs), period);
      }
    });

test('503 at random: reports that, and blames no content', async (context) => {
  for (let seed = 1; seed <= 60; seed++) {
    const random = randomOf(seed);
    const share = 0.1 + (seed % 6) / 10;
    let wasDown = false;
    const isDown = () => {
      const isNow = random() < share;
      wasDown ||= isNow;
      return isNow;
    };
    const ran = await verifyWith(context, flapping(isDown));
    assert.deepEqual(failedChecks(ran), wasDown ? ['availability'] : [], `seed ${seed}: ${ran.cause}`);
  }
});

const rejects: Readonly<Record<string, (arrived: Arrived) => boolean>> = {
  'spaces in the body': ({ body }) => body.includes('\n'),
  'unknown field': ({ body }) => body.includes('addedByTheService'),
  'large body': ({ body }) => body.length > 100_000,
  'events without taskId': ({ body }) => body.includes('FolderCreated'),
  handshake: ({ body }) => isHandshake(body),
};

for (const [check, isRejected] of Object.entries(rejects))
  for (const status of [500, 503])
    test(`${check}, ${status} each time: blames it, even with another status now and then`, async (context) => {
      const steady: Respond = (arrived) => (isRejected(arrived) ? { status } : right(arrived));
      const alone = await verifyWith(context, steady);
      assert.ok(failedChecks(alone).includes(check), alone.cause);
      assert.ok(!failedChecks(alone).includes('availability'), alone.cause);
      const both = await verifyWith(
        context,
        flapping((request) => request % 4 === 0, steady, 502),
      );
      assert.ok(failedChecks(both).includes(check), both.cause);
      assert.match(both.why('availability'), /^it responds with 502 to about one request in /);
    });

test('a status that other content gets now and then does not explain content that always gets it', async (context) => {
  const steady: Respond = (arrived) => (rejects['large body']?.(arrived) ? { status: 503 } : right(arrived));
  const ran = await verifyWith(
    context,
    flapping((request) => request % 5 === 0, steady),
  );
  assert.deepEqual(failedChecks(ran), ['availability']);
  assert.deepEqual(
    [ran.of('large body').outcome, ran.of('large body').why],
    ['not-checked', '503; see availability'],
  );
});

test('sends no request twice to a receiver that works or rejects', async (context) => {
  for (const respond of [
    right,
    () => ({ status: 404 }),
    () => ({ status: 503, headers: { 'X-Wm-Rejected': 'path' } }),
  ]) {
    const { receiver } = await verifyWith(context, respond);
    const keys = receiver.arrived
      .map(
        ({ headers }) =>
          `${headers['x-hook-secret']} ${headers['x-hook-signature']} ${headers['content-type']}`,
      )
      .filter((key) => !key.startsWith('undefined'));
    assert.equal(new Set(keys).size, keys.length);
  }
});

test('repeats slow 5xx responses only as long as one response may take', async (context) => {
  let elapsed = 0;
  const clock = { ...createWorld().clock, monotonic: () => elapsed };
  const receiver = await startReceiver(context, () => {
    elapsed += 6_000;
    return { status: 504 };
  });
  await account.verify([receiver.url, ...events, '--within', '10'], { world: { clock } });
  // A handshake, two events, and one more to see why, and two repeats.
  assert.equal(
    receiver.arrived.filter(({ headers }) => headers['x-hook-secret'] !== undefined).length,
    4 + 2,
  );
});

test('an intermittent reason from wm does not blame the content either', async (context) => {
  const respond = flapping((request) => request % 3 === 0);
  const ran = await verifyWith(context, async (arrived) => {
    const answer = await respond(arrived);
    return answer.status === 503 ? { ...answer, headers: { 'X-Wm-Rejected': 'failed' } } : answer;
  });
  assert.match(ran.cause, /^availability: .*, whatever it contains: 503: its onDelivery threw an error; /);
});

test('diagnose, resume and create report it too', async (context) => {
  const service = await verifying(context);
  const receiver = await startReceiver(context);
  const id = await service.create(receiver.url, events, secret);
  assert.equal((await service.wm(['webhook', 'suspend', id, '--yes'])).status, 0);
  const says = /availability(?: failed)?: it responds with 503 to about one request in (?:two|three)/;
  const run = (argv: readonly string[]) => {
    receiver.respond = flapping((request) => request % 2 === 1);
    return service.wm(['webhook', ...argv, '--within', '300'], {
      environment: { WM_WEBHOOK_SECRET: secret },
    });
  };
  assert.match((await run(['diagnose', id])).output, says);
  assert.match((await run(['resume', id])).errors, says);
  const created = await run(['create', `${receiver.url}/2`]);
  assert.equal(created.status, 2);
  assert.match(
    created.errors,
    /^The handshake with \S+ failed: it responds with 503 to about one request in two \(1 of 2\)/m,
  );
});
