// Selects deliveries by a filter, with their attempts and replays, and passes them on in parts while it reads. It decodes only entries
// that may be selected.

import { parseJsonIfValid } from '#contract/json.ts';
import type { Note, Rejection, StoredDelivery } from '#receiver/core/intake/delivery-journal.ts';
import { readEvents } from '#receiver/core/intake/read-events.ts';
import type { Dropped } from '#receiver/core/journal/contents.ts';
import { isNote } from '#receiver/core/journal/note-frame.ts';
import type { JournalEntry } from '#receiver/core/journal/read-entries.ts';
import type { EntrySource, JournalBounds } from './delivery-archive.ts';
import { type DeliveryFilter, matchesFilter, mayMatchFilter } from './delivery-filter.ts';
import { rememberTitles, type Titles } from './delivery-summary.ts';
import {
  type DeliveryState,
  isUnfinished,
  type LoggedDelivery,
  stateOf,
  toLoggedDelivery,
} from './logged-delivery.ts';
import { type NotesAhead, readAhead } from './notes-ahead.ts';
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
  /** Gets each delivery without its content, in place of the parts: saves decoding it. */
  readonly onOutline?: (delivery: LoggedDelivery) => void;
}

/** Found besides the deliveries: complete once all parts were read. */
interface Findings {
  readonly rejections: Rejection[];
  /** Numbers missing between others, which were dropped with their segments or are damaged. */
  readonly missing: { readonly from: number; readonly to: number }[];
  readonly damage: JournalDamage[];
  dropped?: Dropped;
}

type Parts = AsyncGenerator<readonly LoggedDelivery[]>;

/** A note usually comes within so many deliveries after its own. Later ones are read ahead. To hold more would age them for V8, and double its heap. */
const heldDeliveries = 100;
const perPart = 50;

