// What the page counts: the minutes of its chart, in bars and in a sentence, and what a screen reader is told.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Activity } from '#receiver/core/intake/delivery-journal.ts';
import { createPageCounters, drawOverview } from '#receiver/page/page-overview.ts';
import { noon } from '#test/support/clock.ts';
import { sampleAttempt, sampleDelivery } from '../core/intake/samples.ts';
import { textIn } from './page-html.ts';

const minute = 60_000;
const delivery = sampleDelivery();
const stored: Activity = { kind: 'stored', delivery, milliseconds: 1 };
const attempt = (verdict: 'forwarded' | 'retry' | 'dead'): Activity => ({
  ...sampleAttempt(1, { verdict }),
  delivery,
});

test('shows one hour, whichever way the clock is set', () => {
  const traffic = createPageCounters(noon);
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

const state = { unfinished: 0, fault: undefined, stale: null, stuck: [] };

test('describes the chart in a sentence, and draws a smallest bar', () => {
  const traffic = createPageCounters(noon);
  const draw = (now: number) => drawOverview(traffic, state, now).text;
  assert.match(textIn(draw(noon), 'chart-text'), /^Since \d\d:\d\d: 0 deliveries, 0 failures\.$/);
  traffic.add(attempt('retry'), noon);
  for (const [at, count] of [1, 2000, 2000, 5].entries())
    traffic.add({ kind: 'passed', count }, noon + at * minute);
  const hour = noon + 60 * minute;
  assert.match(
    textIn(draw(noon), 'chart-text'),
    /^Since \d\d:00: 1 delivery, 1 failure\. Busiest minute: \d\d:00, with 1\.$/,
  );
  assert.match(
    textIn(draw(hour), 'chart-text'),
    /^Last hour: 4,005 deliveries, 0 failures\. Busiest minute: \d\d:01, with 2,000\.$/,
  );
  assert.match(draw(hour), /class="good" x="16" y="93" width="6" height="2"\/>/, 'at least two pixels');
});

test('tells a screen reader every ten seconds what happened, or nothing if nothing did', () => {
  const traffic = createPageCounters(noon);
  traffic.add(stored, noon);
  assert.equal(traffic.summary(noon + 9_999), '');
  assert.equal(traffic.summary(noon + 10_000), '1 received');
  traffic.add({ kind: 'passed', count: 2000 }, noon + 11_000);
  for (const activity of [attempt('forwarded'), attempt('dead')]) traffic.add(activity, noon + 11_000);
  traffic.add({ kind: 'rejected', time: noon, reason: 'method', status: 403, leftOut: 2 }, noon + 11_000);
  assert.equal(traffic.summary(noon + 19_999), '1 received');
  const said = '2,000 received, 1 forwarded, 1 failed, 3 rejected';
  assert.deepEqual([traffic.summary(noon + 20_000), traffic.summary(noon + 90_000)], [said, said]);
});
