// Collects the receiver's metrics for Prometheus: counters since the start, and gauges from the journal and the forwarder.
// docs/running-a-receiver.md lists them.
// @see [Exposition formats](https://prometheus.io/docs/instrumenting/exposition_formats/), version 0.0.4

import { eventNames } from '#contract/event.ts';
import type { ForwarderState } from '../forwarding/forwarder.ts';
import {
  type Activity,
  type JournalState,
  rejectionReasons,
  type StoredDelivery,
} from '../intake/delivery-journal.ts';
import { eventsOf } from '../intake/read-events.ts';

export interface ReceiverState {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly journal: JournalState;
  readonly forwarder: Pick<ForwarderState, 'targets'>;
  readonly webhook?: { readonly id: string; readonly status: string } | undefined;
}

const storeSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const forwardSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export function createMetrics() {
  // Every reason, so that each is shown from the start.
  const requests = createCounter(
    ['stored', 'duplicate', 'handshake', ...rejectionReasons].map((outcome) => ({ outcome })),
  );
  const deliveries = createCounter();
  const attempts = createCounter();
  const deadLetters = createCounter([{}]);
  const storing = createHistogram(storeSeconds);
  const forwarding = createHistogram(forwardSeconds);

  const countEvents = (delivery: StoredDelivery, outcome: string) => {
    for (const event of eventLabels(delivery)) deliveries.add({ event, outcome });
  };

  return {
    onActivity(activity: Activity) {
      switch (activity.kind) {
        case 'stored':
          requests.add({ outcome: 'stored' });
          storing.observe(activity.milliseconds / 1000);
          return countEvents(activity.delivery, 'stored');
        case 'attempt': {
          const { delivery, target, verdict, milliseconds } = activity;
          if (target === '') return countEvents(delivery, 'no-target');
          attempts.add({ target, verdict });
          forwarding.observe(milliseconds / 1000);
          if (verdict !== 'retry') countEvents(delivery, verdict);
          if (verdict === 'dead') deadLetters.add({});
          return;
        }
        case 'rejected':
          return requests.add({ outcome: activity.reason });
        case 'duplicate':
        case 'handshake':
          return requests.add({ outcome: activity.kind });
        // The gauges take these from the journal and the forwarder.
        case 'storage':
        case 'sink':
        case 'target':
          return;
      }
    },
    format: (state: ReceiverState | undefined) =>
      [
        counter('requests', 'Requests on the port of the hook by outcome.', requests.samples()),
        counter(
          'deliveries',
          'Deliveries by event and outcome: stored, then forwarded or dead for each target. A delivery counts once for each of its event types.',
          deliveries.samples(),
        ),
        counter('attempts', 'Attempts to forward a delivery by target and verdict.', attempts.samples()),
        counter('dead_letters', 'Deliveries that were given up for a target.', deadLetters.samples()),
        histogram('store', 'From a complete request until its delivery is on the disk.', storing.samples()),
        histogram('forward', 'How long an attempt to forward a delivery took.', forwarding.samples()),
        ...(state === undefined ? [] : gauges(state)),
      ].join(''),
  };
}

const knownEvents: ReadonlySet<string> = new Set(eventNames);

/** Each event type once. Unknown names must not become labels: each label takes memory for ever. */
function eventLabels(delivery: StoredDelivery): ReadonlySet<string> {
  const names = eventsOf(delivery).events.map(({ eventType }) =>
    knownEvents.has(eventType) ? eventType : 'other',
  );
  return new Set(names.length === 0 ? ['other'] : names);
}

type Labels = Readonly<Record<string, string>>;
type Sample = readonly [value: number, labels?: Labels, suffix?: '_bucket' | '_sum' | '_count'];

