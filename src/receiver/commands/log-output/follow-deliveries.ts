// `webhook log --follow`: prints a line whenever something becomes known about a delivery, while a listener writes the journal
// and replays are sent.

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
  /** What was printed before, and is not printed again. */
  readonly shown: Pick<Collected, 'from' | 'entries' | 'open' | 'wasLeftOut'>;
  readonly replays: Pick<ReplayStore, 'read' | 'version'>;
  /** As they were known when what is shown was printed. */
  readonly shownReplays: Replays;
}

const replaysEveryMs = 1000;

/** Returns once nobody reads the lines any more; the command is interrupted otherwise. */
export async function followDeliveries(context: Context, options: FollowOptions): Promise<void> {
  context.beginFollowing();
  const ending = new AbortController();
  const print = createPrinter(context, options, () => ending.abort());
  try {
    // Each ends only when the reader of the lines has gone, or with an error.
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

/** What the row of a table would say: a table needs the widths of the rows to come. */
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
  /** Those that can still change. */
  const open = new Map(shown.open);
  let toSkip = shown.entries;
  const passBy = (isWanted: boolean) => {
    if (!isWanted) toSkip--;
    return isWanted;
  };
  /** What was decoded to be shown is not decoded again. */
  const selection: EntrySelection = {
    wantsDelivery: (sequence, receivedAt) => passBy(toSkip <= 0 || shown.wasLeftOut(sequence, receivedAt)),
    wantsAttempt: (sequence) => passBy(toSkip <= 0 || (open.has(sequence) && !shown.open.has(sequence))),
  };
  for await (const entry of source.read({
    from: { sequence: shown.from },
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

  /** One that was stored before what was shown. The entry itself is not yet among what is known of it. */
  async function findEarlier(note: Attempt | Duplicate): Promise<KnownDelivery | undefined> {
    if (note.kind === 'duplicate') {
      const known = await readKnown({ source, filter, titles }, note.sequence, await replays.read());
      return known && { ...known, duplicates: known.duplicates - 1 };
    }
    // Its number says how many there were: to read them all would take long where a backlog is forwarded.
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
  // The first look is at what came since they were shown.
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

/** `undefined` if it was dropped, or the filter does not let it pass. */
async function readKnown(
  { source, filter, titles }: Pick<FollowOptions, 'source' | 'filter' | 'titles'>,
  sequence: number,
  replays: Replays,
): Promise<KnownDelivery | undefined> {
  const numbers = [{ from: sequence, to: sequence }];
  const selection = { filter: { ...filter, numbers }, states: [], last: 1 };
  return (await collectDeliveries(source, replays, selection, titles)).deliveries[0];
}
