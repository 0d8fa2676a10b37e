// The server of the page of `wm webhook listen --ui` and `wm webhook forward --ui`. It listens on this machine only, never on the port of the webhook, and is loaded
// only with --ui.

import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { StoredDelivery } from '../../../receiver/stored-delivery.ts';
import type { ListenFault, World } from '../../../world/world.ts';
import { isUnfinished, type KnownDelivery } from '../deliveries/known-delivery.ts';
import type { Replay } from '../deliveries/replays-file.ts';
import type { ReceiverPage } from '../listen/receiver-page.ts';
import { judgePageRequest } from './judge-page-request.ts';
import { createPageCounters } from './page-counters.ts';
import { createPageDocument } from './page-document.ts';
import {
  type DeliveryDetails,
  type DeliveryList,
  olderDeliveries,
  type ReplayReport,
} from './page-messages.ts';
import { sendBytes, sendError, sendFound, sendJson, sendText } from './page-responses.ts';
import { parseRoute } from './page-routes.ts';
import type { PageActivity, PageHost, PageSource } from './page-source.ts';
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
  readonly source: PageSource;
  /** The one that serves the page, such as `wm webhook listen`. */
  readonly command: string;
  /** Sends it once more, to each of its targets, and records that. `undefined` if there is nothing to send to. */
  readonly replay: SendAgain | undefined;
  readonly titleOf: TitleOf;
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

export async function startPage(parts: PageParts): Promise<ReceiverPage | ListenFault> {
  const { world, source, command, titleOf } = parts;
  const { clock, server } = world;
  const token = randomBytes(32).toString('base64url');
  const page = createPageDocument({ command, canReplay: parts.replay !== undefined });
  const recent = createShownDeliveries(await source.first());
  const traffic = createTraffic();
  const startedAt = clock.now();
  const counters = createPageCounters();
  const stop = new AbortController();
  const replaying = new Map<number, Promise<ReplayReport>>();

  const streams = createUpdateStreams(world, (changed) => {
    const now = clock.now();
    const rows =
      changed === 'all' ? recent.all() : [...changed].flatMap((sequence) => recent.get(sequence) ?? []);
    return {
      scope: source.scope,
      isWhole: changed === 'all',
      rows: rows.map((known) => toRow(known, titleOf)),
      minutes: changed === 'all' ? traffic.minutes(now) : [traffic.minute(now)],
      ...counters.state(source.state()),
      now,
      startedAt,
    };
  });

  async function find(sequence: number): Promise<Found | undefined> {
    const delivery = await source.read(sequence);
    if (delivery === undefined) return undefined;
    const [last] = recent.get(sequence) === undefined ? await source.older(sequence + 1, 1) : [];
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
    const found = await source.older(before, olderDeliveries);
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
        if (streams.open(response)) source.onOpened();
        else sendError(response, 503, 'Too many pages are open');
        return;
      case 'older':
        return sendJson(response, await list(route.before));
      case 'details':
        return sendFound(response, await details(route.sequence));
      case 'body': {
        const delivery = await source.read(route.sequence);
        return delivery ? sendBytes(response, delivery) : sendFound(response, undefined);
      }
      case 'replay': {
        if (parts.replay === undefined)
          return sendError(response, 409, `There is no target: start ${command} with --forward-to or --exec`);
        const found = await find(route.sequence);
        if (found && isUnfinished(found.known))
          return sendError(response, 409, 'It is still to be forwarded: it would arrive twice');
        return sendFound(response, found && (await replay(found, parts.replay)));
      }
    }
  }

  const host: PageHost = {
    happened(activity: PageActivity) {
      traffic.add(activity, clock.now());
      counters.add(activity);
      streams.changed(recent.apply(activity));
    },
    replayed(replay) {
      if (recent.addReplay(replay)) streams.changed(replay.sequence);
    },
    show(deliveries) {
      recent.replace(deliveries);
      streams.allChanged();
    },
    shown: () => recent.all(),
    amend: (attempt) => streams.changed(recent.apply(attempt)),
    finish(sequence) {
      recent.finish(sequence);
      streams.changed(sequence);
    },
    changed: () => streams.changed(undefined),
    isWatched: () => streams.count() > 0,
  };
  void source.follow(host, stop.signal);

  const listening = await server.listen({ host: '127.0.0.1', port: parts.port }, (request, response) => {
    respond(request, response).catch((error: unknown) => {
      // The source could not be read. The page says so; the receiver goes on.
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
    onActivity: source.onActivity,
    onReady: source.onReady,
    async close() {
      stop.abort();
      streams.close();
      await listening.close();
    },
  };
}
