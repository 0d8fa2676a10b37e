// Texts that are equal if settings of webhooks mean the same: the order of events, filters and members does not count.

import type { HookEntry } from './hooks-file.ts';
import type { FilteredEvent } from './webhook-facts.ts';

/** Two spellings of one URL have the same key. */
export function urlKey(url: string): string {
  return URL.canParse(url) ? new URL(url).href : url;
}

export function listKey(list: 'all' | readonly string[] | undefined): string {
  return list === 'all' ? 'all' : JSON.stringify([...new Set(list)].toSorted());
}

export function filtersKey(entries: readonly FilteredEvent[] | undefined = []): string {
  const keys = entries.map(({ event, recurrent, customFields, fields }) =>
    JSON.stringify([
      event,
      recurrent ?? null,
      customFields && listKey(customFields),
      fields && listKey(fields),
    ]),
  );
  return listKey(keys);
}

/** A key for everything that makes two webhooks differ, except their status and their secret. */
export function settingsKey(entry: HookEntry): string {
  const { url, scope, recursive, events, parameterisedEvents, customItemTypes } = entry;
  return JSON.stringify([
    urlKey(url),
    scope?.folderId ?? null,
    scope?.spaceId ?? null,
    recursive ?? false,
    listKey(events),
    filtersKey(parameterisedEvents),
    listKey(customItemTypes),
  ]);
}
