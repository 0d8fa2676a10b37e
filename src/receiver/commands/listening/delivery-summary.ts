// What a line shows of a delivery: its events, what they are about, and a title if the body or an earlier one has it.

import { type DeliveredEvents, eventsOf } from '#receiver/intake/read-events.ts';
import type { StoredDelivery } from '#receiver/intake/stored-delivery.ts';

export interface DeliverySummary extends Pick<StoredDelivery, 'sequence' | 'receivedAt' | 'signature'> {
  /** The names of its first events, each once. */
  readonly events: readonly string[];
  /** What those are about, each once. */
  readonly ids: readonly string[];
  /** How many events follow after those; absent if there are none. */
  readonly moreEvents?: number;
  /** Of the first of them, if it is known. */
  readonly title: string | undefined;
}

/** Remembers the titles that events carry, and knows those that commands have read. */
export interface Titles {
  find(id: string): string | undefined;
  remember(id: string, title: string): void;
}

/** A hostile body could name as many as fit. */
const mostShown = 20;
/** Of what follows after these, only the number is shown. */
export const shownEvents = 100;

export function summarize(delivery: StoredDelivery, titles: Titles): DeliverySummary {
  const { sequence, receivedAt, signature } = delivery;
  const found = eventsOf(delivery);
  rememberTitles(found, titles);
  const shown = found.events.slice(0, shownEvents);
  const ids = firstOf(shown.flatMap(({ subjectId }) => (subjectId === undefined ? [] : [subjectId])));
  return {
    sequence,
    receivedAt,
    signature,
    events: firstOf(shown.flatMap(({ eventType }) => (eventType === '' ? [] : [eventType]))),
    ids,
    ...countMore(found),
    title: ids.map((id) => titles.find(id)).find((title) => title !== undefined),
  };
}

export const countMore = ({ count }: Pick<DeliveredEvents, 'count'>) =>
  count > shownEvents ? { moreEvents: count - shownEvents } : {};

/** The titles that the first events carry: a later delivery may be about the same task. */
export function rememberTitles({ events }: DeliveredEvents, titles: Pick<Titles, 'remember'>): void {
  for (const { subjectId, title } of events.slice(0, shownEvents))
    if (subjectId !== undefined && title !== undefined) titles.remember(subjectId, title);
}

const firstOf = (texts: readonly string[]) => [...new Set(texts)].slice(0, mostShown);
