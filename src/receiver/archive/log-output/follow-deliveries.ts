// Prints news about deliveries for `webhook log --follow`, a line each, while a listener writes the journal and users replay deliveries.

import type { Context } from '#cli/context.ts';
import type { Attempt, Duplicate } from '#receiver/core/intake/delivery-journal.ts';
import { sanitizeLine } from '#terminal/sanitize.ts';
import { collectDeliveries, type Query } from '../deliveries/collect-deliveries.ts';
import { type EntrySource, readStored } from '../deliveries/delivery-archive.ts';
import { deliveryColumns, deliveryPipeColumns, toDeliveryJson } from '../deliveries/delivery-columns.ts';
import type { Titles } from '../deliveries/delivery-summary.ts';
import { isUnfinished, type LoggedDelivery, stateOf } from '../deliveries/logged-delivery.ts';
import type { ReplayStore, Replays } from '../deliveries/replays-file.ts';
import { addNote, type Selection, selectDelivery } from '../deliveries/select-deliveries.ts';
import { describeDamage, describeRejection } from './print-deliveries.ts';

interface FollowOptions {
  readonly source: EntrySource;
  readonly selection: Selection;
  readonly titles: Titles;
  /** The deliveries that can still change, and what comes after all that were printed. */
  readonly query: Pick<Query, 'news' | 'open'>;
  readonly replays: Pick<ReplayStore, 'read' | 'version'>;
  readonly shownReplays: Replays;
}

const replaysEveryMs = 1000;

/** Returns once the reader of the lines has gone, which aborts `ending`; otherwise only an interruption ends it. */
export async function followDeliveries(
  { report, world, beginFollowing }: Context,
  { source, selection, titles, query: { news, open }, replays, shownReplays }: FollowOptions,
  ending: AbortController,
): Promise<void> {
  const { output } = world.streams;
  const { filter, states } = selection;
  const asSentence = output.isTerminal && !report.wantsJson;

  const print = async (delivery: LoggedDelivery) => {
    if (states.length > 0 && !states.includes(stateOf(delivery))) return;
    if (asSentence) await report.line(describeLine(delivery, titles));
    else
      await report.each({
        columns: deliveryPipeColumns(titles),
        records: [delivery],
        raw: [toDeliveryJson(delivery, titles)],
      });
    if (output.isReaderGone) ending.abort();
  };
  const readDelivery = async (sequence: number, known: Replays) => {
    const numbers = [{ from: sequence, to: sequence }];
    const one: Selection = { filter: { ...filter, numbers }, states: [], last: 1 };
    return (await collectDeliveries(source, known, one, titles)).deliveries[0];
  };
  /** Finds a delivery older than the ones shown. Does not include this note itself. */
  const findEarlier = async (note: Attempt | Duplicate): Promise<LoggedDelivery | undefined> => {
    if (note.kind === 'duplicate') {
      const delivery = await readDelivery(note.sequence, await replays.read());
      return delivery && { ...delivery, duplicates: delivery.duplicates - 1 };
    }
    // The attempt's number shows how many came before: reading them all would be slow in a backlog.
    for await (const { stored } of readStored(source, [note])) return selectDelivery(stored, filter, titles);
    return undefined;
  };
  const printNews = async () => {
    for await (const entry of news)
      if (entry.kind === 'delivery') {
        const delivery = selectDelivery(entry.delivery, filter, titles);
        if (delivery === undefined) continue;
        open.set(delivery.sequence, delivery);
        await print(delivery);
      } else if (entry.kind === 'rejected') await report.info(describeRejection(entry));
      else if (entry.kind === 'damage') await report.warn(describeDamage(entry));
      else if (entry.kind === 'attempt' || entry.kind === 'duplicate') {
        const delivery = open.get(entry.sequence) ?? (await findEarlier(entry));
        if (delivery === undefined) continue;
        addNote(delivery, entry);
        await print(delivery);
        if (isUnfinished(delivery)) open.set(delivery.sequence, delivery);
        else open.delete(delivery.sequence);
      }
  };
  const followReplays = async () => {
    const { signal } = ending;
    let before = shownReplays;
    // The first read finds replays since the list was printed.
    for (let lastVersion = -1; !signal.aborted; await world.clock.sleep(replaysEveryMs, signal)) {
      const version = await replays.version();
      if (version === lastVersion) continue;
      lastVersion = version;
      const now = await replays.read();
      for (const [sequence, all] of now.bySequence) {
        if (all.length === (before.bySequence.get(sequence)?.length ?? 0)) continue;
        const delivery = await readDelivery(sequence, now);
        if (delivery) await print(delivery);
      }
      before = now;
    }
  };

  beginFollowing();
  try {
    // Each of these ends only with an error, or when the reader of the lines has gone.
    await Promise.race([printNews(), followReplays()]);
  } finally {
    ending.abort();
  }
}

/** Describes a row in a line: a table would need the widths of later rows. */
function describeLine(delivery: LoggedDelivery, titles: Titles): string {
  const cells = deliveryColumns(titles).map(({ title, cell }) => {
    const text = cell(delivery);
    return text !== '' && (title === 'ms' || title === 'attempts' || title === 'duplicates')
      ? `${text} ${title}`
      : text;
  });
  return sanitizeLine(cells.filter((text) => text !== '').join('  '));
}
