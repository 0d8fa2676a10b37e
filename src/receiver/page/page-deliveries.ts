// Keeps the page up to date: the last deliveries with their outcomes, and the counters. Sends the replays that a user starts there. Bodies
// and headers stay in the journal: they may not fit into memory.

import { type Html, html } from '#web/html-template.ts';
import type { ServerResponse, World } from '#world/world.ts';
import type { Titles } from '../archive/deliveries/delivery-summary.ts';
import { type LoggedDelivery, toLoggedDelivery } from '../archive/deliveries/logged-delivery.ts';
import type { Replay } from '../archive/deliveries/replays-file.ts';
import type { StoredDelivery } from '../core/intake/delivery-journal.ts';
import { drawDetails, drawReplays, drawRow } from './delivery-html.ts';
import { createPageCounters, drawOverview } from './page-overview.ts';
import type { SendAgain } from './page-replay.ts';
import { type PageActivity, type PageHost, type PageSource, shownDeliveries } from './page-source.ts';
import { createUpdateStreams } from './update-streams.ts';

/** How many older deliveries the page loads at a time. */
const olderDeliveries = 100;

interface PageDelivery {
  readonly stored: StoredDelivery;
  readonly delivery: LoggedDelivery;
}

export function createPageDeliveries(
  clock: World['clock'],
  source: PageSource,
  titleOf: Titles['find'],
  earlier: readonly LoggedDelivery[],
) {
  const recent = new Map<number, LoggedDelivery>();
  const counters = createPageCounters(clock.now());
  const replaying = new Map<number, Promise<Html>>();

  const replaceAll = (deliveries: readonly LoggedDelivery[]) => {
    recent.clear();
    for (const delivery of deliveries.slice(-shownDeliveries)) recent.set(delivery.sequence, delivery);
  };
  replaceAll(earlier);
  /** Returns the number of the delivery whose row has changed, if any. */
  const apply = (activity: PageActivity): number | undefined => {
    if (activity.kind === 'stored') {
      const delivery = toLoggedDelivery(activity.delivery);
      recent.set(delivery.sequence, delivery);
      const [first] = recent.keys();
      if (recent.size > shownDeliveries && first !== undefined) recent.delete(first);
      return delivery.sequence;
    }
    if (activity.kind !== 'attempt' && activity.kind !== 'duplicate') return undefined;
    const delivery = recent.get(activity.sequence);
    // It holds the body.
    const { delivery: _, ...withoutBody } = { delivery: undefined, ...activity };
    if (withoutBody.kind === 'attempt') delivery?.attempts.push(withoutBody);
    else if (delivery) delivery.duplicates++;
    return delivery?.sequence;
  };
  /** Returns false for a known replay, or one of an older delivery. */
  const addReplay = (replay: Replay): boolean => {
    const replays = recent.get(replay.sequence)?.replays;
    // A replay from the page comes a second time, from the file of replays.
    const isNew = replays?.every((earlier) => !isSameReplay(earlier, replay)) === true;
    if (isNew) replays?.push(replay);
    return isNew;
  };
  const drawRows = (deliveries: readonly LoggedDelivery[]) =>
    deliveries.map((delivery) => drawRow(delivery, titleOf, clock.now()));
  const streams = createUpdateStreams({ clock }, (changed): Html => {
    const isWhole = changed === 'all';
    const rows = isWhole
      ? [...recent.values()]
      : [...changed].flatMap((sequence) => recent.get(sequence) ?? []);
    const overview = drawOverview(counters, source.state(), clock.now());
    // A limit makes it the whole list.
    const start = isWhole
      ? html`<span id="older-state"></span><table><tbody data-limit="${shownDeliveries}">`
      : html`<table><tbody>`;
    return html`${overview}${start}${drawRows(rows)}</tbody></table>`;
  });

  const find = async (sequence: number): Promise<PageDelivery | undefined> => {
    const stored = await source.read(sequence);
    if (stored === undefined) return undefined;
    const delivery = recent.get(sequence) ?? (await source.older(sequence + 1, 1))[0];
    return delivery?.sequence === sequence ? { stored, delivery } : undefined;
  };
  const host: PageHost = {
    onActivity(activity) {
      counters.add(activity, clock.now());
      streams.changed(apply(activity));
    },
    onReplay(replay) {
      if (addReplay(replay)) streams.changed(replay.sequence);
    },
    replaceAll(deliveries) {
      replaceAll(deliveries);
      streams.changed('all');
    },
    onStateChange: () => streams.changed(undefined),
    isWatched: () => streams.count() > 0,
  };

  return {
    host,
    find,
    async details(sequence: number): Promise<Html | undefined> {
      const found = await find(sequence);
      return found && drawDetails(found.stored, found.delivery, titleOf, clock.now());
    },
    async older(before: number): Promise<Html> {
      const older = await source.older(before, olderDeliveries);
      const isEnd = older.length < olderDeliveries;
      return html`<span id="older-state">${isEnd && 'There are no older deliveries.'}</span>
<table><tbody>${drawRows(older)}</tbody></table>`;
    },
    /** Replays a delivery. A second request during that time gets the same result. */
    replay({ stored, delivery }: PageDelivery, sendAgain: SendAgain, signal: AbortSignal): Promise<Html> {
      const { sequence } = stored;
      const sending =
        replaying.get(sequence) ??
        sendAgain(stored, delivery, signal)
          .then(({ replays, problem }) => {
            for (const replay of replays) addReplay(replay);
            return drawReplays(replays, problem);
          })
          .finally(() => {
            replaying.delete(sequence);
            streams.changed(sequence);
          });
      replaying.set(sequence, sending);
      return sending;
    },
    openStream: (response: ServerResponse) => streams.open(response),
    closeStreams: () => streams.close(),
  };
}

const isSameReplay = (a: Replay, b: Replay) =>
  (['time', 'target', 'outcome', 'milliseconds'] as const).every((member) => a[member] === b[member]);
