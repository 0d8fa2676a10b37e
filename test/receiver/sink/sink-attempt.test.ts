// An attempt under a claim: how it renews the claim, and that nothing of it outlives the attempt.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AttemptResult } from '../../../src/receiver/forwarding/target.ts';
import type { Claim } from '../../../src/receiver/sink/held-claim.ts';
import { attemptFromSink } from '../../../src/receiver/sink/sink-attempt.ts';
import { createTestClock } from '../../clock.ts';
import { sampleDelivery, sampleTarget } from '../samples.ts';

type Renewed = Awaited<ReturnType<Claim['renew']>>;

const forwarded: AttemptResult = { verdict: 'forwarded', outcome: '200', milliseconds: 1 };
const turn = () => new Promise((resolve) => setImmediate(resolve));

function trial() {
  const clock = createTestClock();
  const renewals: ((renewed: Renewed) => void)[] = [];
  let respond = (_result: AttemptResult) => {};
  let wasAborted = false;
  const result = attemptFromSink({
    clock,
    target: {
      name: sampleTarget,
      send: (_delivery, _attempt, signal) =>
        new Promise((resolve) => {
          respond = resolve;
          signal.addEventListener('abort', () => {
            wasAborted = true;
            resolve({ verdict: 'unavailable', outcome: 'aborted', milliseconds: 1 });
          });
        }),
    },
    claim: {
      attempts: 0,
      isFresh: () => true,
      renew: () => new Promise((resolve) => renewals.push(resolve)),
      record: async () => 'recorded',
    },
    delivery: sampleDelivery(),
    pass: { reached() {}, unreachable() {}, unused() {} },
    renewMs: 2_500,
    signal: new AbortController().signal,
  });
  return {
    result,
    respond: () => respond(forwarded),
    wasAborted: () => wasAborted,
    /** How many renewals there are by then. */
    async after(ms: number) {
      clock.advance(ms);
      await turn();
      return renewals.length;
    },
    async renewed(how: Renewed) {
      renewals.at(-1)?.(how);
      await turn();
    },
  };
}

test('it renews every 2.5 s, and a second after a renewal without a response', async () => {
  const { result, respond, after, renewed } = trial();
  assert.equal(await after(2_400), 0);
  assert.equal(await after(100), 1);
  await renewed('recorded');
  assert.equal(await after(2_400), 1);
  assert.equal(await after(100), 2);
  await renewed({ fault: 'timeout', detail: 'no response' });
  assert.equal(await after(1_000), 3);
  respond();
  assert.deepEqual(await result, forwarded);
});

test('a renewal that is under way when the attempt ends is the last one', async () => {
  const { result, respond, after, renewed } = trial();
  assert.equal(await after(2_500), 1);
  respond();
  assert.deepEqual(await result, forwarded);
  await renewed('recorded');
  assert.equal(await after(60_000), 1);
});

test('to lose the claim ends the attempt', async () => {
  const { result, after, renewed, wasAborted } = trial();
  await after(2_500);
  await renewed('lost');
  assert.equal(await result, 'lost');
  assert.equal(wasAborted(), true);
});
