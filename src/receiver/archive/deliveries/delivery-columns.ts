// Formats a delivery for `webhook log`: a row on a terminal, a tab-separated line in a pipe, an object in JSON.

import { formatLocalTime } from '#dates/local-time.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { Attempt } from '#receiver/core/intake/delivery-journal.ts';
import type { Style } from '#terminal/style.ts';
import type { Column } from '#terminal/table.ts';
import { describeMore, listSome } from './delivery-line.ts';
import { findTitle, type Titles } from './delivery-summary.ts';
import {
  type DeliveryState,
  type LoggedDelivery,
  lastAttempt,
  stateOf,
  targetsOf,
} from './logged-delivery.ts';
import type { Replay } from './replays-file.ts';

const stateStyles: Readonly<Record<DeliveryState, (style: Style) => (text: string) => string>> = {
  waiting: (style) => style.notice,
  retrying: (style) => style.notice,
  forwarded: (style) => style.good,
  'no-target': (style) => style.notice,
  dead: (style) => style.bad,
  replayed: (style) => style.good,
  unknown: (style) => style.notice,
};

/** Columns for a terminal, without the values that nearly every row shares. */
export function deliveryColumns(titles: Pick<Titles, 'find'>): readonly Column<LoggedDelivery>[] {
  return [
    { title: '#', cell: ({ sequence }) => String(sequence), unbroken: true },
    {
      title: 'local time',
      cell: ({ receivedAt }) => formatLocalTime(receivedAt).slice(0, 19),
      unbroken: true,
    },
    { title: 'events', cell: ({ events, moreEvents }) => listSome(events) + describeMore(moreEvents) },
    { title: 'subject', cell: (delivery) => findTitle(delivery.ids, titles) ?? listSome(delivery.ids) },
    {
      title: 'signature',
      cell: ({ signature }) => signature,
      format: ({ signature }, style) => (signature === 'valid' ? undefined : style.notice),
    },
    { title: 'duplicates', cell: ({ duplicates }) => (duplicates === 0 ? '' : String(duplicates)) },
    { title: 'state', cell: stateOf, format: (delivery, style) => stateStyles[stateOf(delivery)](style) },
    { title: 'target', cell: (delivery) => targetsOf(delivery).join(', '), unbroken: 'words' },
    { title: 'outcome', cell: (delivery) => lastAttempt(delivery)?.outcome ?? '' },
    { title: 'attempts', cell: countAttempts },
    { title: 'ms', cell: (delivery) => String(lastAttempt(delivery)?.milliseconds ?? '') },
  ];
}

/** Columns for a list on a terminal, which fit in 80 columns. The details of one delivery show the rest. */
export function deliveryListColumns(titles: Pick<Titles, 'find'>): readonly Column<LoggedDelivery>[] {
  const shown = ['#', 'local time', 'events', 'subject', 'state'];
  return deliveryColumns(titles)
    .filter(({ title }) => shown.includes(title))
    .map((column) => (column.title === 'state' ? { ...column, cell: describeState } : column));
}

/** `dead, 500, unsigned`, without what is usual. */
function describeState(delivery: LoggedDelivery): string {
  const { signature, duplicates } = delivery;
  const state = stateOf(delivery);
  return [
    ...new Set([state, lastAttempt(delivery)?.outcome ?? state]),
    ...(signature === 'valid' ? [] : [signature]),
    ...(duplicates === 0 ? [] : [`sent ${duplicates + 1} times`]),
  ].join(', ');
}

export function deliveryPipeColumns(titles: Pick<Titles, 'find'>): readonly Column<LoggedDelivery>[] {
  return [
    { title: 'sequence', cell: ({ sequence }) => String(sequence) },
    { title: 'time', cell: ({ receivedAt }) => isoTime(receivedAt) },
    { title: 'events', cell: ({ events }) => events.join(',') },
    { title: 'ids', cell: ({ ids }) => ids.join(',') },
    { title: 'title', cell: (delivery) => findTitle(delivery.ids, titles) ?? '' },
    { title: 'signature', cell: ({ signature }) => signature },
    { title: 'response', cell: () => String(storedResponse) },
    { title: 'duplicates', cell: ({ duplicates }) => String(duplicates) },
    { title: 'state', cell: stateOf },
    { title: 'target', cell: (delivery) => targetsOf(delivery).join(',') },
    { title: 'outcome', cell: (delivery) => lastAttempt(delivery)?.outcome ?? '' },
    { title: 'attempts', cell: countAttempts },
    { title: 'milliseconds', cell: (delivery) => String(lastAttempt(delivery)?.milliseconds ?? '') },
    { title: 'detail', cell: (delivery) => lastAttempt(delivery)?.detail ?? '' },
  ];
}

/** The receiver's status code for a stored delivery and its duplicates. */
const storedResponse = 200;

export function isoTime(milliseconds: number): string {
  const date = new Date(milliseconds);
  // A checksum does not reveal every damage.
  return Number.isNaN(date.getTime()) ? String(milliseconds) : date.toISOString();
}

export function toDeliveryJson(delivery: LoggedDelivery, titles: Pick<Titles, 'find'>) {
  return {
    sequence: delivery.sequence,
    time: isoTime(delivery.receivedAt),
    events: delivery.events,
    ids: delivery.ids,
    ...omitUndefined({ moreEvents: delivery.moreEvents }),
    title: findTitle(delivery.ids, titles),
    signature: delivery.signature,
    idempotencyKey: delivery.idempotencyKey,
    bytes: delivery.bytes,
    response: storedResponse,
    duplicates: delivery.duplicates,
    state: stateOf(delivery),
    attempts: delivery.attempts.map(toAttemptJson),
    replays: delivery.replays.map(toAttemptJson),
  };
}

function toAttemptJson(made: Attempt | Replay) {
  const { time, target, outcome, milliseconds, verdict, detail } = made;
  const attempt = 'attempt' in made ? { attempt: made.attempt } : {};
  const next = 'delay' in made && made.delay !== undefined ? isoTime(time + made.delay) : undefined;
  return { time: isoTime(time), target, ...attempt, outcome, milliseconds, verdict, detail, next };
}

/** Counts attempts, including replays. The number of an attempt covers the ones before it. */
function countAttempts({ attempts, replays }: LoggedDelivery): string {
  const byTarget = new Map<string, number>();
  for (const { target, attempt } of attempts)
    if (target !== '') byTarget.set(target, Math.max(attempt, byTarget.get(target) ?? 0));
  return String([...byTarget.values()].reduce((sum, count) => sum + count, replays.length));
}
