// Reads the watched webhooks and finds the changes since the last read. A webhook that disappears from the list is read by id
// before it counts as missing: the list may be incomplete.

import type { Context } from '#cli/context.ts';
import { type Hook, listHooks, readHookIfThere, statusOf } from '../records/hook.ts';

/** By id. */
export type WatchedWebhooks = ReadonlyMap<string, Hook>;

export interface WebhookChange {
  readonly change: 'status' | 'new' | 'missing';
  readonly id: string;
  /** At the last read. */
  readonly before: Hook | undefined;
  readonly now: Hook | undefined;
}

/** `ids`: the watched webhooks; by default all that are listed, and the `previous` ones. */
export async function readWatched(
  context: Context,
  ids: readonly string[] | undefined,
  previous: WatchedWebhooks,
): Promise<WatchedWebhooks> {
  const listed = new Map((await listHooks(context)).map((hook) => [hook.record.id, hook]));
  const watchedIds = ids ?? [...new Set([...previous.keys(), ...listed.keys()])];
  const webhooks = new Map<string, Hook>();
  for (const id of watchedIds) {
    const hook = listed.get(id) ?? (await readHookIfThere(context, id));
    if (hook) webhooks.set(id, hook);
  }
  return webhooks;
}

/** In the order of the list; missing webhooks come last. */
export function findChanges(before: WatchedWebhooks, now: WatchedWebhooks): readonly WebhookChange[] {
  const present = [...now].flatMap(([id, hook]): WebhookChange[] => {
    const earlier = before.get(id);
    if (!earlier) return [{ change: 'new', id, before: undefined, now: hook }];
    return statusOf(earlier) === statusOf(hook) ? [] : [{ change: 'status', id, before: earlier, now: hook }];
  });
  const missing = [...before].flatMap(([id, hook]): WebhookChange[] =>
    now.has(id) ? [] : [{ change: 'missing', id, before: hook, now: undefined }],
  );
  return [...present, ...missing];
}
