// The metrics: what each activity counts as, and that the text is what Prometheus reads, whatever hostile senders send.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Activity, JournalState } from '#receiver/core/intake/delivery-journal.ts';
import { createMetrics, type ReceiverState } from '#receiver/core/metrics/metrics.ts';
import { events } from '#test/witness/events.ts';
import { deliveryOf, idleJournal, sampleAttempt, sampleTarget } from '../intake/samples.ts';
import { readPrometheusText } from './read-prometheus-text.ts';

const now = (
  journal: Partial<JournalState> = {},
  targets: ReceiverState['forwarder']['targets'] = [],
): ReceiverState => ({
  time: 100_000,
  journal: { ...idleJournal, ...journal },
  forwarder: { targets },
});

const stored = (body: unknown, milliseconds = 3): Activity => ({
  kind: 'stored',
  delivery: deliveryOf(body),
  milliseconds,
});
const attempt = (
  verdict: 'forwarded' | 'retry' | 'dead',
  milliseconds: number,
  target = sampleTarget,
): Activity => ({
  ...sampleAttempt(1, { target, milliseconds, verdict, finishes: verdict !== 'retry' }),
  delivery: deliveryOf([{ eventType: 'TaskCreated' }]),
});

/** The samples of one metric after these activities. */
function count(name: string, activities: readonly Activity[], state: ReceiverState = now()) {
  const metrics = createMetrics();
  for (const activity of activities) metrics.onActivity(activity);
  const family = readPrometheusText(metrics.format(state)).get(name);
  assert.ok(family, name);
  assert.ok(family.help.endsWith('.'), `${name} has no sentence of help`);
  return Object.fromEntries([...family.samples].filter(([, value]) => value !== 0));
}

test('counts each request by its outcome; each outcome starts at 0', () => {
  const metrics = createMetrics();
  const initial = readPrometheusText(metrics.format(now())).get('wm_receiver_requests_total');
  assert.equal(initial?.samples.size, 17);
  const rejected = (reason: 'bad-signature' | 'method') =>
    ({ kind: 'rejected', time: 1, reason, status: 503 }) as const;
  const activities: Activity[] = [
    ...[stored([]), { kind: 'handshake', time: 1 } as const],
    ...[rejected('bad-signature'), rejected('bad-signature'), rejected('method')],
    { kind: 'duplicate', sequence: 1, time: 1 },
    { kind: 'storage', fault: 'full' },
    { kind: 'target', target: 'exec', fault: 'away' },
  ];
  assert.deepEqual(count('wm_receiver_requests_total', activities), {
    'wm_receiver_requests_total{outcome="stored"}': 1,
    'wm_receiver_requests_total{outcome="handshake"}': 1,
    'wm_receiver_requests_total{outcome="bad-signature"}': 2,
    'wm_receiver_requests_total{outcome="method"}': 1,
    'wm_receiver_requests_total{outcome="duplicate"}': 1,
  });
});

test('counts deliveries by event and outcome; a retry counts only as an attempt', () => {
  const activities = [
    stored([{ eventType: 'TaskCreated' }, { eventType: 'TaskCreated' }, { eventType: 'TaskDeleted' }]),
    stored({ eventType: 'TaskCreated' }),
    stored('not JSON'),
    ...[
      attempt('retry', 5),
      attempt('forwarded', 5),
      attempt('dead', 5, 'exec'),
      attempt('forwarded', 0, ''),
    ],
  ];
  const label = (event: string, outcome: string) =>
    `wm_receiver_deliveries_total{event="${event}",outcome="${outcome}"}`;
  assert.deepEqual(count('wm_receiver_deliveries_total', activities), {
    [label('TaskCreated', 'stored')]: 2,
    [label('TaskDeleted', 'stored')]: 1,
    [label('other', 'stored')]: 1,
    [label('TaskCreated', 'forwarded')]: 1,
    [label('TaskCreated', 'dead')]: 1,
    [label('TaskCreated', 'no-target')]: 1,
  });
  assert.deepEqual(count('wm_receiver_attempts_total', activities), {
    'wm_receiver_attempts_total{target="http://127.0.0.1:3000/hook",verdict="retry"}': 1,
    'wm_receiver_attempts_total{target="http://127.0.0.1:3000/hook",verdict="forwarded"}': 1,
    'wm_receiver_attempts_total{target="exec",verdict="dead"}': 1,
  });
  const deadLetters = 'wm_receiver_dead_letters_total';
  assert.deepEqual(count(deadLetters, activities), { [deadLetters]: 1 });
});

