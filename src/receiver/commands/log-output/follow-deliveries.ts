// Prints news about deliveries for `webhook log --follow`, a line each, while a listener writes the journal and users replay deliveries.

import type { Context } from '#cli/context.ts';
import type { Attempt, Duplicate } from '#receiver/intake/delivery-journal.ts';
import type { EntrySelection } from '#receiver/journal/read-entries.ts';
import { sanitizeLine } from '#terminal/sanitize.ts';
import {
  addNote,
  type Collected,
  collectDeliveries,
  selectDelivery,
} from '../deliveries/collect-deliveries.ts';
import { deliveryColumns, deliveryPipeColumns, toDeliveryJson } from '../deliveries/delivery-columns.ts';
import type { DeliveryFilter } from '../deliveries/delivery-filter.ts';
import type { ReplayStore } from '../deliveries/delivery-place.ts';
import { type EntrySource, readStored } from '../deliveries/entry-source.ts';
import {
  type DeliveryState,
  isUnfinished,
  type KnownDelivery,
  stateOf,
} from '../deliveries/known-delivery.ts';
import type { Replays } from '../deliveries/replays-file.ts';
import type { Titles } from '../listening/delivery-summary.ts';
import { describeDamage, describeRejection } from './print-unknown.ts';

export interface FollowOptions {
  readonly source: EntrySource;
  readonly filter: DeliveryFilter;
  readonly states: readonly DeliveryState[];
  readonly titles: Titles;
  /** The deliveries that were printed before, and are not repeated. */
  readonly shown: Pick<Collected, 'from' | 'entries' | 'open' | 'wasLeftOut'>;
  readonly replays: Pick<ReplayStore, 'read' | 'version'>;
  /** The replays that were known at that time. */
  readonly shownReplays: Replays;
}

const replaysEveryMs = 1000;

/** Returns once the reader of the lines has gone; otherwise only an interruption ends it. */
export async function followDeliveries(context: Context, options: FollowOptions): Promise<void> {
  context.beginFollowing();
  const ending = new AbortController();
  const print = createPrinter(context, options, () => ending.abort());
  try {
    // Each of these ends only with an error, or when the reader of the lines has gone.
    await Promise.race([
      followJournal(context, options, print, ending.signal),
      followReplays(context, options, print, ending.signal),
    ]);
  } finally {
    ending.abort();
  }
}

type Print = (known: KnownDelivery) => Promise<void>;

function createPrinter(
  { report, world }: Pick<Context, 'report' | 'world'>,
  { titles, states }: FollowOptions,
  end: () => void,
): Print {
  const { output } = world.streams;
  const asSentence = output.isTerminal && !report.wantsJson;
  return async (known) => {
    if (states.length > 0 && !states.includes(stateOf(known))) return;
    if (asSentence) await report.line(describeLine(known, titles));
    else
      await report.each({
        columns: deliveryPipeColumns(titles),
        records: [known],
        raw: [toDeliveryJson(known, titles)],
      });
    if (output.isReaderGone) end();
  };
}

/** Describes a row in a line: a table would need the widths of later rows. */
function describeLine(known: KnownDelivery, titles: Titles): string {
  const cells = deliveryColumns(titles).map(({ title, cell }) => {
    const text = cell(known);
    return text !== '' && (title === 'ms' || title === 'attempts' || title === 'duplicates')
      ? `${text} ${title}`
      : text;
  });
  return sanitizeLine(cells.filter((text) => text !== '').join('  '));
}

async function followJournal(
  { report }: Pick<Context, 'report'>,
  { source, filter, titles, shown, replays }: FollowOptions,
  print: Print,
  signal: AbortSignal,
): Promise<void> {
  /** The deliveries that can still change. */
  const open = new Map(shown.open);
  let toSkip = shown.entries;
  const passBy = (isWanted: boolean) => {
    if (!isWanted) toSkip--;
    return isWanted;
  };
  /** Skips entries that were already decoded for display. */
  const selection: EntrySelection = {
    wantsDelivery: (sequence, receivedAt) => passBy(toSkip <= 0 || shown.wasLeftOut(sequence, receivedAt)),
    wantsAttempt: (sequence) => passBy(toSkip <= 0 || (open.has(sequence) && !shown.open.has(sequence))),
  };
  for await (const entry of source.read({
    from: shown.from,
    follow: true,
    signal,
    selection,
  })) {
    const isNew = toSkip <= 0;
    toSkip--;
    if (entry.kind === 'delivery') {
      const known = selectDelivery(entry.delivery, filter, titles);
      if (known === undefined) continue;
      open.set(known.sequence, known);
      if (isNew) await print(known);
    } else if (entry.kind === 'rejected') {
      if (isNew) await report.info(describeRejection(entry));
    } else if (entry.kind === 'damage') {
      if (isNew) await report.warn(describeDamage(entry));
    } else if (entry.kind !== 'dropped') {
      if (!isNew && shown.open.has(entry.sequence)) continue;
      const known = open.get(entry.sequence) ?? (isNew ? await findEarlier(entry) : undefined);
      if (known === undefined) continue;
      addNote(known, entry);
      if (isNew) await print(known);
      if (isUnfinished(known)) open.set(known.sequence, known);
      else open.delete(known.sequence);
    }
  }

  /** Finds a delivery older than the ones shown. Does not include this note itself. */
  async function findEarlier(note: Attempt | Duplicate): Promise<KnownDelivery | undefined> {
    if (note.kind === 'duplicate') {
      const known = await readKnown({ source, filter, titles }, note.sequence, await replays.read());
      return known && { ...known, duplicates: known.duplicates - 1 };
    }
    // The attempt's number tells how many came before: reading them all would be slow in a backlog.
    const stored = await readStored(source, note.sequence);
    return stored && selectDelivery(stored, filter, titles);
  }
}

async function followReplays(
  { world: { clock } }: Pick<Context, 'world'>,
  { source, filter, titles, replays, shownReplays }: FollowOptions,
  print: Print,
  signal: AbortSignal,
): Promise<void> {
  let before = shownReplays;
  // The first look finds replays since the list was printed.
  for (let seen = -1; !signal.aborted; await clock.sleep(replaysEveryMs, signal)) {
    const version = await replays.version();
    if (version === seen) continue;
    seen = version;
    const now = await replays.read();
    for (const [sequence, all] of now.bySequence) {
      if (all.length === (before.bySequence.get(sequence)?.length ?? 0)) continue;
      const known = await readKnown({ source, filter, titles }, sequence, now);
      if (known) await print(known);
    }
    before = now;
  }
}

/** Returns `undefined` if the delivery was dropped or the filter rejects it. */
async function readKnown(
  { source, filter, titles }: Pick<FollowOptions, 'source' | 'filter' | 'titles'>,
  sequence: number,
  replays: Replays,
): Promise<KnownDelivery | undefined> {
  const numbers = [{ from: sequence, to: sequence }];
  const selection = { filter: { ...filter, numbers }, states: [], last: 1 };
  return (await collectDeliveries(source, replays, selection, titles)).deliveries[0];
}
