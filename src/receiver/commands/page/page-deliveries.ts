// Keeps the content of the page up to date: the last deliveries, the traffic and the counters. Also sends the replays that a user starts
// there.

import type { ServerResponse } from 'node:http';
import type { StoredDelivery } from '#receiver/intake/stored-delivery.ts';
import type { World } from '#world/world.ts';
import type { KnownDelivery } from '../deliveries/known-delivery.ts';
import type { Replay } from '../deliveries/replays-file.ts';
import { createPageCounters } from './page-counters.ts';
import {
  type DeliveryDetails,
  type DeliveryList,
  mostShownBytes,
  olderDeliveries,
  type PageUpdate,
  type ReplayReport,
  type ShownBody,
} from './page-messages.ts';
import type { PageActivity, PageHost, PageSource } from './page-source.ts';
import { createShownDeliveries, type TitleOf, toRow, toShownAttempt } from './shown-deliveries.ts';
import { createTraffic } from './traffic.ts';
import { createUpdateStreams } from './update-streams.ts';

export type SendAgain = (
  delivery: StoredDelivery,
  known: KnownDelivery,
  signal: AbortSignal,
) => Promise<ReplayResult>;

export type PageReplay = Replay & { readonly detail?: string };

export interface ReplayResult {
  readonly replays: readonly PageReplay[];
  /** Why the replays are missing or incomplete. */
  readonly problem?: string;
}

export interface ShownParts {
  readonly world: Pick<World, 'clock'>;
  readonly source: PageSource;
  readonly titleOf: TitleOf;
}

interface Found {
  readonly delivery: StoredDelivery;
  readonly known: KnownDelivery;
}

export class PageDeliveries implements PageHost {
  readonly #parts: ShownParts;
  readonly #recent: ReturnType<typeof createShownDeliveries>;
  readonly #traffic = createTraffic();
  readonly #counters = createPageCounters();
  readonly #streams: ReturnType<typeof createUpdateStreams>;
  readonly #replaying = new Map<number, Promise<ReplayReport>>();
  readonly #startedAt: number;

  /** `first`: deliveries of earlier runs, oldest first. */
  constructor(parts: ShownParts, first: readonly KnownDelivery[]) {
    this.#parts = parts;
    this.#recent = createShownDeliveries(first);
    this.#startedAt = parts.world.clock.now();
    this.#streams = createUpdateStreams(parts.world, (changed) => this.#update(changed));
  }

  #update(changed: ReadonlySet<number> | 'all'): PageUpdate {
    const { source, world, titleOf } = this.#parts;
    const now = world.clock.now();
    const isWhole = changed === 'all';
    const rows = isWhole
      ? this.#recent.all()
      : [...changed].flatMap((sequence) => this.#recent.get(sequence) ?? []);
    return {
      scope: source.scope,
      isWhole,
      rows: rows.map((known) => toRow(known, titleOf)),
      minutes: isWhole ? this.#traffic.minutes(now) : [this.#traffic.minute(now)],
      ...this.#counters.state(source.state()),
      now,
      startedAt: this.#startedAt,
    };
  }

  async find(sequence: number): Promise<Found | undefined> {
    const { source } = this.#parts;
    const delivery = await source.read(sequence);
    if (delivery === undefined) return undefined;
    const recent = this.#recent.get(sequence);
    const [last] = recent === undefined ? await source.older(sequence + 1, 1) : [];
    const known = this.#recent.get(sequence) ?? last;
    return known?.sequence === sequence ? { delivery, known } : undefined;
  }

  async details(sequence: number): Promise<DeliveryDetails | undefined> {
    const found = await this.find(sequence);
    if (found === undefined) return undefined;
    const { delivery, known } = found;
    return {
      row: toRow(known, this.#parts.titleOf),
      path: delivery.path,
      headers: delivery.headers,
      body: toShownBody(delivery.body),
      attempts: this.#recent.attemptsOf(known),
    };
  }

  async older(before: number): Promise<DeliveryList> {
    const { source, titleOf } = this.#parts;
    const found = await source.older(before, olderDeliveries);
    return { rows: found.map((known) => toRow(known, titleOf)), isEnd: found.length < olderDeliveries };
  }

  /** Replays a delivery. A second request during that time gets the same result. */
  replay({ delivery, known }: Found, sendAgain: SendAgain, signal: AbortSignal): Promise<ReplayReport> {
    const { sequence } = delivery;
    const sending =
      this.#replaying.get(sequence) ??
      sendAgain(delivery, known, signal)
        .then(({ replays, problem = '' }): ReplayReport => {
          for (const one of replays) this.#recent.addReplay(one);
          return { attempts: replays.map((one) => toShownAttempt(one, one.detail)), problem };
        })
        .finally(() => {
          this.#replaying.delete(sequence);
          this.#streams.changed(sequence);
        });
    this.#replaying.set(sequence, sending);
    return sending;
  }

  /** Takes over the response. Returns false if too many pages are open. */
  openStream(response: ServerResponse): boolean {
    return this.#streams.open(response);
  }

  closeStreams(): void {
    this.#streams.close();
  }

  happened(activity: PageActivity): void {
    this.#traffic.add(activity, this.#parts.world.clock.now());
    this.#counters.add(activity);
    this.#streams.changed(this.#recent.apply(activity));
  }

  replayed(replay: Replay): void {
    if (this.#recent.addReplay(replay)) this.#streams.changed(replay.sequence);
  }

  show(deliveries: readonly KnownDelivery[]): void {
    this.#recent.replace(deliveries);
    this.#streams.allChanged();
  }

  changed(): void {
    this.#streams.changed(undefined);
  }

  isWatched(): boolean {
    return this.#streams.count() > 0;
  }
}

/** Returns the body as text, or the beginning of a long one. */
function toShownBody(body: Uint8Array): ShownBody {
  const isWhole = body.length <= mostShownBytes;
  const part = body.subarray(0, mostShownBytes);
  // Drops a character that the limit cuts in two: it does not make the body binary.
  const options = { stream: !isWhole };
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(part, options);
    return { text, isWhole, isText: true };
  } catch {
    return {
      text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(part, options),
      isWhole,
      isText: false,
    };
  }
}
