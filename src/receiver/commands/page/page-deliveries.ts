// Keeps the page up to date: the last deliveries, the traffic and the counters. Sends the replays that a user starts there.

import type { ServerResponse } from 'node:http';
import type { StoredDelivery } from '#receiver/intake/stored-delivery.ts';
import type { World } from '#world/world.ts';
import type { LoggedDelivery } from '../deliveries/logged-delivery.ts';
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
import type { SendAgain } from './page-replay.ts';
import type { PageHost, PageSource } from './page-source.ts';
import { createShownDeliveries, type TitleOf, toRow, toShownAttempt } from './shown-deliveries.ts';
import { createUpdateStreams } from './update-streams.ts';

export interface PageParts {
  readonly world: Pick<World, 'server' | 'clock'>;
  /** 0 picks a free port. */
  readonly port: number;
  readonly source: PageSource;
  readonly command: string;
  readonly titleOf: TitleOf;
  /** `undefined` without a target. */
  readonly replay: SendAgain | undefined;
  /** `ReceiverStorage.retryNow` */
  readonly retryNow?: () => string;
}

interface PageDelivery {
  readonly stored: StoredDelivery;
  readonly delivery: LoggedDelivery;
}

export function createPageDeliveries(
  { world: { clock }, source, titleOf }: PageParts,
  earlier: readonly LoggedDelivery[],
) {
  const recent = createShownDeliveries(earlier);
  const counters = createPageCounters();
  const replaying = new Map<number, Promise<ReplayReport>>();
  const startedAt = clock.now();
  const streams = createUpdateStreams({ clock }, (changed): PageUpdate => {
    const now = clock.now();
    const isWhole = changed === 'all';
    const rows = isWhole ? recent.all() : [...changed].flatMap((sequence) => recent.get(sequence) ?? []);
    return {
      scope: source.scope,
      isWhole,
      rows: rows.map((delivery) => toRow(delivery, titleOf)),
      minutes: counters.minutes(now),
      ...counters.state(source.state()),
      now,
      startedAt,
    };
  });

  const find = async (sequence: number): Promise<PageDelivery | undefined> => {
    const stored = await source.read(sequence);
    if (stored === undefined) return undefined;
    const [last] = recent.get(sequence) === undefined ? await source.older(sequence + 1, 1) : [];
    const delivery = recent.get(sequence) ?? last;
    return delivery?.sequence === sequence ? { stored, delivery } : undefined;
  };
  const host: PageHost = {
    onActivity(activity) {
      counters.add(activity, clock.now());
      streams.changed(recent.apply(activity));
    },
    onReplay(replay) {
      if (recent.addReplay(replay)) streams.changed(replay.sequence);
    },
    replaceAll(deliveries) {
      recent.replace(deliveries);
      streams.changed('all');
    },
    onStateChange: () => streams.changed(undefined),
    isWatched: () => streams.count() > 0,
  };

  return {
    host,
    find,
    async details(sequence: number): Promise<DeliveryDetails | undefined> {
      const match = await find(sequence);
      if (match === undefined) return undefined;
      const { stored, delivery } = match;
      return {
        row: toRow(delivery, titleOf),
        path: stored.path,
        headers: stored.headers,
        body: toShownBody(stored.body),
        attempts: recent.attemptsOf(delivery),
      };
    },
    async older(before: number): Promise<DeliveryList> {
      const older = await source.older(before, olderDeliveries);
      const rows = older.map((delivery) => toRow(delivery, titleOf));
      return { rows, isEnd: rows.length < olderDeliveries };
    },
    /** Replays a delivery. A second request during that time gets the same result. */
    replay({ stored, delivery }: PageDelivery, sendAgain: SendAgain, signal: AbortSignal) {
      const { sequence } = stored;
      const sending =
        replaying.get(sequence) ??
        sendAgain(stored, delivery, signal)
          .then(({ replays, problem = '' }): ReplayReport => {
            for (const replay of replays) recent.addReplay(replay);
            return { attempts: replays.map(toShownAttempt), problem };
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

function toShownBody(body: Uint8Array): ShownBody {
  const isWhole = body.length <= mostShownBytes;
  const part = body.subarray(0, mostShownBytes);
  // `stream` drops a character that the limit cuts in two: it does not make the body binary.
  const decode = (fatal: boolean) =>
    new TextDecoder('utf-8', { fatal, ignoreBOM: true }).decode(part, { stream: !isWhole });
  try {
    return { text: decode(true), isWhole, isText: true };
  } catch {
    return { text: decode(false), isWhole, isText: false };
  }
}
