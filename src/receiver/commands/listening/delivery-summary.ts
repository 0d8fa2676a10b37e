// Summarises a delivery for a line: its events, their subjects, and a title if this body or an earlier one has it.

import { type DeliveredEvents, eventsOf } from '#receiver/intake/read-events.ts';
import type { StoredDelivery } from '#receiver/intake/stored-delivery.ts';
import type { TitleCache } from './title-cache.ts';

export interface DeliverySummary extends Pick<StoredDelivery, 'sequence' | 'receivedAt' | 'signature'> {
  /** The types of its first events, each once. */
  readonly events: readonly string[];
  /** The subjects of these events, each once. */
  readonly ids: readonly string[];
  /** The number of further events; absent if 0. */
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
    title: ids.map((id) => titles.find(id)).find((title) => title !== undefined),
  };
}

export const countMore = ({ count }: Pick<DeliveredEvents, 'count'>) =>
  count > shownEvents ? { moreEvents: count - shownEvents } : {};

/** Keeps the titles of the first events: a later delivery may be about the same task. */
export function rememberTitles({ events }: DeliveredEvents, titles: Pick<Titles, 'remember'>): void {
  for (const { subjectId, title } of events.slice(0, shownEvents))
    if (subjectId !== undefined && title !== undefined) titles.remember(subjectId, title);
}

const firstOf = (texts: readonly string[]) => [...new Set(texts)].slice(0, mostShown);
