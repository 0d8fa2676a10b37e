// Collects the deliveries that a filter selects, with their attempts and replays. For the last few of a long journal, it reads a growing
// part of the end until it has enough. It decodes only entries that may be selected. To follow a journal, the same reading goes on.

import type { Attempt, Duplicate, Rejection } from '#receiver/intake/delivery-journal.ts';
import { readEvents } from '#receiver/intake/read-events.ts';
import type { StoredDelivery } from '#receiver/intake/stored-delivery.ts';
import type { Dropped } from '#receiver/journal/contents.ts';
import type { JournalEntry } from '#receiver/journal/read-entries.ts';
import { rememberTitles, type Titles } from '../listening/delivery-summary.ts';
import type { EntrySource, JournalBounds } from './delivery-archive.ts';
import { type DeliveryFilter, matchesFilter, mayMatchFilter } from './delivery-filter.ts';
import {
  type DeliveryState,
  isUnfinished,
  type LoggedDelivery,
  stateOf,
  toLoggedDelivery,
} from './logged-delivery.ts';
import type { Replays } from './replays-file.ts';

export type JournalDamage = Extract<JournalEntry, { readonly kind: 'damage' }> & {
  /** The number that the next delivery would have had at the damaged place. */
  readonly from?: number;
};

export interface Selection {
  readonly filter: DeliveryFilter;
  /** The states to select; empty for all. */
  readonly states: readonly DeliveryState[];
  /** Selects at most this many matches, the last ones. */
  readonly last: number;
  /** Reads new entries later, until the signal. */
  readonly follow?: AbortSignal | undefined;
}

export type Collected = Awaited<ReturnType<typeof collectDeliveries>>;

/** The least number of deliveries in the first look at the end of a journal. */
const firstWindow = 200;

export async function collectDeliveries(
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
    const collected = await collectFrom(source, replays, selection, titles, bounds, from);
    if (from === lowest || collected.deliveries.length >= selection.last)
      return {
        ...collected,
        isEmpty: last < first,
        /** The whole journal was read, or everything from the requested number or time on. */
        isComplete: from === lowest,
        backlog: bounds.backlog,
      };
    await collected.news.return(undefined);
  }
}

/** Collects from the delivery with this number on. */
export async function collectFrom(
  source: Pick<EntrySource, 'read'>,
  replays: Replays,
  { filter, states, last, follow }: Selection,
  titles: Pick<Titles, 'remember'>,
  bounds: Pick<JournalBounds, 'last' | 'isUnfinished'>,
  from: number,
) {
  const deliveries = new Map<number, LoggedDelivery>();
  const rejections: Rejection[] = [];
  const missing: { from: number; to: number }[] = [];
  const damage: JournalDamage[] = [];
  let dropped: Dropped | undefined;
  // A source without its oldest deliveries begins with the first remaining one.
  let expected = from;
  const isSelected = (delivery: LoggedDelivery) => states.length === 0 || states.includes(stateOf(delivery));
  const mayBeInStates = await createStateGuess(source, states, bounds, from);
  let isNew = false;
  const selection = {
    wantsDelivery(sequence: number, receivedAt: number) {
      if (isNew) return true;
      if (sequence < from) return false;
      if (sequence > expected) missing.push({ from: expected, to: sequence - 1 });
      expected = sequence + 1;
      const mayChange = follow !== undefined && bounds.isUnfinished(sequence);
      return mayMatchFilter(filter, sequence, receivedAt) && (mayChange || mayBeInStates(sequence));
    },
    wantsAttempt: (sequence: number) => isNew || deliveries.has(sequence),
  };
  const news = source.read({ from, selection, follow });
  for await (const entry of untilCaughtUp(news)) {
    switch (entry.kind) {
      case 'delivery': {
        const { sequence } = entry.delivery;
        const delivery = selectDelivery(entry.delivery, filter, titles);
        if (delivery === undefined) break;
        delivery.replays.push(...(replays.bySequence.get(sequence) ?? []));
        deliveries.set(sequence, delivery);
        break;
      }
      case 'rejected':
        if (entry.time >= filter.from && entry.time < filter.before) rejections.push(entry);
        break;
      case 'damage':
        damage.push({ ...entry, from: expected });
        break;
      case 'dropped':
        dropped = entry;
        break;
      case 'attempt':
      case 'duplicate': {
        const delivery = deliveries.get(entry.sequence);
        if (delivery === undefined) break;
        addNote(delivery, entry);
        // Only a replay can still change it, and all replays are known.
        if (entry.kind === 'attempt' && entry.finishes && !isSelected(delivery))
          deliveries.delete(entry.sequence);
      }
    }
  }
  isNew = true;
  if (bounds.last >= expected) missing.push({ from: expected, to: bounds.last });
  // The final attempt was dropped with its segment.
  for (const delivery of deliveries.values())
    if (delivery.sequence <= bounds.last && isUnfinished(delivery) && !bounds.isUnfinished(delivery.sequence))
      delivery.wasDropped = true;
  const selected = [...deliveries.values()].filter(isSelected);
  return {
    /** In stored order. */
    deliveries: selected.slice(-last),
    /** With `follow`: what is stored from now on, and all deliveries that pass the filter and can still change. */
    news,
    open: new Map([...deliveries].filter(([, delivery]) => isUnfinished(delivery))),
    rejections,
    /** Numbers missing between others, which were dropped with their segments or are damaged. */
    missing,
    damage,
    dropped,
  };
}

