// Formats a change for `wm webhook watch`: as a tab-separated line, a line of JSON, a sentence on a terminal, or variables for
// a command.

import { omitUndefined } from '#omit-undefined.ts';
import { sanitizeLine } from '#terminal/sanitize.ts';
import type { Column } from '#terminal/table.ts';
import type { Environment } from '#world/world.ts';
import { statusOf } from '../records/hook.ts';
import type { WebhookChange } from './poll.ts';

export interface WatchEvent extends Pick<WebhookChange, 'change' | 'id'> {
  readonly at: string;
  readonly before?: string;
  /** Absent for a missing webhook. */
  readonly status?: string;
  readonly hookUrl?: string;
  readonly label?: string;
  /** True if --resume-when-healthy made the change. */
  readonly byWm?: true;
}

export function createWatchEvent(
  { change, id, before, now }: WebhookChange,
  at: number,
  label: string | undefined,
): WatchEvent {
  return {
    at: new Date(at).toISOString(),
    change,
    id,
    ...omitUndefined({
      before: before && statusOf(before),
      status: now && statusOf(now),
      hookUrl: (now ?? before)?.record.hookUrl,
      label,
    }),
  };
}

export const watchColumns: readonly Column<WatchEvent>[] = [
  { title: 'time', cell: (event) => event.at, unbroken: true },
  { title: 'change', cell: (event) => event.change },
  { title: 'id', cell: (event) => event.id, unbroken: true },
  { title: 'before', cell: (event) => event.before ?? '' },
  { title: 'status', cell: (event) => event.status ?? '' },
  { title: 'url', cell: (event) => event.hookUrl ?? '' },
  { title: 'label', cell: (event) => event.label ?? '' },
];

/** For a terminal: `2026-02-06T17:00:00.000Z  https://hooks.example.com/billing (IEAAAAAQJAAAAAAB): Active -> Suspended` */
export function describeEvent(event: WatchEvent): string {
  const name = event.hookUrl === undefined ? event.id : `${event.hookUrl} (${event.id})`;
  const label = event.label === undefined ? '' : `, ${event.label}`;
  return sanitizeLine(`${event.at}  ${name}${label}: ${describeChange(event)}`);
}

function describeChange({ change, before = 'no status', status = 'no status' }: WatchEvent): string {
  if (change === 'missing') return `missing (was ${before})`;
  return change === 'new' ? `new, ${status}` : `${before} -> ${status}`;
}

/** A command gets the service's text only in these values and on its standard input: a shell must never parse it. */
export function eventVariables({ change, id, before, status, hookUrl, label }: WatchEvent): Environment {
  const values = {
    WM_WATCH_CHANGE: change,
    WM_WATCH_ID: id,
    WM_WATCH_BEFORE: before ?? '',
    WM_WATCH_STATUS: status ?? '',
    WM_WATCH_URL: hookUrl ?? '',
    WM_WATCH_LABEL: label ?? '',
  };
  // A variable cannot contain U+0000.
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, value.replaceAll('\0', '')]),
  );
}
