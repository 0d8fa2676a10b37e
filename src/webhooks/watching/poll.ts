// Reads the watched webhooks and finds the changes since the last read. A webhook that disappears from the list is read by id
// before it counts as missing: the list may be incomplete.

import type { Context } from '#cli/context.ts';
import { type Hook, listHooks, readHookIfThere, statusOf } from '../records/hook.ts';

/** By id. */
export type WatchedWebhooks = ReadonlyMap<string, Hook>;

export interface WebhookChange {
  readonly change: 'status' | 'new' | 'missing';
  readonly id: string;
  /** The webhook when it was last seen. */
  readonly before: Hook | undefined;
  readonly now: Hook | undefined;
}

/** `ids`: the watched webhooks; by default all that are listed or were `known` before. */
export async function readWatched(
  context: Context,
  ids: readonly string[] | undefined,
  known: WatchedWebhooks,
): Promise<WatchedWebhooks> {
  const listed = new Map((await listHooks(context)).map((one) => [one.record.id, one]));
  const wanted = ids ?? [...new Set([...known.keys(), ...listed.keys()])];
  const found = new Map<string, Hook>();
  for (const id of wanted) {
    const one = listed.get(id) ?? (await readHookIfThere(context, id));
    if (one) found.set(id, one);
  }
  return found;
}

/** In the order of the list; missing webhooks come last. */
export function findChanges(before: WatchedWebhooks, now: WatchedWebhooks): readonly WebhookChange[] {
  const present = [...now].flatMap(([id, one]): WebhookChange[] => {
    const earlier = before.get(id);
    if (!earlier) return [{ change: 'new', id, before: undefined, now: one }];
    return statusOf(earlier) === statusOf(one) ? [] : [{ change: 'status', id, before: earlier, now: one }];
  });
  const missing = [...before].flatMap(([id, one]): WebhookChange[] =>
    now.has(id) ? [] : [{ change: 'missing', id, before: one, now: undefined }],
  );
  return [...present, ...missing];
}
