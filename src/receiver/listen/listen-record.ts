// Turns an activity of the receiver into what `wm webhook listen` prints: JSON, tab-separated columns, or a sentence on a terminal.

import type { Context } from '#cli/context.ts';
import { hasMoreValues, parseExactJson, parseJsonIfValid } from '#contract/json.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { Column } from '#terminal/table.ts';
import { type DeliverySummary, summarize, type Titles } from '../archive/deliveries/delivery-summary.ts';
import type { Activity, Rejection, StoredDelivery } from '../core/intake/delivery-journal.ts';

type AttemptActivity = Extract<Activity, { readonly kind: 'attempt' }>;

/** Members that do not apply are absent. */
export interface ListenRecord
  extends Partial<Omit<DeliverySummary, 'receivedAt'>>,
    Partial<Omit<AttemptActivity, 'kind' | 'time' | 'signature' | 'delivery' | 'finishes'>>,
    Partial<Pick<Rejection, 'reason' | 'status'>> {
  readonly kind: Activity['kind'] | 'delivery' | 'omitted';
  /** ISO 8601, UTC. */
  readonly time: string;
  /** For `storage` and `target`; absent once the fault has passed. */
  readonly fault?: string;
  /** For `omitted`: how many records were left out, because the output was read too slowly, or too many deliveries began to wait. */
  readonly count?: number;
  /** The body of a printed delivery as JSON; `body` if it is not JSON or has too many values. */
  readonly payload?: unknown;
  readonly body?: string;
}

/** `now`: the time for activities without one. */
export function toRecord(activity: Activity, titles: Titles, now: number): ListenRecord {
  if (activity.kind === 'stored') {
    const { kind, delivery, milliseconds } = activity;
    return { ...recordOf(kind, delivery, titles), milliseconds: Math.round(milliseconds) };
  }
  if (activity.kind === 'attempt') {
    const { kind, delivery, target, attempt, outcome, verdict, milliseconds, delay, detail } = activity;
    return {
      ...recordOf(kind, delivery, titles, activity.time),
      ...(target === '' ? {} : { target }),
      attempt,
      verdict,
      outcome,
      milliseconds,
      ...omitUndefined({ delay, detail }),
    };
  }
  if (activity.kind === 'storage' || activity.kind === 'sink' || activity.kind === 'target') {
    const { kind, ...rest } = activity;
    return { kind, time: formatTime(now), ...omitUndefined(rest) };
  }
  const { time, ...rest } = activity;
  return { ...rest, time: formatTime(time) };
}

function recordOf(kind: ListenRecord['kind'], delivery: StoredDelivery, titles: Titles, at?: number) {
  const { receivedAt, ...rest } = summarize(delivery, titles);
  return { kind, time: formatTime(at ?? receivedAt), ...rest };
}

const formatTime = (time: number): string => new Date(time).toISOString();

/** With --json: a record about the run itself. */
export async function printRunRecord(
  { report, world }: Pick<Context, 'report' | 'world'>,
  kind: 'listening' | 'forwarding' | 'ended',
  members: object,
): Promise<void> {
  if (!report.wantsJson) return;
  const record = { kind, time: formatTime(world.clock.now()), ...members };
  await report.each({ columns: [], records: [record], raw: [record] });
}

export const listenColumns: readonly Column<ListenRecord>[] = [
  { title: 'time', cell: ({ time }) => time, unbroken: true },
  { title: 'what', cell: ({ kind, verdict }) => verdict ?? kind },
  { title: 'sequence', cell: ({ sequence }) => textOf(sequence) },
  { title: 'events', cell: ({ events = [] }) => events.join(',') },
  { title: 'ids', cell: ({ ids = [] }) => ids.join(',') },
  { title: 'title', cell: ({ title = '' }) => title },
  { title: 'signature', cell: ({ signature = '' }) => signature },
  { title: 'target', cell: ({ target = '' }) => target },
  {
    title: 'outcome',
    cell: ({ outcome, reason, fault, count }) => outcome ?? reason ?? fault ?? textOf(count),
  },
  { title: 'milliseconds', cell: ({ milliseconds }) => textOf(milliseconds) },
];

const textOf = (number: number | undefined) => (number === undefined ? '' : String(number));

/** Ten million values in 30 MB would use all memory. */
const mostValues = 100_000;

/** The record of a printed delivery; `withPayload` adds its content. */
export function toDeliveryRecord(delivery: StoredDelivery, titles: Titles, withPayload: boolean) {
  const record = recordOf('delivery', delivery, titles);
  if (!withPayload) return record;
  const body = new TextDecoder().decode(delivery.body);
  const payload = hasMoreValues(body, mostValues) ? undefined : parseJsonIfValid(body, parseExactJson);
  return { ...record, ...(payload === undefined ? { body } : { payload }) };
}