/** The lines of a metric in the text format of Prometheus. */
const createFamily =
  (type: 'counter' | 'gauge' | 'histogram', unit: string) =>
  (name: string, help: string, samples: readonly Sample[]): string => {
    const fullName = `wm_receiver_${name}${unit}`;
    const lines = samples.map(
      ([value, labels = {}, suffix = '']) => `${fullName}${suffix}${formatLabels(labels)} ${value}\n`,
    );
    return `# HELP ${fullName} ${help}\n# TYPE ${fullName} ${type}\n${lines.join('')}`;
  };

const counter = createFamily('counter', '_total');
const histogram = createFamily('histogram', '_seconds');
const gauge = createFamily('gauge', '');
const number = (name: string, help: string, value: number | undefined) =>
  gauge(name, help, value === undefined ? [] : [[value]]);

function formatLabels(labels: Labels): string {
  const escaped = (text: string) => text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n');
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function gauges({ time, journal, forwarder: { targets }, webhook }: ReceiverState): readonly string[] {
  const { unfinished, oldestUnfinished = time, lastReceived, bytes, syncMs, fault } = journal;
  return [
    // The age stays at least 0 even if the clock was set back.
    number(
      'lag_seconds',
      'Age of the oldest delivery that is not finished; 0 if there is none.',
      Math.max(0, time - oldestUnfinished) / 1000,
    ),
    number('unfinished_deliveries', 'Deliveries that are stored and not finished.', unfinished),
    number(
      'last_delivery_timestamp_seconds',
      'When the last delivery was received.',
      lastReceived && lastReceived / 1000,
    ),
    number('journal_bytes', 'Size of the journal.', bytes),
    number('sync_seconds', 'How long the last sync to the disk took.', syncMs / 1000),
    number('storage_fault', '1 if deliveries cannot be stored at present.', fault === undefined ? 0 : 1),
    number(
      'webhook_active',
      '1 if the webhook that delivers here is Active; absent if its status cannot be read.',
      webhook && (webhook.status === 'Active' ? 1 : 0),
    ),
    gauge(
      'target_up',
      '0 if nothing reaches the target at present.',
      targets.map(({ target, fault }) => [fault === undefined ? 1 : 0, { target }]),
    ),
    gauge(
      'target_lag_seconds',
      'Age of the oldest delivery that the target has not settled; 0 if there is none.',
      targets.map(({ target, oldest = time }) => [Math.max(0, time - oldest) / 1000, { target }]),
    ),
    gauge(
      'target_deliveries',
      'Deliveries for the target that were read from the journal, by state.',
      targets.flatMap(({ target, inFlight, waiting, retrying }) =>
        Object.entries({ in_flight: inFlight, waiting, retrying }).map(
          ([state, value]) => [value, { target, state }] as const,
        ),
      ),
    ),
  ];
}

/** `initial`: combinations to show as 0 from the start, so that the first occurrence is an increase. */
function createCounter(initial: readonly Labels[] = []) {
  const counts = new Map(initial.map((labels) => [JSON.stringify(labels), { labels, value: 0 }]));
  return {
    /** The caller must limit the number of combinations. */
    add(labels: Labels) {
      const key = JSON.stringify(labels);
      const counted = counts.get(key) ?? { labels, value: 0 };
      counts.set(key, counted);
      counted.value += 1;
    },
    samples: () => Array.from(counts.values(), ({ labels, value }): Sample => [value, labels]),
  };
}

/** `bounds`: the highest value of each bucket, ascending. */
function createHistogram(bounds: readonly number[]) {
  const buckets = bounds.map((bound) => ({ bound, count: 0 }));
  let [sum, count] = [0, 0];
  return {
    /** Each bucket also counts the values of all lower buckets. */
    observe(value: number) {
      sum += value;
      count += 1;
      for (const bucket of buckets) if (value <= bucket.bound) bucket.count += 1;
    },
    samples: (): readonly Sample[] => [
      ...buckets.map((bucket): Sample => [bucket.count, { le: String(bucket.bound) }, '_bucket']),
      [count, { le: '+Inf' }, '_bucket'],
      [sum, {}, '_sum'],
      [count, {}, '_count'],
    ],
  };
}
