// Reads the watched webhooks, finds the changes since the last read, and formats them: as a tab-separated line, a line of JSON, a
// sentence on a terminal, or variables for a command.

import type { Context } from '#cli/context.ts';
import type { LocalWebhooks } from '#local-records/local-webhook.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { sanitizeLine } from '#terminal/sanitize.ts';
import type { Column } from '#terminal/table.ts';
import type { Environment } from '#world/world.ts';
import { type Hook, listHooks, readHookIfThere } from '../records/hook.ts';

/** By id. */
export type WatchedWebhooks = ReadonlyMap<string, Hook>;

/** `ids`: by default all that are listed, and the `previous` ones. One that is not listed is read by id: the list may be incomplete. */
export async function readWatched(
  context: Context,
  ids: readonly string[] | undefined,
  previous: WatchedWebhooks,
): Promise<WatchedWebhooks> {
  const { hooks } = await listHooks(context);
  const listed = new Map(hooks.map((hook) => [hook.record.id, hook]));
  const watchedIds = ids ?? [...new Set([...previous.keys(), ...listed.keys()])];
  const webhooks = new Map<string, Hook>();
  for (const id of watchedIds) {
    const hook = listed.get(id) ?? (await readHookIfThere(context, id));
    if (hook) webhooks.set(id, hook);
  }
  return webhooks;
}

export interface WatchEvent {
  readonly at: string;
  /** True if --resume-when-healthy made the change. */
  readonly byWm?: true;
  readonly change: 'status' | 'new' | 'missing';
  readonly id: string;
  readonly before?: string;
  /** Absent for a missing webhook. */
  readonly status?: string;
  readonly hookUrl?: string;
  readonly label?: string;
}

/** In the order of the list; missing webhooks come last. */
export function findChanges(before: WatchedWebhooks, now: WatchedWebhooks, local: LocalWebhooks) {
  return [...new Set([...now.keys(), ...before.keys()])].flatMap((id): readonly Omit<WatchEvent, 'at'>[] => {
    const [last, current] = [before.get(id), now.get(id)];
    if (last && current && last.record.status === current.record.status) return [];
    const members = omitUndefined({
      before: last?.record.status,
      status: current?.record.status,
      hookUrl: (current ?? last)?.record.hookUrl,
      label: local.get(id)?.label,
    });
    return [{ change: !last ? 'new' : current ? 'status' : 'missing', id, ...members }];
  });
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

/** Each column but the time, by its title: `WM_WATCH_STATUS`. A shell must never parse the service's text, so it is only in values. */
export function eventVariables(event: WatchEvent): Environment {
  return Object.fromEntries(
    watchColumns
      .filter(({ title }) => title !== 'time')
      // A variable cannot contain U+0000.
      .map(({ title, cell }) => [`WM_WATCH_${title.toUpperCase()}`, cell(event).replaceAll('\0', '')]),
  );
}