test('unknown event types share one label', () => {
  const names = Array.from({ length: 500 }, (_, at) => `Event${at}"\n\\`);
  const activities = [...names, 'toString', '__proto__', '', ...events.map(({ name }) => name)].map(
    (eventType) => stored([{ eventType }]),
  );
  const counts = count('wm_receiver_deliveries_total', activities);
  assert.equal(Object.keys(counts).length, events.length + 1);
  assert.equal(counts['wm_receiver_deliveries_total{event="other",outcome="stored"}'], 503);
});

test('times are in seconds, in cumulative buckets', () => {
  const name = 'wm_receiver_store_seconds';
  const bucket = (bound: string) => `${name}_bucket{le="${bound}"}`;
  const counts = count(name, [stored([], 1), stored([], 2), stored([], 70), stored([], 60_000)]);
  assert.deepEqual(
    ['0.001', '0.0025', '0.05', '0.1', '10', '+Inf'].map((bound) => counts[bucket(bound)]),
    [1, 2, 2, 3, 3, 4],
  );
  assert.ok(Math.abs((counts[`${name}_sum`] ?? 0) - 60.073) < 1e-9);
  const both = [attempt('retry', 30_000), attempt('forwarded', 20)];
  const forwarded = count('wm_receiver_forward_seconds', both);
  assert.equal(forwarded['wm_receiver_forward_seconds_bucket{le="0.025"}'], 1);
  assert.equal(forwarded['wm_receiver_forward_seconds_count'], 2);
});

test('the gauges show the current state of the journal and the targets', () => {
  const counts = { inFlight: 0, waiting: 0, retrying: 0 };
  const idle = { ...counts, fault: undefined, oldest: undefined, isBehind: false };
  const journal = { unfinished: 7, oldestUnfinished: 40_000, lastReceived: 90_500, bytes: 12_345, syncMs: 4 };
  const state = now({ ...journal, fault: 'full' }, [
    { ...idle, target: 'exec', inFlight: 1, waiting: 2, retrying: 3, oldest: 95_000 },
    { ...idle, target: 'http://a/', fault: 'connection refused' },
  ]);
  const text = readPrometheusText(createMetrics().format(state));
  const before = readPrometheusText(createMetrics().format(undefined));
  assert.ok(
    [...before.values()].every(({ type }) => type !== 'gauge'),
    'before there is a journal',
  );
  const gauges = [...text]
    .filter(([, { type }]) => type === 'gauge')
    .flatMap(([, { samples }]) => [...samples])
    .map(([name, value]) => `${name} ${value}`);
  assert.deepEqual(gauges, [
    'wm_receiver_lag_seconds 60',
    'wm_receiver_unfinished_deliveries 7',
    'wm_receiver_last_delivery_timestamp_seconds 90.5',
    'wm_receiver_journal_bytes 12345',
    'wm_receiver_sync_seconds 0.004',
    'wm_receiver_storage_fault 1',
    'wm_receiver_target_up{target="exec"} 1',
    'wm_receiver_target_up{target="http://a/"} 0',
    'wm_receiver_target_lag_seconds{target="exec"} 5',
    'wm_receiver_target_lag_seconds{target="http://a/"} 0',
    'wm_receiver_target_deliveries{state="in_flight",target="exec"} 1',
    'wm_receiver_target_deliveries{state="waiting",target="exec"} 2',
    'wm_receiver_target_deliveries{state="retrying",target="exec"} 3',
    ...['in_flight', 'waiting', 'retrying'].map(
      (at) => `wm_receiver_target_deliveries{state="${at}",target="http://a/"} 0`,
    ),
  ]);
  const lag = (journal: Partial<JournalState>) => count('wm_receiver_lag_seconds', [], now(journal));
  assert.deepEqual(lag({}), {});
  assert.deepEqual(lag({ oldestUnfinished: 200_000 }), {}, 'a clock that was set back');
});

test('escapes labels as Prometheus expects', () => {
  const target = 'a "quoted" \\ name\nof two lines';
  const counts = count('wm_receiver_attempts_total', [attempt('forwarded', 1, target)]);
  assert.deepEqual(Object.keys(counts), [
    `wm_receiver_attempts_total{target="${target}",verdict="forwarded"}`,
  ]);
});
