// Receives deliveries over HTTP. It responds with 200 only for what the journal has on the disk, and with 503 for everything
// else, because a 4xx other than 408 and 429 would suspend the webhook. docs/decisions/receiver-responses.md says why it
// responds as it does.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { deliveryHeaders, rejectionHeader } from '#contract/delivery.ts';
import type { Clock, ListenOptions, RequestHandler } from '#world/world.ts';
import type { OnActivity } from './activity.ts';
import { BodyMemory, countedBytes } from './body-memory.ts';
import type { Appended, Journal, RejectionReason } from './delivery-journal.ts';
import { type JudgeOptions, joinValues, judgeRequest, rejectionStatus } from './judge-request.ts';
import { receiveBody } from './receive-body.ts';
import type { Headers, ReceivedDelivery, StoredDelivery } from './stored-delivery.ts';
import { Storing, StoringLimit } from './storing-limit.ts';

export interface ReceiverOptions extends JudgeOptions {
  readonly journal: Pick<Journal, 'append' | 'mark'>;
  readonly clock: Pick<Clock, 'now' | 'monotonic' | 'after'>;
  readonly onActivity: OnActivity;
  /** Why none could be stored now, as far as it is known: it is reported at once. */
  readonly storageFault?: string | undefined;
  /** Responds to a wrong or missing signature with 401, after which the service suspends the webhook. */
  readonly unauthorized?: boolean;
  /** The only path that accepts deliveries; by default every path does. */
  readonly path?: string;
  /** The path that responds to GET with 200. */
  readonly healthPath?: string;
  /** Returns true if this handshake is the receiver's own check of the way in: it gets the usual response, but is not reported. */
  readonly onChallenge?: (challenge: string) => boolean;
  /** The value of {@link loopHeader} in what this process forwards: it has come back, which is the target's failure. */
  readonly loop?: string;
  readonly maxBodyBytes?: number;
  /** The limit of {@link BodyMemory}. */
  readonly maxHeldBytes?: number;
  /** A delivery that is not on the disk after this time gets 503. */
  readonly storeLimitMs?: number;
}

export const loopHeader = 'x-wm-loop';

export interface ReceiverHandler {
  readonly handle: RequestHandler;
  /** How the server must listen, so that none of its own responses suspends the webhook. */
  readonly listenOptions: Pick<ListenOptions, 'halfOpen' | 'never4xx' | 'onOwnResponse' | 'limits'>;
}

const mebibyte = 1024 * 1024;
const defaults = { maxBodyBytes: 32 * mebibyte, maxHeldBytes: 256 * mebibyte, storeLimitMs: 8_000 };

const serverLimits = {
  headersMs: 15_000,
  requestMs: 60_000,
  stallMs: 10_000,
  // Longer than proxies and tunnels keep a connection (Caddy: 2 minutes). If we closed it first, a delivery could
  // be on its way at that moment, and would fail.
  keepAliveMs: 130_000,
  connections: 1_000,
};

