// The server of the page of `wm webhook listen --ui`. It listens on this machine only, never on the port of the webhook, and is loaded
// only with --ui.

import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OnActivity } from '../../../receiver/activity.ts';
import type { Journal } from '../../../receiver/delivery-journal.ts';
import type { Forwarder } from '../../../receiver/forwarding/forwarder.ts';
import type { StoredDelivery } from '../../../receiver/stored-delivery.ts';
import type { ListenFault, World } from '../../../world/world.ts';
import { isUnfinished, type KnownDelivery } from '../deliveries/known-delivery.ts';
import type { Replay } from '../deliveries/replays-file.ts';
import { judgePageRequest } from './judge-page-request.ts';
import { createPageCounters } from './page-counters.ts';
import { createPageDocument } from './page-document.ts';
import {
  type DeliveryDetails,
  type DeliveryList,
  olderDeliveries,
  type ReplayReport,
  shownDeliveries,
} from './page-messages.ts';
import { sendBytes, sendError, sendFound, sendJson, sendText } from './page-responses.ts';
import { parseRoute } from './page-routes.ts';
import { toShownBody } from './shown-body.ts';
import { createShownDeliveries, type TitleOf, toRow, toShownAttempt } from './shown-deliveries.ts';
import { createTraffic } from './traffic.ts';
import { createUpdateStreams } from './update-streams.ts';

export type SendAgain = (
  delivery: StoredDelivery,
  known: KnownDelivery,
  signal: AbortSignal,
) => Promise<ReplayResult>;

export interface PageParts {
  readonly world: Pick<World, 'server' | 'clock'>;
  /** 0 picks a free one. */
  readonly port: number;
  readonly journal: Pick<Journal, 'read' | 'state'>;
  /** The last deliveries before this number, the newest last, with what is known of each. */
  readonly older: (before: number, limit: number) => Promise<readonly KnownDelivery[]>;
  /** Sends it once more, to each of its targets, and records that. `undefined` if there is nothing to send to. */
  readonly replay: SendAgain | undefined;
  readonly titleOf: TitleOf;
  /** Calls back for each replay that is recorded from now on, by whichever process, until the signal. */
  readonly followReplays: (onReplay: (replay: Replay) => void, signal: AbortSignal) => Promise<void>;
}

export type PageReplay = Replay & { readonly detail?: string };

export interface ReplayResult {
  readonly replays: readonly PageReplay[];
  /** Why there are none, or not all. */
  readonly problem?: string;
}

interface Found {
  readonly delivery: StoredDelivery;
  readonly known: KnownDelivery;
}

export interface RunningPage {
  /** With the token: whoever knows it can read the deliveries. */
  readonly url: string;
  readonly onActivity: OnActivity;
  onReady(forwarder: Pick<Forwarder, 'state'>): void;
  close(): Promise<void>;
}

