// Opens the page of a receiver or forwarder of a sink, which shows the activity of all of them. While a browser has it open, it reads the
// streams every half second, as `webhook log --follow` does, and retries failed reads until they succeed.

import type { Context } from '#cli/context.ts';
import { errorMessage } from '#failure.ts';
import { collectDeliveries } from '../archive/deliveries/collect-deliveries.ts';
import type { EntrySource } from '../archive/deliveries/delivery-archive.ts';
import { toFilter } from '../archive/deliveries/delivery-filter.ts';
import { rememberTitles, type Titles } from '../archive/deliveries/delivery-summary.ts';
import { describeFailure } from '../archive/deliveries/logged-delivery.ts';
import { parseReplay } from '../archive/deliveries/replays-file.ts';
import type { Selection } from '../archive/deliveries/select-deliveries.ts';
import { readEvents } from '../core/intake/read-events.ts';
import type { ListenFlags } from '../listen/listen-flags.ts';
import { createPageReplay } from '../page/page-replay.ts';
import {
  type PageHost,
  type PageSource,
  type SourceState,
  type StuckTarget,
  shownDeliveries,
} from '../page/page-source.ts';
import { findOldest, type SinkConsumer, type SinkTarget } from './jetstream/sink-consumers.ts';
import { createSinkEntries, type SinkEntries, type SinkPosition } from './jetstream/sink-entries.ts';
import { describeFault, isFault, noQuorum } from './jetstream/sink-faults.ts';
import type { SinkJournal } from './jetstream/sink-journal.ts';
import type { Sink } from './jetstream/sink-layout.ts';
import { lastAttempt } from './jetstream/sink-message.ts';
import { faultOf } from './sink-failures.ts';
import { lastSinkTarget } from './sink-forwarders.ts';
import { createSinkReplays } from './sink-replays.ts';

interface SinkPageParts {
  readonly sink: Sink;
  readonly journal: Pick<SinkJournal, 'read' | 'state' | 'backlog'>;
  readonly titles: Titles;
  readonly commandName: 'listen' | 'forward';
}

/** @throws {Failure} `usage` if the port is not free. */
export async function openSinkPage(context: Context, flags: ListenFlags, parts: SinkPageParts) {
  const { sink, titles, commandName } = parts;
  const archive = { replays: createSinkReplays(sink), lastTarget: () => lastSinkTarget(sink, context) };
  const { startPage } = await import('../page/start-page.ts');
  return startPage({
    world: context.world,
    port: flags.uiPort ?? 0,
    source: createSinkPage(parts),
    command: `wm webhook ${commandName}`,
    titleOf: titles.find,
    replay: await createPageReplay(context, flags, archive),
  });
}

const watchedMs = 500;
/** The interval while no browser has the page open. */
const idleMs = 10_000;

const everything: Selection = { filter: toFilter({}, [], 0), states: [], last: Number.POSITIVE_INFINITY };

