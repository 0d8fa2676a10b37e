// Summarises a delivery for a line: its events, their subjects, and a title. Titles come without a request: from events, and from what
// commands on this machine have read.

import type { Context } from '#cli/context.ts';
import { findCacheOwner, readRecordCache } from '#local-records/record-cache.ts';
import type { StoredDelivery } from '#receiver/core/intake/delivery-journal.ts';
import { type DeliveredEvents, eventsOf } from '#receiver/core/intake/read-events.ts';

export interface DeliverySummary extends Pick<StoredDelivery, 'sequence' | 'receivedAt' | 'signature'> {
  /** The types of its first events, each once. */
  readonly events: readonly string[];
  /** The subjects of these events, each once. */
  readonly ids: readonly string[];
  readonly moreEvents?: number;
  readonly title: string | undefined;
}

/** Remembers titles from events, and knows titles that commands have read. */
export type Titles = Pick<TitleCache, 'find' | 'remember'>;

/** Limits what a hostile body can name. */
const mostShown = 20;
/** Later events are only counted. */
export const shownEvents = 100;

export function summarize(delivery: StoredDelivery, titles: Titles): DeliverySummary {
  const { sequence, receivedAt, signature } = delivery;
  const delivered = eventsOf(delivery);
  rememberTitles(delivered, titles);
  const shown = delivered.events.slice(0, shownEvents);
  const ids = firstOf(shown.flatMap(({ subjectId }) => (subjectId === undefined ? [] : [subjectId])));
  return {
    sequence,
    receivedAt,
    signature,
    events: firstOf(shown.flatMap(({ eventType }) => (eventType === '' ? [] : [eventType]))),
    ids,
    ...countMore(delivered),
    title: findTitle(ids, titles),
  };
}

/** The title of the first of these subjects that has one. */
export const findTitle = (ids: readonly string[], { find }: Pick<Titles, 'find'>) =>
  ids.map(find).find((title) => title !== undefined);

export const countMore = ({ count }: Pick<DeliveredEvents, 'count'>) =>
  count > shownEvents ? { moreEvents: count - shownEvents } : {};

/** Keeps the titles of the first events: a later delivery may be about the same task. */
export function rememberTitles({ events }: DeliveredEvents, titles: Pick<Titles, 'remember'>): void {
  for (const { subjectId, title } of events.slice(0, shownEvents))
    if (subjectId !== undefined && title !== undefined) titles.remember(subjectId, title);
}

const firstOf = (texts: readonly string[]) => [...new Set(texts)].slice(0, mostShown);

const mostTitles = 10_000;
/** A hostile title may be as long as a body. */
const mostCharacters = 200;

export type TitleCache = ReturnType<typeof createTitleCache>;

export function createTitleCache() {
  const titles = new Map<string, string>();
  const remember = (id: string, title: string) => {
    titles.delete(id);
    titles.set(id, title.slice(0, mostCharacters));
    const [oldest] = titles.keys();
    if (titles.size > mostTitles && oldest !== undefined) titles.delete(oldest);
  };
  return {
    find: (id: string) => titles.get(id),
    remember,
    /** Loads the titles that commands have read. Never rejects: a title is optional. */
    async load({ world, account }: Pick<Context, 'world' | 'account'>) {
      try {
        const owner = await findCacheOwner(world, account);
        if (owner === undefined) return;
        for (const { kind, id, title } of (await readRecordCache(world, owner)).toReversed())
          if (kind !== 'user' && !titles.has(id)) remember(id, title);
      } catch {
        // Without a readable account, ids are shown.
      }
    },
  };
}
