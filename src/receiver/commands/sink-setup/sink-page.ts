// Opens the page of a receiver or forwarder of a sink, which shows the activity of all of them. While a browser has it open, it reads the
// streams every half second, as `webhook log --follow` does, and retries failed reads until they succeed.

import type { Context } from '#cli/context.ts';
import type { DeliveryStore } from '#receiver/intake/delivery-journal.ts';
import { readEvents } from '#receiver/intake/read-events.ts';
import { findOldest, readBacklog } from '#receiver/sink/sink-consumers.ts';
import { type Reached, SinkEntries } from '#receiver/sink/sink-entries.ts';
import { describeFault, isFault } from '#receiver/sink/sink-faults.ts';
import { lastAttempt } from '#receiver/sink/sink-message.ts';
import type { SinkUrl } from '#receiver/sink/sink-url.ts';
import type { NatsConnection } from '#world/world.ts';
import { addNote } from '../deliveries/collect-deliveries.ts';
import { type KnownDelivery, toKnownDelivery } from '../deliveries/known-delivery.ts';
import { parseReplay } from '../deliveries/replays-file.ts';
import { rememberTitles, type Titles } from '../listening/delivery-summary.ts';
import type { ListenFlags } from '../listening/listen-flags.ts';
import type { ReceiverPage } from '../listening/receiver-page.ts';
import { shownDeliveries } from '../page/page-messages.ts';
import type { PageHost, PageSource, SourceState, StuckLine } from '../page/page-source.ts';
import { namesTargets, servePage } from '../page/serve-page.ts';
import { chooseReplayTargets, type ReplayTargets } from '../replaying/choose-targets.ts';
import { toFault } from './sink-failures.ts';
import { lastSinkTarget, readSinkForwarders } from './sink-forwarders.ts';
import { createSinkReplays } from './sink-replays.ts';

export interface SinkPageParts {
  readonly nats: NatsConnection;
  readonly url: SinkUrl;
  readonly journal: Pick<DeliveryStore, 'read' | 'state'>;
  readonly titles: Titles;
  readonly by: 'listen' | 'forward';
}

/** @throws {Failure} `usage` if the port is not free. */
export async function openSinkPage(
  context: Context,
  { print: _, ...flags }: ListenFlags,
  parts: SinkPageParts,
): Promise<ReceiverPage> {
  const { nats, url, titles, by } = parts;
  return servePage(context, flags, {
    source: new SinkPage(context, parts),
    command: `wm webhook ${by}`,
    titles,
    replays: createSinkReplays(context.world, nats, url),
    targets: await findTargets(context, flags, parts),
  });
}

/** The targets of this process, or else of the sink's forwarders, as for `wm webhook replay`. */
async function findTargets(
  context: Context,
  flags: ListenFlags,
  { nats, url }: SinkPageParts,
): Promise<ReplayTargets | undefined> {
  const { clock, process: self } = context.world;
  const read = () => readSinkForwarders(nats, url.stream, clock.now()).catch(() => []);
  const last = namesTargets(flags) ? {} : lastSinkTarget(await read(), self.host);
  return 'problem' in last ? undefined : chooseReplayTargets(context, async () => last, flags);
}

const watchedMs = 500;
/** The interval while no browser has the page open. */
const idleMs = 10_000;
/** The interval for the many consumers. One that has not moved between two looks is held up. */
const lookMs = 5_000;
/** How many responses of targets to keep until this process's notes come back. */
const mostDetails = 1_000;

class SinkPage implements PageSource {
  readonly scope: string;
  readonly #context: Context;
  readonly #parts: SinkPageParts;
  readonly #entries: SinkEntries;
  readonly #details = new Map<string, string>();
  #floors: ReadonlyMap<string, number> = new Map();
  #lookedAt = Number.NEGATIVE_INFINITY;
  #known: Pick<SourceState, 'unfinished' | 'stuck'> = { unfinished: 0, stuck: [] };
  #stale: SourceState['stale'] = null;
  #host: PageHost | undefined;
  #wake = () => {};

  constructor(context: Context, parts: SinkPageParts) {
    this.#context = context;
    this.#parts = parts;
    this.#entries = new SinkEntries(parts.nats, context.world.clock, parts.url.stream);
    this.scope = `Deliveries of all receivers of ${parts.url.text}, and what all of its forwarders do with them.`;
  }

  // `follow` reads the deliveries, so that the page opens at once.
  first = async () => [];

