// Receives deliveries over HTTP. Responds with 200 only for a delivery that is on the disk, with 403 to a web page, and with 503 otherwise,
// because a 4xx other than 408 and 429 would suspend the webhook. See docs/decisions/receiver-responses.md.

import { deliveryHeaders, rejectionHeader } from '#contract/delivery.ts';
import { isLoopbackHost } from '#contract/hook-url.ts';
import { errorMessage } from '#failure.ts';
import type { Clock, ListenOptions, ServerRequest, ServerResponse } from '#world/world.ts';
import {
  type Appended,
  type Headers,
  type Journal,
  loopHeader,
  type OnActivity,
  type ReceivedDelivery,
  type RejectionReason,
  type StoredDelivery,
} from './delivery-journal.ts';
import { type JudgeOptions, joinValues, judgeRequest, rejectionStatus } from './judge-request.ts';
import { countedBytes, createBodyMemory, receiveBody } from './receive-body.ts';

export interface ReceiverOptions extends JudgeOptions {
  readonly journal: Pick<Journal, 'append' | 'record'>;
  readonly clock: Pick<Clock, 'now' | 'monotonic' | 'after'>;
  readonly onActivity: OnActivity;
  /** Why deliveries cannot be stored at the start, if known. Reported at once. */
  readonly storageFault?: string | undefined;
  /** Responds to a wrong or missing signature with 401, after which the service suspends the webhook. */
  readonly unauthorized?: boolean;
  /** The only path that accepts deliveries. By default, every path does. */
  readonly path?: string;
  readonly healthPath?: string;
  /** Returns the address of a request that may not send: it gets 503, unless it is the receiver's own check of the way in. */
  readonly findForeignSender?: (request: ServerRequest) => string | undefined;
  /** Only this machine sends deliveries, so the Host of an unsigned one is this machine. */
  readonly isLocal?: boolean;
  /** Returns true for the receiver's own check of the way in. Such a handshake gets a response, but is not reported. */
  readonly onChallenge?: (challenge: string) => boolean;
  /** Recognises the forgeries of a verification: they are reported as such. */
  readonly isSample?: (body: Uint8Array, challenge: string | undefined) => boolean;
  /** What this receiver adds to the {@link loopHeader}: a request that has it came back from a target, which must fail. */
  readonly loop?: string;
  readonly maxBodyBytes?: number;
  readonly maxHeldBytes?: number;
}

const mebibyte = 1024 * 1024;
/** A delivery gets 503 if it is not on the disk after this time. */
const storeLimitMs = 8_000;

const connectionLimits = {
  headersMs: 15_000,
  requestMs: 60_000,
  stallMs: 10_000,
  // Longer than proxies and tunnels keep a connection (Caddy: 2 minutes). If we closed it first, a delivery that was just on its
  // way would fail.
  keepAliveMs: 130_000,
  connections: 1_000,
};