export async function startPage(parts: PageParts): Promise<RunningPage | ListenFault> {
  const { world, journal, older, titleOf } = parts;
  const { clock, server } = world;
  const token = randomBytes(32).toString('base64url');
  const page = createPageDocument({ canReplay: parts.replay !== undefined });
  const recent = createShownDeliveries(await older(Number.POSITIVE_INFINITY, shownDeliveries));
  const traffic = createTraffic();
  const startedAt = clock.now();
  const counters = createPageCounters(journal);
  let forwarder: Pick<Forwarder, 'state'> | undefined;
  const stop = new AbortController();
  const replaying = new Map<number, Promise<ReplayReport>>();

  const streams = createUpdateStreams(world, (changed) => {
    const now = clock.now();
    const rows =
      changed === 'all' ? recent.all() : [...changed].flatMap((sequence) => recent.get(sequence) ?? []);
    return {
      isWhole: changed === 'all',
      rows: rows.map((known) => toRow(known, titleOf)),
      minutes: changed === 'all' ? traffic.minutes(now) : [traffic.minute(now)],
      ...counters.state(forwarder?.state().targets ?? []),
      now,
      startedAt,
    };
  });

  async function find(sequence: number): Promise<Found | undefined> {
    const delivery = await journal.read(sequence);
    if (delivery === undefined) return undefined;
    const [last] = recent.get(sequence) === undefined ? await older(sequence + 1, 1) : [];
    const known = recent.get(sequence) ?? last;
    return known?.sequence === sequence ? { delivery, known } : undefined;
  }

  async function details(sequence: number): Promise<DeliveryDetails | undefined> {
    const found = await find(sequence);
    if (found === undefined) return undefined;
    const { delivery, known } = found;
    return {
      row: toRow(known, titleOf),
      path: delivery.path,
      headers: delivery.headers,
      body: toShownBody(delivery.body),
      attempts: recent.attemptsOf(known),
    };
  }

  async function list(before: number): Promise<DeliveryList> {
    const found = await older(before, olderDeliveries);
    return { rows: found.map((known) => toRow(known, titleOf)), isEnd: found.length < olderDeliveries };
  }

  /** A second request to replay a delivery that is being sent gets the result of the first. */
  function replay({ delivery, known }: Found, sendAgain: SendAgain): Promise<ReplayReport> {
    const { sequence } = delivery;
    const sending =
      replaying.get(sequence) ??
      sendAgain(delivery, known, stop.signal)
        .then(({ replays, problem = '' }): ReplayReport => {
          for (const one of replays) recent.addReplay(one);
          return { attempts: replays.map((one) => toShownAttempt(one, one.detail)), problem };
        })
        .finally(() => {
          replaying.delete(sequence);
          streams.changed(sequence);
        });
    replaying.set(sequence, sending);
    return sending;
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // No request has a body that matters; an unread one would hold up the connection.
    request.resume();
    const judgement = judgePageRequest(request, { token, port: listeningPort() });
    if (judgement === 'unknown') return sendText(response, 404, 'Nothing here.');
    if (judgement === 'other-origin')
      return sendError(response, 403, 'Only the page itself may ask: this request comes from another origin');
    const route = parseRoute(judgement.path);
    if (route === undefined) return sendError(response, 404, 'There is nothing at this path');
    if (request.method !== route.method) {
      response.setHeader('Allow', route.method);
      return sendError(response, 405, `This path takes ${route.method}`);
    }
    switch (route.kind) {
      case 'page':
        return page.send(response);
      case 'events':
        if (!streams.open(response)) sendError(response, 503, 'Too many pages are open');
        return;
      case 'older':
        return sendJson(response, await list(route.before));
      case 'details':
        return sendFound(response, await details(route.sequence));
      case 'body': {
        const delivery = await journal.read(route.sequence);
        return delivery ? sendBytes(response, delivery) : sendFound(response, undefined);
      }
      case 'replay': {
        if (parts.replay === undefined)
          return sendError(
            response,
            409,
            'There is no target: start the receiver with --forward-to or --exec',
          );
        const found = await find(route.sequence);
        if (found && isUnfinished(found.known))
          return sendError(response, 409, 'The receiver still has to forward it: it would arrive twice');
        return sendFound(response, found && (await replay(found, parts.replay)));
      }
    }
  }

  void parts.followReplays((replay) => {
    if (recent.addReplay(replay)) streams.changed(replay.sequence);
  }, stop.signal);

  const listening = await server.listen({ host: '127.0.0.1', port: parts.port }, (request, response) => {
    respond(request, response).catch((error: unknown) => {
      // The journal could not be read. The page says so; the receiver goes on.
      if (response.headersSent) response.destroy();
      else sendError(response, 500, error instanceof Error ? error.message : 'It failed');
    });
  });
  if ('fault' in listening) {
    stop.abort();
    return listening;
  }
  function listeningPort(): number {
    return 'port' in listening ? listening.port : 0;
  }
  return {
    url: `http://127.0.0.1:${listening.port}/${token}/`,
    onActivity(activity) {
      traffic.add(activity, clock.now());
      counters.add(activity);
      streams.changed(recent.apply(activity));
    },
    onReady(running) {
      forwarder = running;
    },
    async close() {
      stop.abort();
      streams.close();
      await listening.close();
    },
  };
}