  async older(before: number, limit: number) {
    const { nats, url } = this.#parts;
    // A separate reader, so that the state of `follow` is unchanged.
    const entries = new SinkEntries(nats, this.#context.world.clock, url.stream);
    const { first, note } = await entries.state();
    return this.#collect(entries, Math.max(first, before - limit), { delivery: before - 1, note });
  }

  async #collect(entries: SinkEntries, from: number, to: Reached) {
    const { nats, url, titles } = this.#parts;
    const found = new Map<number, KnownDelivery>();
    for await (const entry of entries.read({ from, to }))
      if (entry.kind === 'delivery') {
        const events = readEvents(entry.delivery.body);
        rememberTitles(events, titles);
        found.set(entry.delivery.sequence, toKnownDelivery(entry.delivery, events));
      } else if (entry.kind === 'attempt' || entry.kind === 'duplicate') {
        const known = found.get(entry.sequence);
        if (known) addNote(known, entry);
      }
    const { bySequence } = await createSinkReplays(this.#context.world, nats, url).read();
    for (const known of found.values()) known.replays.push(...(bySequence.get(known.sequence) ?? []));
    return [...found.values()];
  }

  read(sequence: number) {
    return this.#parts.journal.read(sequence);
  }

  async follow(host: PageHost, signal: AbortSignal): Promise<void> {
    const { clock } = this.#context.world;
    this.#host = host;
    let at: Reached | undefined;
    let goodAt = clock.now();
    while (!signal.aborted) {
      try {
        at = await this.#step(host, at);
        goodAt = clock.now();
        if (this.#stale !== null) host.changed();
        this.#stale = null;
      } catch (error) {
        const fault = toFault(error);
        this.#stale = { since: goodAt, why: describeFault(fault, this.#parts.nats.outage(), true) };
        host.changed();
      }
      const pauseMs = host.isWatched() || this.#stale !== null ? watchedMs : idleMs;
      await new Promise<void>((resolve) => {
        const cancel = clock.after(pauseMs, resolve);
        this.#wake = () => {
          cancel();
          resolve();
        };
        signal.addEventListener('abort', this.#wake, { once: true });
      }).finally(() => signal.removeEventListener('abort', this.#wake));
    }
  }

  async #step(host: PageHost, last: Reached | undefined): Promise<Reached> {
    const now = await this.#entries.state(0);
    // At the start, and after the streams were created again.
    if (last === undefined || now.delivery < last.delivery || now.note < last.note) {
      const first = Math.max(now.first, now.delivery - shownDeliveries + 1);
      host.show(await this.#collect(this.#entries, first, now));
      return now;
    }
    const from = Math.max(last.delivery, now.delivery - shownDeliveries);
    if (from > last.delivery) host.happened({ kind: 'passed', count: from - last.delivery });
    for await (const entry of this.#entries.between({ ...last, delivery: from }, now)) {
      if (entry.kind === 'replay') {
        const replay = parseReplay(new TextDecoder().decode(entry.payload));
        if (replay) host.replayed(replay);
      } else if (entry.kind === 'delivery') {
        rememberTitles(readEvents(entry.delivery.body), this.#parts.titles);
        host.happened({ kind: 'stored', delivery: entry.delivery });
      } else if (entry.kind === 'attempt') {
        const key = keyOf(entry);
        host.happened({ ...entry, detail: this.#details.get(key) ?? '' });
        this.#details.delete(key);
      } else if (entry.kind === 'duplicate' || entry.kind === 'rejected') host.happened(entry);
    }
    if (host.isWatched()) await this.#look(host);
    return now;
  }

  /** Finds out what waits, and which targets are held up. */
  async #look(host: PageHost): Promise<void> {
    const { clock } = this.#context.world;
    if (clock.monotonic() - this.#lookedAt < lookMs) return;
    this.#lookedAt = clock.monotonic();
    const { nats, url } = this.#parts;
    const backlog = await readBacklog(nats, url.stream);
    if (isFault(backlog)) return;
    const oldest = await findOldest(nats, backlog);
    const none = { target: 'No target yet', waiting: backlog.unfinished, retrying: 0, isBehind: false };
    const isUntouched = backlog.targets.length === 0 && oldest !== undefined;
    const stuck = await Promise.all(
      backlog.targets.map(async (target): Promise<readonly StuckLine[]> => {
        const held = target.consumers.filter(
          (one) => one.waiting > 0 && this.#floors.get(one.name) === one.ackFloor,
        );
        const oldest = await findOldest(nats, { ...backlog, targets: [{ ...target, consumers: held }] });
        if (held.length === 0 || oldest === undefined) return [];
        const notes = await Promise.all(held.map((one) => this.#lastFailure(one.name, one.ackFloor)));
        const failures = notes.flatMap((note) => (note === undefined ? [] : [note]));
        const { waiting, name } = target;
        const [failure] = failures;
        return [{ target: name, waiting, retrying: failures.length, isBehind: false, oldest, failure }];
      }),
    );
    this.#floors = new Map(
      backlog.targets.flatMap(({ consumers }) => consumers.map(({ name, ackFloor }) => [name, ackFloor])),
    );
    this.#known = {
      unfinished: backlog.unfinished,
      stuck: isUntouched ? [{ ...none, oldest }] : stuck.flat(),
    };
    host.changed();
  }

  /** Reads the outcome of the last attempt at the delivery that holds up a consumer. */
  async #lastFailure(consumer: string, ackFloor: number): Promise<string | undefined> {
    const last = await lastAttempt(this.#parts.nats, this.#parts.url.stream, consumer);
    if (last === undefined || isFault(last) || last.verdict !== 'retry') return undefined;
    return last.sequence > ackFloor ? last.outcome : undefined;
  }

  onActivity: PageSource['onActivity'] = (activity) => {
    if (activity.kind === 'target') this.#host?.happened(activity);
    if (activity.kind !== 'attempt' || (activity.detail ?? '') === '') return;
    this.#details.set(keyOf(activity), activity.detail ?? '');
    for (const key of this.#details.keys()) {
      if (this.#details.size <= mostDetails) break;
      this.#details.delete(key);
    }
  };

  onReady: PageSource['onReady'] = () => {};

  onOpened() {
    this.#wake();
  }

  state(): SourceState {
    const { journal, by } = this.#parts;
    // Only a receiver stores deliveries.
    return { ...this.#known, fault: by === 'listen' ? journal.state().fault : undefined, stale: this.#stale };
  }
}

interface Key {
  readonly sequence: number;
  readonly target: string;
  readonly attempt: number;
  readonly time: number;
}

const keyOf = ({ sequence, target, attempt, time }: Key) => `${sequence} ${attempt} ${time} ${target}`;