export function createReceiverHandler(options: ReceiverOptions) {
  const { journal, clock, onActivity, path, healthPath, onChallenge } = options;
  const { maxBodyBytes = 32 * mebibyte, maxHeldBytes = 256 * mebibyte } = options;
  const memory = createBodyMemory(maxHeldBytes);
  const unauthorizedStatus = options.unauthorized ? 401 : 503;
  let storageFault: string | undefined;

  const reportRejection = (reason: RejectionReason, status: number, isSample = false, from?: string) => {
    const rejection = { kind: 'rejected', time: clock.now(), reason, status } as const;
    journal.record(rejection);
    onActivity(from === undefined ? rejection : { ...rejection, from: from.slice(0, 255) }, isSample);
  };
  type Details = [isSample?: boolean, from?: string | undefined];
  const reject = (response: ServerResponse, reason: RejectionReason, status = 503, ...details: Details) => {
    respond(response, status, status === 200 ? [] : [rejectionHeader, reason]);
    reportRejection(reason, status, ...details);
  };
  const reportStorage = (fault: string | undefined) => {
    if (fault === storageFault) return;
    storageFault = fault;
    onActivity({ kind: 'storage', fault });
  };

  /** Reported now. Until a delivery is stored, failures count as this same fault and are not reported again. */
  let faultAtStart = options.storageFault;
  reportStorage(faultAtStart);

  const store = (delivery: ReceivedDelivery, response: ServerResponse, since: number) => {
    let isExpired = false;
    const cancelLimit = clock.after(storeLimitMs, () => {
      isExpired = true;
      reject(response, 'not-stored');
      reportStorage(`the disk has not confirmed a delivery for ${storeLimitMs / 1000} s`);
    });
    const finish = () => {
      cancelLimit();
      memory.release(delivery.body.length);
    };
    appendTo(journal, delivery).then(
      ({ sequence, isDuplicate, isRecent = false }) => {
        finish();
        // The service sends an expired delivery again; without a key, it is not recognised as a duplicate.
        if (!isExpired) respond(response, 200);
        // An old duplicate says nothing about the disk.
        if (!isDuplicate || isRecent) {
          faultAtStart = undefined;
          reportStorage(undefined);
        }
        if (!isDuplicate) {
          const milliseconds = clock.monotonic() - since;
          return onActivity({ kind: 'stored', delivery: toStored(delivery, sequence), milliseconds });
        }
        const duplicate = { kind: 'duplicate', sequence, time: clock.now() } as const;
        journal.record(duplicate);
        onActivity(duplicate);
      },
      (error: unknown) => {
        finish();
        if (!isExpired) reject(response, 'not-stored');
        reportStorage(faultAtStart ?? errorMessage(error));
      },
    );
  };

  const judge = (request: ServerRequest, response: ServerResponse, target: string, body: Uint8Array) => {
    const since = clock.monotonic();
    const headers = headerPairs(request.rawHeaders);
    const judged = judgeRequest({ headers, body }, options);
    const isOwn = judged.kind === 'handshake' && (onChallenge?.(judged.challenge) ?? false);
    const refuse = (reason: RejectionReason, status: number, from?: string) => {
      memory.release(countedBytes(body.length));
      const isSample = options.isSample?.(body, joinValues(headers, deliveryHeaders.secret));
      return reject(response, reason, status, isSample, from);
    };
    const sender = isOwn ? undefined : options.findForeignSender?.(request);
    if (sender !== undefined) return refuse('address', 503, sender);
    const { host = 'localhost' } = request.headers;
    // A page cannot sign. A signature comes from the service, by a proxy that keeps the Host, or from the emulator.
    const isUnsigned =
      'signature' in judged
        ? judged.signature === 'unsigned'
        : 'reason' in judged && judged.reason === 'no-signature';
    if (options.isLocal && isUnsigned && !isLoopbackHost(host)) return refuse('host', 403, host);
    if (judged.kind === 'rejection')
      return refuse(judged.reason, rejectionStatus(judged.reason, unauthorizedStatus));
    if (judged.kind === 'handshake') {
      memory.release(countedBytes(body.length));
      respond(response, 200, judged.responseHeader);
      if (!isOwn) onActivity({ kind: 'handshake', time: clock.now() });
      return;
    }
    // From here on, small bodies count too: they pile up while the disk hangs.
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
        signature: judged.signature,
      },
      response,
      since,
    );
  };

  return {
    handle(request: ServerRequest, response: ServerResponse) {
      if (options.loop !== undefined && String(request.headers[loopHeader]).includes(options.loop))
        return respond(response, 508);
      const target = originForm(request.url);
      const isGet = request.method === 'GET' || request.method === 'HEAD';
      if (isGet && healthPath !== undefined && hasPath(target, healthPath)) return respond(response, 200);
      const { origin, 'sec-fetch-site': site } = request.headers;
      if (origin !== undefined || site !== undefined) return reject(response, 'web-page', 403);
      if (request.method !== 'POST') return reject(response, 'method');
      if (path !== undefined && !hasPath(target, path)) return reject(response, 'path');
      receiveBody(request, memory, maxBodyBytes, (outcome) => {
        if (typeof outcome !== 'string') return judge(request, response, target, outcome);
        // The server itself reports a request that was cut off: it knows whether a response was sent.
        if (outcome !== 'broken-off') reject(response, outcome);
      });
    },
    /** Keeps the server's own responses from suspending the webhook. */
    listenOptions: {
      // A client that has closed its side still waits for the response.
      halfOpen: true,
      never4xx: true,
      limits: connectionLimits,
      onOwnResponse: (status, why) => reportRejection(why === 'ending' ? 'not-stored' : why, status),
    } satisfies Partial<ListenOptions>,
  };
}

/** Sends only a code in a header, because strangers read it too. No Retry-After: the contract does not mention it. */
function respond(response: ServerResponse, status: number, header: readonly string[] = []): void {
  response.writeHead(status, ['Content-Length', '0', ...header]).end();
}

/** Lists the members, because spreading the delivery takes ten times as long. */
function toStored(delivery: ReceivedDelivery, sequence: number): StoredDelivery {
  const { receivedAt, path, headers, body, idempotencyKey, signature } = delivery;
  return { sequence, receivedAt, path, headers, body, idempotencyKey, signature };
}

/** Turns a synchronous throw into a rejection. Not async, which would cost two more promises for each delivery. */
function appendTo(journal: Pick<Journal, 'append'>, delivery: ReceivedDelivery): Promise<Appended> {
  try {
    return journal.append(delivery);
  } catch (error) {
    return Promise.reject(error);
  }
}

/** Returns path and query; a proxy may send the whole URL. */
function originForm(target = '/'): string {
  if (target.startsWith('/')) return target;
  return target.replace(/^https?:\/\/[^/?]*/i, '') || '/';
}

const hasPath = (target: string, path: string) =>
  target.startsWith(path) && (target.length === path.length || target[path.length] === '?');

function headerPairs(rawHeaders: readonly string[]): Headers {
  const pairs: [string, string][] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2)
    pairs.push([rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '']);
  return pairs;
}