/** Leaves the rest to a later reader. */
async function* untilCaughtUp(entries: AsyncGenerator<JournalEntry>): AsyncGenerator<JournalEntry> {
  for (let next = await entries.next(); !next.done; next = await entries.next()) {
    if (next.value.kind === 'caught-up') return;
    yield next.value;
  }
}

export function selectDelivery(
  stored: StoredDelivery,
  filter: DeliveryFilter,
  titles: Pick<Titles, 'remember'>,
): LoggedDelivery | undefined {
  const delivered = readEvents(stored.body);
  rememberTitles(delivered, titles);
  return matchesFilter(filter, stored, delivered) ? toLoggedDelivery(stored, delivered) : undefined;
}

export function addNote(delivery: LoggedDelivery, note: Attempt | Duplicate): void {
  if (note.kind === 'duplicate') delivery.duplicates++;
  else delivery.attempts.push(note);
}

/** Guesses which deliveries from this number on have a requested state; may include others. Reads attempts if necessary. */
async function createStateGuess(
  source: Pick<EntrySource, 'read'>,
  states: readonly DeliveryState[],
  bounds: Pick<JournalBounds, 'last' | 'isUnfinished'>,
  from: number,
): Promise<(sequence: number) => boolean> {
  const wantsUnfinished = states.some((state) => state === 'waiting' || state === 'retrying');
  const wantsDead = states.some((state) => state === 'dead' || state === 'replayed');
  // To know any other state, which most deliveries have, needs the decoded delivery.
  if (states.length === 0 || states.some((state) => !earlyStates.has(state))) return () => true;
  const dead = wantsDead ? await readDead(source, from) : new Set();
  return (sequence) =>
    // Later deliveries are unknown, so they may match.
    sequence > bounds.last || dead.has(sequence) || (wantsUnfinished && bounds.isUnfinished(sequence));
}

const earlyStates: ReadonlySet<DeliveryState> = new Set(['waiting', 'retrying', 'dead', 'replayed']);

async function readDead({ read }: Pick<EntrySource, 'read'>, from: number): Promise<ReadonlySet<number>> {
  const dead = new Set<number>();
  const selection = {
    wantsDelivery: () => false,
    wantsAttempt: (_: number, isDead: () => boolean) => isDead(),
  };
  for await (const entry of read({ from, selection })) if (entry.kind === 'attempt') dead.add(entry.sequence);
  return dead;
}
