// Selects deliveries for `webhook log`, `webhook replay` and the page. For the last few of a long journal, it reads a growing part of
// the end until it has enough.

import type { EntrySource } from './delivery-archive.ts';
import type { Titles } from './delivery-summary.ts';
import type { LoggedDelivery } from './logged-delivery.ts';
import type { Replays } from './replays-file.ts';
import { type Selection, startReading } from './select-deliveries.ts';

export type Query = Awaited<ReturnType<typeof queryDeliveries>>;

/** The least number of deliveries in the first look at the end of a journal. */
const firstWindow = 200;

/** Reads parts only as the caller takes them, except to find the last few. */
export async function queryDeliveries(
  source: EntrySource,
  replays: Replays,
  selection: Selection,
  titles: Pick<Titles, 'remember'>,
) {
  const bounds = await source.bounds();
  const { first, last } = bounds;
  const { numbers, from: since } = selection.filter;
  const smallest = numbers.length === 0 ? first : Math.min(...numbers.map(({ from }) => from));
  const lowest = Math.max(first, smallest, await bounds.firstSince(since));
  const highest = numbers.length === 0 ? last : Math.min(last, Math.max(...numbers.map(({ to }) => to)));
  for (let window = Math.max(firstWindow, 2 * selection.last); ; window *= 8) {
    const from = Math.max(lowest, highest + 1 - window);
    const { parts, ...reading } = startReading(source, replays, selection, titles, bounds, from);
    const query = {
      ...reading,
      isEmpty: last < first,
      /** The whole journal was read, or everything from the requested number or time on. */
      isComplete: from === lowest,
      backlog: bounds.backlog,
    };
    if (selection.last === Number.POSITIVE_INFINITY) return { ...query, parts };
    const deliveries = await gather(parts, selection.last);
    if (from === lowest || deliveries.length >= selection.last) return { ...query, parts: [deliveries] };
    await reading.news.return(undefined);
  }
}

/** Like {@link queryDeliveries}, for deliveries that fit into memory. */
export async function collectDeliveries(...parameters: Parameters<typeof queryDeliveries>) {
  const query = await queryDeliveries(...parameters);
  return { ...query, deliveries: await gather(query.parts) };
}

/** Collects all parts, or the last matches. */
export async function gather(parts: Query['parts'], last = Number.POSITIVE_INFINITY) {
  const deliveries: LoggedDelivery[] = [];
  for await (const part of parts) {
    for (const delivery of part) deliveries.push(delivery);
    deliveries.splice(0, deliveries.length - last);
  }
  return deliveries;
}
