// Describes deliveries and numbers in words, for the page.

import type {
  Counters,
  DeliveryRow,
  ShownAttempt,
  ShownState,
  StuckTarget,
  TrafficMinute,
} from '../page-messages.ts';

export const stateNames: Readonly<Record<ShownState, string>> = {
  waiting: 'waiting',
  retrying: 'retrying',
  forwarded: 'forwarded',
  dead: 'dead letter',
  replayed: 'replayed',
  'no-target': 'no target',
  unknown: 'finished, result no longer known',
};

export const verdictNames: Readonly<Record<ShownAttempt['verdict'], string>> = {
  forwarded: 'forwarded',
  retry: 'failed, tried again',
  dead: 'failed, given up',
  failed: 'failed',
};

export function eventText({ events }: DeliveryRow): string {
  const [first = 'no event', ...more] = events;
  return more.length > 0 ? `${first} +${more.length}` : first;
}

export function eventNames({ events, moreEvents = 0 }: DeliveryRow): string {
  return events.join(', ') + (moreEvents > 0 ? `, then ${countText(moreEvents, 'more event')}` : '');
}

export function subjectText({ title, subjects }: DeliveryRow): string {
  const [first = '', ...more] = subjects;
  const name = title === '' ? first : title;
  return more.length > 0 ? `${name} +${more.length}` : name;
}

/** `forwarded, 200` */
export function stateText({ state, outcome }: DeliveryRow): string {
  return outcome === '' || state === 'no-target' ? stateNames[state] : `${stateNames[state]}, ${outcome}`;
}

/** `1,200 deliveries` */
export function countText(count: number, singular: string, plural = `${singular}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? singular : plural}`;
}

export function bytesText(bytes: number): string {
  if (bytes < 1024) return countText(bytes, 'byte');
  const kib = bytes / 1024;
  return kib < 1024 ? `${kib.toFixed(1)} KiB` : `${(kib / 1024).toFixed(1)} MiB`;
}

/** A summary for screen readers; empty if nothing happened. */
export function summaryText(before: Counters, now: Counters): string {
  const parts = [
    [now.received - before.received, 'received'],
    [now.forwarded - before.forwarded, 'forwarded'],
    [now.failedAttempts - before.failedAttempts, 'failed'],
    [now.rejected - before.rejected, 'rejected'],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .map(([count, action]) => `${count.toLocaleString('en')} ${action}`)
    .join(', ');
}

/** `http://127.0.0.1:3000/hook: 12 deliveries wait, 3 of them after a failure; the oldest came at 14:31:07. Last failure: 500.` */
export function stuckText(
  { target, waiting, retrying, isBehind, oldest, failure }: StuckTarget,
  timeOf: (time: number) => string,
): string {
  const many = isBehind
    ? `more than ${waiting.toLocaleString('en')} deliveries`
    : countText(waiting, 'delivery', 'deliveries');
  const failed =
    retrying === 0
      ? ''
      : `, ${waiting === 1 ? '' : `${retrying.toLocaleString('en')} of them `}after a failure`;
  const last = failure === '' ? '' : ` Last failure: ${failure}.`;
  const isOne = waiting === 1 && !isBehind;
  return `${target}: ${many} ${isOne ? 'waits' : 'wait'}${failed}; ${isOne ? 'it' : 'the oldest'} came at ${timeOf(oldest)}.${last}`;
}

/** `12 ms`, `30 s` */
export function durationText(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  return `${(milliseconds / 1000).toLocaleString('en', { maximumFractionDigits: 1 })} s`;
}

/** Describes the chart in a sentence. `since`: when it began to count; empty for the whole hour. */
export function trafficText(
  minutes: readonly TrafficMinute[],
  timeOf: (minute: number) => string,
  since: string,
): string {
  const received = minutes.reduce((sum, counts) => sum + counts.received, 0);
  const failed = minutes.reduce((sum, counts) => sum + counts.failed, 0);
  const most = Math.max(...minutes.map((counts) => counts.received));
  const busiest = received === 0 ? undefined : minutes.find((counts) => counts.received === most);
  const sums = `${since === '' ? 'Last hour' : `Since ${since}`}: ${countText(received, 'delivery', 'deliveries')}, ${countText(failed, 'failure')}.`;
  return busiest
    ? `${sums} Busiest minute: ${timeOf(busiest.minute)}, with ${most.toLocaleString('en')}.`
    : sums;
}

export interface RowFilter {
  /** Words that the row must all contain. */
  readonly text: string;
  /** The event type; empty for all. */
  readonly event: string;
  readonly state: string;
}

export function matchesRowFilter(row: DeliveryRow, { text, event, state }: RowFilter): boolean {
  if (event !== '' && !row.events.includes(event)) return false;
  if (state !== '' && row.state !== state) return false;
  const texts = [`#${row.sequence}`, ...row.events, ...row.subjects, row.title, row.signature];
  const shown = comparable([...texts, row.state, row.outcome].join('\n'));
  return comparable(text)
    .split(/\s+/)
    .every((word) => shown.includes(word));
}

const comparable = (text: string) => text.normalize('NFC').toLowerCase();
