// Defines the flags and numbers (1042, '#1042' as wm prints it, 1042-1050) that select deliveries for `webhook log` and `webhook replay`,
// and turns them into a filter.

import { eventGroups, parseEventOrGroup } from '#cli/event-groups.ts';
import * as flag from '#cli/flags/flag.ts';
import type { EventName } from '#contract/event.ts';
import { formatValue } from '#contract/schema.ts';
import { endOf, resolveSince, sinceInput, timeInput } from '#dates/time-input.ts';
import { usageError } from '#failure.ts';
import type { SequenceRange, StoredDelivery } from '#receiver/core/intake/delivery-journal.ts';
import type { DeliveredEvents } from '#receiver/core/intake/read-events.ts';

const eventFlag: flag.Flag<readonly (readonly EventName[])[]> = {
  ...flag.entriesFlag(
    (entry) => parseEventOrGroup(entry, '--event: '),
    'EVENT',
    `Only deliveries with such an event: a name, or a group: ${eventGroups.join(', ')}`,
  ),
  completes: 'event or group',
};

export const filterFlags = {
  since: flag.valueFlag(
    sinceInput,
    'DATE',
    'Only what came in since then, in local time: 16:20, yesterday, 2026-12-31 17:00, 12h, 30m',
  ),
  until: flag.valueFlag(timeInput, 'DATE', 'Only what came in until this date; a day counts to its end'),
  event: eventFlag,
  task: flag.textFlag('ID', 'Only deliveries with an event of this task, folder or work item', 'task'),
  last: flag.integerFlag('N', 'Only the last N of them', 1, 1_000_000_000),
} as const;

export interface DeliveryFilter {
  /** The ranges to select; empty for all. */
  readonly numbers: readonly SequenceRange[];
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly before: number;
  /** The event types to select; `undefined` for all deliveries, even without events. */
  readonly events: ReadonlySet<string> | undefined;
  readonly subjectId: string | undefined;
}

/** @throws {Failure} `usage` for an empty range of dates. */
export function toFilter(
  { since, until, event, task }: flag.ParsedFlags<typeof filterFlags>,
  numbers: readonly SequenceRange[],
  now: number,
): DeliveryFilter {
  const from = since === undefined ? undefined : resolveSince(since, now);
  const before = until === undefined ? undefined : endOf(until, now);
  if (from !== undefined && from > now)
    throw usageError('--since is in the future', "Give an earlier time, such as 12h or 'yesterday 23:50'.");
  if (from !== undefined && before !== undefined && before <= from)
    throw usageError('--until is before --since', 'Give the earlier date with --since.');
  return {
    numbers,
    from: from ?? Number.NEGATIVE_INFINITY,
    before: before ?? Number.POSITIVE_INFINITY,
    events: event === undefined ? undefined : new Set(event.flat()),
    subjectId: task,
  };
}

/** Applies the parts of the filter that do not need the body. */
export function mayMatchFilter(
  { numbers, from, before }: DeliveryFilter,
  sequence: number,
  receivedAt: number,
): boolean {
  return (
    (numbers.length === 0 || includesNumber(numbers, sequence)) && receivedAt >= from && receivedAt < before
  );
}

export function matchesFilter(
  filter: DeliveryFilter,
  { sequence, receivedAt }: Pick<StoredDelivery, 'sequence' | 'receivedAt'>,
  delivered: DeliveredEvents,
): boolean {
  const { events, subjectId } = filter;
  return (
    mayMatchFilter(filter, sequence, receivedAt) &&
    (events === undefined || delivered.events.some(({ eventType }) => events.has(eventType))) &&
    (subjectId === undefined || delivered.events.some((event) => event.subjectId === subjectId))
  );
}

/** Returns the ranges in the order typed. @throws {Failure} `usage` for any other text. */
export function parseNumbers(texts: readonly string[]): readonly SequenceRange[] {
  return texts.flatMap((text) => text.split(',')).map(parseRange);
}

function parseRange(text: string): SequenceRange {
  const [, from, to = from] = /^#?(\d{1,15})(?:-#?(\d{1,15}))?$/.exec(text.trim()) ?? [];
  const range = { from: Number(from), to: Number(to) };
  if (from === undefined || range.from < 1)
    throw usageError(
      `${formatValue(text)} is not the number of a delivery`,
      'Give a number such as 1042, or a range such as 1042-1050.',
    );
  if (range.to < range.from)
    throw usageError(`${formatValue(text)} is not a range`, 'Give the smaller number first.');
  return range;
}

function includesNumber(ranges: readonly SequenceRange[], sequence: number): boolean {
  return ranges.some(({ from, to }) => from <= sequence && sequence <= to);
}

/** Formats ascending numbers as a user can type them: `1-3, 7`. */
export function formatRanges(sequences: Iterable<number>): string {
  const ranges: { from: number; to: number }[] = [];
  for (const sequence of sequences) {
    const last = ranges.at(-1);
    if (last?.to === sequence - 1) last.to = sequence;
    else ranges.push({ from: sequence, to: sequence });
  }
  return ranges.map(formatRange).join(', ');
}

const formatRange = ({ from, to }: SequenceRange) => (from === to ? `${from}` : `${from}-${to}`);

/** The requested numbers that were not found, as `7-9, 12`; `undefined` if all were. */
export function describeMissingNumbers(
  requested: readonly SequenceRange[],
  deliveries: readonly { readonly sequence: number }[],
): string | undefined {
  const missing = requested
    .toSorted((a, b) => a.from - b.from)
    .filter((range) => !deliveries.some(({ sequence }) => includesNumber([range], sequence)));
  return missing.length === 0 ? undefined : missing.map(formatRange).join(', ');
}
