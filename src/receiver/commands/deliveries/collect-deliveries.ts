// Collects what the journal knows about the deliveries that a filter selects. For the last few of a long journal, it reads only the
// end: a larger part each time, until it has enough. It decodes only what may be selected.

import type { Attempt, Duplicate, Rejection } from '#receiver/intake/delivery-journal.ts';
import { readEvents } from '#receiver/intake/read-events.ts';
import type { StoredDelivery } from '#receiver/intake/stored-delivery.ts';
import type { Dropped } from '#receiver/journal/checkpoint.ts';
import type { JournalEntry } from '#receiver/journal/read-entries.ts';
import { rememberTitles, type Titles } from '../listening/delivery-summary.ts';
import { type DeliveryFilter, matchesFilter, mayMatchFilter } from './delivery-filter.ts';
import type { EntrySource, JournalBounds } from './entry-source.ts';
import {
  type DeliveryState,
  isUnfinished,
  type KnownDelivery,
  stateOf,
  toKnownDelivery,
} from './known-delivery.ts';
import type { Replays } from './replays-file.ts';

export type JournalDamage = Extract<JournalEntry, { readonly kind: 'damage' }> & {
  /** The number that the next delivery would have had there. */
  readonly from?: number;
};

export interface Selection {
  readonly filter: DeliveryFilter;
  /** Empty: every one. */
  readonly states: readonly DeliveryState[];
  /** At most this many of those that match: the last ones. */
  readonly last: number;
}

export interface Collected {
  /** In the order in which they were stored. */
  readonly deliveries: readonly KnownDelivery[];
  /** The delivery with which the part of the journal begins that was read, and how many entries it holds. */
  readonly from: number;
  readonly entries: number;
  /** Those that were decoded, pass the filter, and can still change. */
  readonly open: ReadonlyMap<number, KnownDelivery>;
  /** It can still change, and was not decoded. The filter may let it pass. */
  wasLeftOut(sequence: number, receivedAt: number): boolean;
  /** The journal holds no delivery. */
  readonly isEmpty: boolean;
  /** The whole journal was read, or everything from the first number, or time, that was asked for. */
  readonly isComplete: boolean;
  readonly rejections: readonly Rejection[];
  /** Numbers that are missing between others: dropped with their segments, or damaged. */
  readonly missing: readonly { readonly from: number; readonly to: number }[];
  readonly damage: readonly JournalDamage[];
  /** What the listener has removed so far, by age or size. */
  readonly dropped: Dropped | undefined;
  /** For the whole journal. */
  readonly unfinished: Pick<JournalBounds, 'unfinished' | 'oldestUnfinished'>;
}

/** What the first look at the end of a journal reads, in deliveries, unless more are asked for. */
const firstWindow = 200;
/** How many are held before those beyond `last` are dropped. */
const slack = 10_000;

export async function collectDeliveries(
  source: EntrySource,
  replays: Replays,
  selection: Selection,
  titles: Pick<Titles, 'remember'>,
): Promise<Collected> {
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
      return { ...collected, isEmpty: last < first, isComplete: from === lowest, unfinished: bounds };
  }
}