export function createReceiverHandler(options: ReceiverOptions): ReceiverHandler {
  const { journal, clock, onActivity, path, healthPath, onChallenge } = options;
  const maxBodyBytes = options.maxBodyBytes ?? defaults.maxBodyBytes;
  const memory = new BodyMemory(options.maxHeldBytes ?? defaults.maxHeldBytes);
  const storeLimitMs = options.storeLimitMs ?? defaults.storeLimitMs;
  const storingLimit = new StoringLimit(clock, storeLimitMs);
  const unauthorizedStatus = options.unauthorized ? 401 : 503;
  let storageFault: string | undefined;

  const reportRejection = (reason: RejectionReason, status: number) => {
    const rejection = { kind: 'rejected', time: clock.now(), reason, status } as const;
    journal.mark(rejection);
    onActivity(rejection);
  };
  const reject = (response: ServerResponse, reason: RejectionReason, status = 503) => {
    respond(response, status, status === 200 ? [] : [rejectionHeader, reason]);
    reportRejection(reason, status);
  };
  const reportStorage = (fault: string | undefined) => {
    if (fault === storageFault) return;
    storageFault = fault;
    onActivity({ kind: 'storage', fault });
  };

  /** Until a delivery is stored, one that is not is no news. */
  let faultAtStart = options.storageFault;
  reportStorage(faultAtStart);

  const store = (delivery: ReceivedDelivery, response: ServerResponse, since: number) => {
    let isExpired = false;
    const storing = new Storing(since, () => {
      isExpired = true;
      reject(response, 'not-stored');
      reportStorage(`the disk has not confirmed a delivery for ${storeLimitMs / 1000} s`);
    });
    storingLimit.add(storing);
    const finish = () => {
      storingLimit.remove(storing);
      memory.release(delivery.body.length);
    };
    appendTo(journal, delivery).then(
      ({ sequence, isDuplicate, isRecent = false }) => {
        finish();
        // If it expired, the service sends it again: a duplicate, unless it has no key.
        if (!isExpired) respond(response, 200);
        // Any other duplicate says nothing about the disk: it was stored before.
        if (!isDuplicate || isRecent) {
          faultAtStart = undefined;
          reportStorage(undefined);
        }
        if (!isDuplicate) {
          const milliseconds = clock.monotonic() - since;
          return onActivity({ kind: 'stored', delivery: toStored(delivery, sequence), milliseconds });
        }
        const duplicate = { kind: 'duplicate', sequence, time: clock.now() } as const;
        journal.mark(duplicate);
        onActivity(duplicate);
      },
      (error: unknown) => {
        finish();
        if (!isExpired) reject(response, 'not-stored');
        reportStorage(faultAtStart ?? (error instanceof Error ? error.message : String(error)));
      },
    );
  };

  const judge = (request: IncomingMessage, response: ServerResponse, target: string, body: Uint8Array) => {
    const since = clock.monotonic();
    const headers = pairsOf(request.rawHeaders);
    const judgement = judgeRequest({ headers, body }, options);
    if (judgement.kind !== 'delivery') memory.release(countedBytes(body.length));
    if (judgement.kind === 'rejection') {
      const { reason } = judgement;
      return reject(response, reason, rejectionStatus(reason, unauthorizedStatus));
    }
    if (judgement.kind === 'handshake') {
      const isOwn = onChallenge?.(judgement.challenge) ?? false;
      respond(response, 200, judgement.responseHeader);
      if (!isOwn) onActivity({ kind: 'handshake', time: clock.now() });
      return;
    }
    // From here on small bodies count too: the disk may hang while more and more arrive.
    if (!memory.hold(body.length - countedBytes(body.length))) {
      memory.release(countedBytes(body.length));
      return reject(response, 'not-stored');
    }
    store(
      {
        receivedAt: clock.now(),
        path: target,
        headers,
        body,
        idempotencyKey: joinValues(headers, deliveryHeaders.idempotencyKey) || undefined,
        signature: judgement.signature,
      },
      response,
      since,
    );
  };

  return {
    handle(request, response) {
      if (options.loop !== undefined && String(request.headers[loopHeader]).includes(options.loop))
        return respond(response, 508);
      const target = originForm(request.url);
      if (request.method !== 'POST') {
        const isRead = request.method === 'GET' || request.method === 'HEAD';
        if (isRead && healthPath !== undefined && isAt(target, healthPath)) return respond(response, 200);
        return reject(response, 'method');
      }
      if (path !== undefined && !isAt(target, path)) return reject(response, 'path');
      receiveBody(request, memory, maxBodyBytes, (outcome) => {
        if (typeof outcome !== 'string') return judge(request, response, target, outcome);
        // The server reports those that were cut off: it knows whether there was a response.
        if (outcome !== 'broken-off') reject(response, outcome);
      });
    },
    listenOptions: {
      // A client that is done sending still waits for its response.
      halfOpen: true,
      never4xx: true,
      limits: serverLimits,
      onOwnResponse: (status, why) => reportRejection(why === 'ending' ? 'not-stored' : why, status),
    },
  };
}

/** The body is empty, and a header gives no more than a code, because strangers read it too. No Retry-After: the contract does not mention it. */
function respond(response: ServerResponse, status: number, header: readonly string[] = []): void {
  response.writeHead(status, ['Content-Length', '0', ...header]).end();
}

/** Spreading the delivery would take ten times as long. */
function toStored(delivery: ReceivedDelivery, sequence: number): StoredDelivery {
  const { receivedAt, path, headers, body, idempotencyKey, signature } = delivery;
  return { sequence, receivedAt, path, headers, body, idempotencyKey, signature };
}

/** Also turns what a journal throws synchronously into a rejection. Not async: that takes two promises more for each delivery. */
function appendTo(journal: Pick<Journal, 'append'>, delivery: ReceivedDelivery): Promise<Appended> {
  try {
    return journal.append(delivery);
  } catch (error) {
    return Promise.reject(error);
  }
}

/** The path and query; a proxy may send the whole URL. */
function originForm(target = '/'): string {
  if (target.startsWith('/')) return target;
  return target.replace(/^https?:\/\/[^/?]*/i, '') || '/';
}

const isAt = (target: string, path: string) =>
  target.startsWith(path) && (target.length === path.length || target[path.length] === '?');

function pairsOf(rawHeaders: readonly string[]): Headers {
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    pairs.push([rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '']);
  return pairs;
}