/** Reads from the delivery with this number on. */
export function startReading(
  source: EntrySource,
  replays: Replays,
  selection: Selection,
  titles: Pick<Titles, 'remember'>,
  bounds: JournalBounds,
  from: number,
) {
  const { filter, states, follow, onOutline } = selection;
  const found: Findings = { rejections: [], missing: [], damage: [] };
  /** With `follow`: all deliveries that pass the filter and can still change. */
  const open = new Map<number, LoggedDelivery>();
  /** Deliveries whose notes may follow, by number from `heldFrom` on. */
  const held: (LoggedDelivery | undefined)[] = [];
  let heldFrom = from;
  // A sink has all notes behind all deliveries, and what is followed may change later.
  const isShort = bounds.last - from < heldDeliveries || bounds.hasNotesLast === true || follow !== undefined;
  const most = isShort ? Number.POSITIVE_INFINITY : onOutline === undefined ? heldDeliveries : 0;
  const isLate = (sequence: number) => expected - sequence > most;
  // A source without its oldest deliveries begins with the first remaining one.
  let expected = from;
  let ahead: NotesAhead = { late: new Map(), mayBeInStates: () => true };
  let nextRelease = from + most + perPart;
  let ready: LoggedDelivery[] = [];
  let isNew = false;
  /** In a damaged journal. */
  const isRepeated = (sequence: number) =>
    sequence < expected && !found.missing.some((range) => range.from <= sequence && sequence <= range.to);
  const isSelected = (delivery: LoggedDelivery) => states.length === 0 || states.includes(stateOf(delivery));
  const pass = onOutline ?? ((delivery) => void ready.push(delivery));

  const hold = (delivery: LoggedDelivery) => {
    for (const replay of replays.bySequence.get(delivery.sequence) ?? []) delivery.replays.push(replay);
    // A damaged journal may have it far behind its place.
    if (most === 0 || delivery.sequence < heldFrom) complete(delivery);
    else held[delivery.sequence - heldFrom] = delivery;
  };
  /** All notes so far are known. */
  const complete = (delivery: LoggedDelivery) => {
    const { sequence } = delivery;
    for (const line of ahead.late.get(sequence)?.split('\n') ?? []) {
      const note = parseJsonIfValid(line);
      if (isNote(note)) addNote(delivery, note);
    }
    ahead.late.delete(sequence);
    // The final attempt was dropped with its segment.
    if (sequence <= bounds.last && isUnfinished(delivery) && !bounds.isUnfinished(sequence))
      delivery.wasDropped = true;
    if (follow !== undefined && isUnfinished(delivery)) open.set(sequence, delivery);
    if (isSelected(delivery)) pass(delivery);
  };
  const release = (before: number) => {
    nextRelease = expected + perPart;
    const released = held.splice(0, before - heldFrom);
    heldFrom = before;
    for (const delivery of released) if (delivery !== undefined) complete(delivery);
  };
  const entrySelection = {
    wantsDelivery(sequence: number, receivedAt: number) {
      if (isNew) return true;
      if (sequence < from || isRepeated(sequence)) return false;
      if (sequence > expected) found.missing.push({ from: expected, to: sequence - 1 });
      expected = Math.max(expected, sequence + 1);
      if (expected >= nextRelease) release(expected - most);
      const mayChange = follow !== undefined && bounds.isUnfinished(sequence);
      if (!mayMatchFilter(filter, sequence, receivedAt) || !(mayChange || ahead.mayBeInStates(sequence)))
        return false;
      if (onOutline === undefined) return true;
      hold({ ...withoutContent, sequence, receivedAt, attempts: [], replays: [] });
      return false;
    },
    wantsAttempt: (sequence: number) =>
      isNew || (held[sequence - heldFrom] !== undefined && !isLate(sequence)),
  };
  const news = source.read({ from, selection: entrySelection, follow });

  async function* parts(): Parts {
    ahead = await readAhead(source, states, onOutline !== undefined, bounds, from, most);
    try {
      for (
        let next = await news.next();
        !next.done && next.value.kind !== 'caught-up';
        next = await news.next()
      ) {
        const entry = next.value;
        if (entry.kind === 'delivery') {
          const delivery = selectDelivery(entry.delivery, filter, titles);
          if (delivery !== undefined) hold(delivery);
        } else if (entry.kind === 'rejected') {
          if (entry.time >= filter.from && entry.time < filter.before) found.rejections.push(entry);
        } else if (entry.kind === 'damage') found.damage.push({ ...entry, from: expected });
        else if (entry.kind === 'dropped') found.dropped = entry;
        else {
          const delivery = held[entry.sequence - heldFrom];
          if (delivery === undefined || isLate(entry.sequence)) continue;
          addNote(delivery, entry);
          // Only a replay can still change it, and all replays are known.
          if (entry.kind === 'attempt' && entry.finishes && !isSelected(delivery))
            held[entry.sequence - heldFrom] = undefined;
        }
        if (ready.length > 0) yield ready;
        ready = [];
      }
      // What follows is left to a later reader.
      isNew = true;
    } finally {
      // The caller may leave early (`| head`).
      if (!isNew) await news.return(undefined);
    }
    if (bounds.last >= expected) found.missing.push({ from: expected, to: bounds.last });
    release(expected);
    if (ready.length > 0) yield ready;
  }

  return { parts: parts(), found, open, /** What is stored from now on, with `follow`. */ news };
}

const withoutContent = {
  signature: 'valid',
  idempotencyKey: undefined,
  bytes: 0,
  events: [],
  ids: [],
  duplicates: 0,
} as const;

export function selectDelivery(
  stored: StoredDelivery,
  filter: DeliveryFilter,
  titles: Pick<Titles, 'remember'>,
): LoggedDelivery | undefined {
  const delivered = readEvents(stored.body);
  rememberTitles(delivered, titles);
  return matchesFilter(filter, stored, delivered) ? toLoggedDelivery(stored, delivered) : undefined;
}

export function addNote(delivery: LoggedDelivery, note: Note): void {
  if (note.kind === 'duplicate') delivery.duplicates++;
  else if (note.kind === 'attempt') delivery.attempts.push(note);
}