async function collectFrom(
  source: EntrySource,
  replays: Replays,
  { filter, states, last }: Selection,
  titles: Pick<Titles, 'remember'>,
  bounds: JournalBounds,
  from: number,
): Promise<Omit<Collected, 'isEmpty' | 'isComplete' | 'unfinished'>> {
  const found = new Map<number, KnownDelivery>();
  const rejections: Rejection[] = [];
  const missing: { from: number; to: number }[] = [];
  const damage: JournalDamage[] = [];
  let dropped: Dropped | undefined;
  let entries = 0;
  // A source of which parts are dropped begins with what is there.
  let expected = from;
  let nextDrop = Math.max(2 * last, slack);
  const isSelected = (known: KnownDelivery) => states.length === 0 || states.includes(stateOf(known));
  const mayBeInStates = await createStateGuess(source, states, bounds, from);
  const passBy = (isWanted: boolean) => {
    if (!isWanted) entries++;
    return isWanted;
  };
  const selection = {
    wantsDelivery(sequence: number, receivedAt: number) {
      if (sequence < from) return passBy(false);
      if (sequence > expected) missing.push({ from: expected, to: sequence - 1 });
      expected = sequence + 1;
      return passBy(mayMatchFilter(filter, sequence, receivedAt) && mayBeInStates(sequence));
    },
    wantsAttempt: (sequence: number) => passBy(found.has(sequence)),
  };
  for await (const entry of source.read({ from: { sequence: from }, selection })) {
    entries++;
    switch (entry.kind) {
      case 'delivery': {
        const { sequence } = entry.delivery;
        const known = selectDelivery(entry.delivery, filter, titles);
        if (known === undefined) break;
        known.replays.push(...(replays.bySequence.get(sequence) ?? []));
        found.set(sequence, known);
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
      default: {
        const known = found.get(entry.sequence);
        if (known === undefined) break;
        addNote(known, entry);
        // Nothing but a replay changes it any more, and those are known.
        if (entry.kind === 'attempt' && entry.finishes && !isSelected(known)) found.delete(entry.sequence);
      }
    }
    if (found.size > nextDrop) {
      dropEarlier(found, last, isSelected);
      nextDrop = 2 * found.size + slack;
    }
  }
  if (bounds.last >= expected) missing.push({ from: expected, to: bounds.last });
  // What finished it was dropped, with the segment in which it was.
  for (const known of found.values())
    if (known.sequence <= bounds.last && isUnfinished(known) && !bounds.isUnfinished(known.sequence))
      known.wasDropped = true;
  const selected = [...found.values()].filter(isSelected);
  return {
    deliveries: Number.isFinite(last) ? selected.slice(-last) : selected,
    from,
    entries,
    open: new Map([...found].filter(([, known]) => isUnfinished(known))),
    wasLeftOut: (sequence, receivedAt) =>
      mayMatchFilter(filter, sequence, receivedAt) &&
      !mayBeInStates(sequence) &&
      bounds.isUnfinished(sequence),
    rejections,
    missing,
    damage,
    dropped,
  };
}

/** `undefined` if the filter does not let it pass. */
export function selectDelivery(
  stored: StoredDelivery,
  filter: DeliveryFilter,
  titles: Pick<Titles, 'remember'>,
): KnownDelivery | undefined {
  const found = readEvents(stored.body);
  rememberTitles(found, titles);
  return matchesFilter(filter, stored, found) ? toKnownDelivery(stored, found) : undefined;
}

export function addNote(known: KnownDelivery, note: Attempt | Duplicate): void {
  if (note.kind === 'duplicate') known.duplicates++;
  else known.attempts.push(note);
}

/** One that is not selected yet stays while it can change. */
function dropEarlier(
  found: Map<number, KnownDelivery>,
  last: number,
  isSelected: (known: KnownDelivery) => boolean,
): void {
  const settled = [...found.values()].filter(
    (known) => isSelected(known) && known.attempts.some(({ finishes }) => finishes),
  );
  for (const { sequence } of settled.slice(0, Math.max(0, settled.length - last))) found.delete(sequence);
}

type MayBeIn = (sequence: number) => boolean;

/** For deliveries with this number or a higher one. Reads the attempts if that is necessary. It may return true for some others. */
async function createStateGuess(
  source: Pick<EntrySource, 'read'>,
  states: readonly DeliveryState[],
  bounds: Pick<JournalBounds, 'last' | 'isUnfinished'>,
  from: number,
): Promise<MayBeIn> {
  if (states.length === 0 || states.some((state) => !knownEarly.has(state))) return () => true;
  const dead = states.some((state) => deadStates.has(state)) ? await readDead(source, from) : new Set();
  const wantsUnfinished = states.some((state) => unfinishedStates.has(state));
  return (sequence) =>
    // Nothing is known of what came since.
    sequence > bounds.last || dead.has(sequence) || (wantsUnfinished && bounds.isUnfinished(sequence));
}

const unfinishedStates: ReadonlySet<DeliveryState> = new Set(['waiting', 'retrying']);
const deadStates: ReadonlySet<DeliveryState> = new Set(['dead', 'replayed']);
/** Most deliveries are in one of the others. */
const knownEarly: ReadonlySet<DeliveryState> = new Set([...unfinishedStates, ...deadStates]);

/** Those that were given up for a target. */
async function readDead({ read }: Pick<EntrySource, 'read'>, from: number): Promise<ReadonlySet<number>> {
  const dead = new Set<number>();
  const selection = {
    wantsDelivery: () => false,
    wantsAttempt: (_: number, isDead: () => boolean) => isDead(),
  };
  for await (const entry of read({ from: { sequence: from }, selection }))
    if (entry.kind === 'attempt') dead.add(entry.sequence);
  return dead;
}
