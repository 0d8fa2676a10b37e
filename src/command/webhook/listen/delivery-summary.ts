// What a line shows of a delivery: its events, what they are about, and a title if the body or an earlier one has it.

import { type DeliveredEvent, readEvents } from '../../../receiver/read-events.ts';
import type { StoredDelivery } from '../../../receiver/stored-delivery.ts';

export interface DeliverySummary extends Pick<StoredDelivery, 'sequence' | 'receivedAt' | 'signature'> {
  /** The names of its events, each once. */
  readonly events: readonly string[];
  /** What they are about, each once. */
  readonly ids: readonly string[];
  /** Of the first of them, if it is known. */
  readonly title: string | undefined;
}

/** Remembers the titles that events carry, and knows those that commands have read. */
export interface Titles {
  find(id: string): string | undefined;
  remember(id: string, title: string): void;
}

/** Larger bodies are shown without their events: parsing them would hold up other deliveries. */
const mostBytes = 256 * 1024;
/** A hostile body could name as many as fit. */
const mostShown = 20;

export function summarize(delivery: StoredDelivery, titles: Titles): DeliverySummary {
  const { sequence, receivedAt, signature, body } = delivery;
  const events = body.length <= mostBytes ? readEvents(body) : [];
  rememberTitles(events, titles);
  const ids = firstOf(events.flatMap(({ subjectId }) => (subjectId === undefined ? [] : [subjectId])));
  return {
    sequence,
    receivedAt,
    signature,
    events: firstOf(events.flatMap(({ eventType }) => (eventType === '' ? [] : [eventType]))),
    ids,
    title: ids.map((id) => titles.find(id)).find((title) => title !== undefined),
  };
}

/** Those that the events carry: a later delivery may be about the same task. */
export function rememberTitles(events: readonly DeliveredEvent[], titles: Pick<Titles, 'remember'>): void {
  for (const { subjectId, fields } of events) {
    const title = titleIn(fields);
    if (subjectId !== undefined && title !== undefined) titles.remember(subjectId, title);
  }
}

const firstOf = (texts: readonly string[]) => [...new Set(texts)].slice(0, mostShown);

/** From the event itself, or from the fields that its webhook asks for. */
function titleIn(event: Readonly<Record<string, unknown>>): string | undefined {
  const { title, fields } = event;
  if (typeof title === 'string') return title;
  const more: unknown = typeof fields === 'object' && fields !== null && 'title' in fields && fields.title;
  return typeof more === 'string' ? more : undefined;
}
