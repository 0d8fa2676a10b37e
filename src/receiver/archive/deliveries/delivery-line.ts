// Describes a delivery in one line (time, number, events, title, whether it is unsigned, and the outcome) or in full.

import { countOf } from '#cli/count-of.ts';
import { reindentJson } from '#contract/json.ts';
import { formatLocalTime, formatTimeOfDay } from '#dates/local-time.ts';
import { excerptOf } from '#receiver/core/forwarding/target.ts';
import type { Activity, StoredDelivery } from '#receiver/core/intake/delivery-journal.ts';
import { sanitizeLine } from '#terminal/sanitize.ts';
import { displayWidth, truncateEnd } from '#terminal/width.ts';
import type { DeliverySummary } from './delivery-summary.ts';

type AttemptActivity = Extract<Activity, { readonly kind: 'attempt' }>;

const gap = '  ';

/** The least width of a title, however narrow the terminal is. */
const leastTitle = 8;
const mostDetail = 80;

/** {@link describeDelivery} in so many columns. Cuts the title, because the outcome is at the end. */
export function describeDeliveryWithin(width: number, summary: DeliverySummary, outcome: string): string {
  // Cut first: to measure a title of a megabyte would stop the receiver.
  const title = summary.title && truncateEnd(sanitizeLine(summary.title), Math.max(width, leastTitle));
  const line = describeDelivery({ ...summary, title }, outcome);
  const excess = displayWidth(line) - width;
  if (excess <= 0 || title === undefined) return line;
  const titleWidth = Math.max(leastTitle, displayWidth(title) - excess);
  return describeDelivery({ ...summary, title: truncateEnd(title, titleWidth) }, outcome);
}

/** `14:31:07  #1042  TaskStatusChanged  Write the launch page`. As in `wm webhook log`, mentions only a missing signature. */
export function describeDelivery(summary: DeliverySummary, outcome = ''): string {
  const { sequence, receivedAt, events, moreEvents, ids, title, signature } = summary;
  const parts = [
    formatTimeOfDay(receivedAt),
    `#${sequence}`,
    (events.length === 0 ? 'no event' : listSome(events, 2)) + describeMore(moreEvents),
    title ?? ids[0] ?? '',
    signature === 'valid' ? '' : signature,
    outcome,
  ];
  return sanitizeLine(parts.filter((part) => part !== '').join(gap));
}

/** `TaskCreated, TaskDeleted, TaskUpdated and 3 more` */
export function listSome(texts: readonly string[], most = 3): string {
  const shown = texts.slice(0, most).join(', ');
  return texts.length <= most ? shown : `${shown} and ${texts.length - most} more`;
}

/** With too many events to read: `, then 900 more events` */
export function describeMore(moreEvents: number | undefined): string {
  return moreEvents === undefined ? '' : `, then ${countOf(moreEvents, 'more event')}`;
}

/** `200 in 12 ms`; `showsTarget`: there are several. */
export function describeAttempt(activity: AttemptActivity, showsTarget: boolean): string {
  const { target, outcome, milliseconds, verdict, attempt, delay, detail } = activity;
  if (target === '') return 'no target';
  const prefix = showsTarget ? `${target}: ` : '';
  const took = `${outcome} in ${formatDuration(milliseconds)}`;
  if (verdict === 'forwarded') return `${prefix}${took}${attempt > 1 ? `, attempt ${attempt}` : ''}`;
  const why = describeDetail(detail, outcome);
  if (verdict === 'dead') return `${prefix}${took}${why}, dead letter after ${countOf(attempt, 'attempt')}`;
  const next = delay === undefined ? '' : `, next attempt in ${formatDuration(delay)}`;
  return `${prefix}${took}${why}${next}`;
}

/** ` (no such table)`: the target's response or the error; empty if it adds nothing to the outcome. */
function describeDetail(detail: string | undefined, outcome: string): string {
  const text = sanitizeLine(excerptOf(detail));
  return text === '' || text === outcome ? '' : ` (${truncateEnd(text, mostDetail)})`;
}

/** `12 ms`, `1.2 s`, `5 min`, `3 h` */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${Number((milliseconds / 1_000).toFixed(1))} s`;
  if (milliseconds < 3_600_000) return `${Math.round(milliseconds / 60_000)} min`;
  return `${Number((milliseconds / 3_600_000).toFixed(1))} h`;
}

/** More lines would scroll away unread. */
const mostLines = 200;
const mostBytes = 64 * 1024;
/** The most characters of a line: a terminal needs seconds to break one of 64 kB. */
const mostCharacters = 1_000;

export function describeDetails(delivery: StoredDelivery, showBody: (sequence: number) => string) {
  const { sequence, receivedAt, body } = delivery;
  const text = new TextDecoder().decode(body.subarray(0, mostBytes));
  const shown = ((body.length <= mostBytes && reindentJson(text)) || text).split('\n');
  const lines = shown.slice(0, mostLines).map((line) => line.slice(0, mostCharacters));
  const isCut = body.length > mostBytes || lines.join('\n') !== shown.join('\n');
  const shownBody = lines.map((line) => line.toWellFormed());
  return [
    `Delivery #${sequence}, received ${formatLocalTime(receivedAt)}`,
    ...describeRequest(delivery, shownBody, isCut ? showBody(sequence) : undefined),
  ].map(sanitizeLine);
}

/** `wholeBody`: for a body that is cut, the command that prints all of it. */
export function describeRequest(
  { path, headers, body }: StoredDelivery,
  shownBody: readonly string[],
  wholeBody: string | undefined,
): readonly string[] {
  return [
    `POST ${path}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...['', ...shownBody],
    ...(wholeBody === undefined
      ? []
      : [`(the body has ${body.length} bytes; ${wholeBody} prints all of it)`]),
    '',
  ];
}