function createSinkPage({ sink, journal, titles, commandName }: SinkPageParts): PageSource {
  const { nats, clock } = sink;
  const entries = createSinkEntries(sink);
  const describeBacklog = createBacklogDescription(sink);
  let described: ReturnType<SinkJournal['backlog']>;
  let backlog: Backlog = { unfinished: 0, stuck: [] };
  let stale: SourceState['stale'] = null;
  let page: PageHost | undefined;
  let wake = () => {};

  const collect = async (reader: SinkEntries, first: number, to: SinkPosition) => {
    const source: EntrySource = {
      bounds: async () => ({
        first,
        last: to.delivery,
        hasNotesLast: true,
        firstSince: async () => first,
        isUnfinished: () => true,
        backlog: async () => ({ unfinished: 0, oldest: undefined }),
      }),
      read: (options) => reader.read({ ...options, to }),
    };
    return (await collectDeliveries(source, await createSinkReplays(sink).read(), everything, titles))
      .deliveries;
  };

  const poll = async (host: PageHost, last: SinkPosition | undefined): Promise<SinkPosition> => {
    const now = await entries.state(0);
    // A leader that has lost the others may respond for minutes.
    if (!now.hasQuorum) throw new Error(noQuorum, { cause: { fault: 'no-quorum', detail: noQuorum } });
    // At the start, and after the streams were created again.
    if (last === undefined || now.delivery < last.delivery || now.note < last.note) {
      const first = Math.max(now.first, now.delivery - shownDeliveries + 1);
      host.replaceAll(await collect(entries, first, now));
      return now;
    }
    const from = Math.max(last.delivery, now.delivery - shownDeliveries);
    if (from > last.delivery) host.onActivity({ kind: 'passed', count: from - last.delivery });
    for await (const entry of entries.between({ ...last, delivery: from }, now)) {
      if (entry.kind === 'replay') {
        const replay = parseReplay(new TextDecoder().decode(entry.payload));
        if (replay) host.onReplay(replay);
      } else if (entry.kind === 'delivery') {
        rememberTitles(readEvents(entry.delivery.body), titles);
        host.onActivity({ kind: 'stored', delivery: entry.delivery });
      } else if (entry.kind === 'attempt' || entry.kind === 'duplicate' || entry.kind === 'rejected')
        host.onActivity(entry);
    }
    const latest = host.isWatched() ? journal.backlog() : undefined;
    if (latest !== undefined && latest !== described) {
      described = latest;
      backlog = await describeBacklog(latest);
      host.onStateChange();
    }
    return now;
  };

  return {
    scope: `Deliveries of all receivers of ${sink.url.text}, and what all of its forwarders do with them.`,
    // `follow` reads the deliveries, so that the page opens at once.
    first: async () => [],
    async older(before, limit) {
      // A separate reader, so that the state of `follow` is unchanged.
      const reader = createSinkEntries(sink);
      const { first, note } = await reader.state();
      return collect(reader, Math.max(first, before - limit), { delivery: before - 1, note });
    },
    read: (sequence) => journal.read(sequence),
    async follow(host, signal) {
      page = host;
      let position: SinkPosition | undefined;
      let succeededAt = clock.now();
      while (!signal.aborted) {
        try {
          position = await poll(host, position);
          succeededAt = clock.now();
          if (stale !== null) host.onStateChange();
          stale = null;
        } catch (error) {
          const fault = faultOf(error) ?? { fault: 'failed', detail: errorMessage(error) };
          stale = { since: succeededAt, why: describeFault(fault, nats.outage(), true) };
          host.onStateChange();
        }
        const pause = new AbortController();
        wake = () => pause.abort();
        // AbortSignal.any would leave some bytes with `signal` each time.
        signal.addEventListener('abort', wake, { once: true });
        await clock.sleep(host.isWatched() || stale !== null ? watchedMs : idleMs, pause.signal);
        signal.removeEventListener('abort', wake);
      }
    },
    onActivity(activity) {
      if (activity.kind === 'target') page?.onActivity(activity);
    },
    onOpened: () => wake(),
    // Only a receiver stores deliveries.
    state: () => ({ ...backlog, stale, fault: commandName === 'listen' ? journal.state().fault : undefined }),
  };
}

type Backlog = Pick<SourceState, 'unfinished' | 'stuck'>;

/** Finds how many deliveries wait, and which targets do not accept them: a consumer that has not moved since the last check is stuck. */
function createBacklogDescription(sink: Sink) {
  let before: ReadonlyMap<string, number> = new Map();
  return async (backlog: NonNullable<ReturnType<SinkJournal['backlog']>>): Promise<Backlog> => {
    const { unfinished, targets, consumers, oldest } = backlog;
    const stuck = consumers.filter(
      ({ name, ackFloor, waiting }) => waiting > 0 && before.get(name) === ackFloor,
    );
    before = new Map(consumers.map(({ name, ackFloor }) => [name, ackFloor]));
    const describe = async ({ hash, name, waiting }: SinkTarget): Promise<StuckTarget[]> => {
      const own = stuck.filter((consumer) => consumer.hash === hash);
      const since = await findOldest(sink, backlog, own);
      if (since === undefined) return [];
      const failures = (await Promise.all(own.map((consumer) => lastFailure(sink, consumer)))).flat();
      const retrying = failures.length;
      return [{ target: name, waiting, retrying, isBehind: false, oldest: since, failure: failures[0] }];
    };
    if (targets.length > 0) return { unfinished, stuck: (await Promise.all(targets.map(describe))).flat() };
    const untouched = { target: 'No target yet', waiting: unfinished, retrying: 0, isBehind: false };
    return { unfinished, stuck: oldest === undefined ? [] : [{ ...untouched, oldest }] };
  };
}

/** Reads the outcome of the last attempt at the delivery that holds up a consumer, if it failed. */
async function lastFailure(sink: Sink, { name, ackFloor }: SinkConsumer): Promise<string[]> {
  const last = await lastAttempt(sink, name);
  if (last === undefined || isFault(last) || last.sequence <= ackFloor) return [];
  return last.verdict === 'retry' ? [describeFailure(last)] : [];
}
