// The minutes of the page's chart.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPageCounters } from '#receiver/commands/page/page-counters.ts';
import type { Activity } from '#receiver/intake/activity.ts';
import { noon } from '#test/clock.ts';
import { sampleAttempt, sampleDelivery } from '#test/receiver/intake/samples.ts';

const minute = 60_000;
const delivery = sampleDelivery();
const stored: Activity = { kind: 'stored', delivery, milliseconds: 1 };
const attempt = (verdict: 'forwarded' | 'retry' | 'dead'): Activity => ({
  ...sampleAttempt(1, { verdict }),
  delivery,
});

test('deliveries, and failures: attempts that failed, requests that were rejected', () => {
  const traffic = createPageCounters();
  for (const activity of [stored, stored, attempt('forwarded'), attempt('retry'), attempt('dead')])
    traffic.add(activity, noon);
  traffic.add({ kind: 'rejected', time: noon, reason: 'method', status: 503 }, noon + 1);
  for (const kind of ['handshake', 'duplicate'] as const)
    traffic.add({ kind, time: noon, sequence: 1 }, noon);
  traffic.add({ kind: 'storage', fault: 'full' }, noon);
  const at = Math.floor(noon / minute);
  assert.deepEqual(traffic.minutes(noon), [{ minute: at, received: 2, failed: 3 }]);
  assert.deepEqual(
    traffic.minutes(noon + minute),
    [{ minute: at, received: 2, failed: 3 }],
    'no empty minute',
  );
});

test('an hour is shown, whichever way the clock is set', () => {
  const traffic = createPageCounters();
  for (let count = 0; count < 100; count++) traffic.add(stored, noon + count * minute);
  const last = noon + 99 * minute;
  assert.equal(traffic.minutes(last).length, 60);
  assert.equal(traffic.minutes(last)[0]?.minute, Math.floor(noon / minute) + 40);
  assert.equal(traffic.minutes(last + minute).length, 59, 'a minute has gone by');
  // Set back by a day: what was in the future goes.
  traffic.add(stored, noon - 1440 * minute);
  assert.equal(traffic.minutes(noon - 1440 * minute).length, 1);
  assert.equal(traffic.minutes(last).length, 0);
});
