// A receiver for a program's own server: it checks each request as `wm webhook listen` does, hands deliveries to the program, and
// responds with 200 only after the program is done with them. It never responds with a 4xx by itself, since all but two of them
// suspend the webhook at once.

import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { deliveryHeaders } from '#contract/delivery.ts';
import type { WebhookEvent } from '#contract/typed-event.ts';
import { BodyMemory, countedBytes } from '#receiver/intake/body-memory.ts';
import { type GetHeader, judgeRequest, rejectionStatus } from '#receiver/intake/judge-request.ts';
import { type ReceivedBody, receiveBody } from '#receiver/intake/receive-body.ts';
import { parseEvents, type Secrets, usableSecrets } from './check-request.ts';
import { toGetHeader } from './request-headers.ts';

/** A delivery whose signature is right. */
export interface Delivery {
  /** In the order of the body; empty if it has none, or is no JSON. */
  readonly events: readonly WebhookEvent[];
  /** As it came. */
  readonly body: Uint8Array;
  /** The header `Idempotency-Key`. The signature does not cover it. */
  readonly idempotencyKey: string | undefined;
  /**
   * The same text when the service sends this delivery again, and another for every other delivery: made of the key and the
   * body, since two webhooks may share a key. `undefined` without a key: such a delivery repeats none.
   */
  readonly id: string | undefined;
}

/** A request that was not handed over. */
export interface ReceiverRejection {
  readonly reason:
    | 'no-signature'
    | 'bad-signature'
    /** A signed handshake whose challenge must not be signed. */
    | 'bad-challenge'
    /** Up to 100 letters and digits: anyone who saw a handshake may know its signature. It gets 200. */
    | 'forgeable'
    /** Not POST. */
    | 'method'
    | 'too-large'
    /** Too many large bodies at once. */
    | 'busy'
    /** The client is gone, or its request ended early. */
    | 'broken-off'
    /** Something read the body before: mount the receiver in front of any middleware that parses bodies. */
    | 'body-already-read'
    /** `onDelivery` threw `error`. */
    | 'failed';
  /** Of the response. */
  readonly status: number;
  readonly error?: unknown;
}

export interface ReceiverOptions {
  /** That of the webhook; several while it is being replaced. */
  readonly secret: Secrets;
  /**
   * Called with each delivery, also with one that the service sends again. The response is 200 once this returns, or its promise
   * resolves: by then the delivery must be safe, for example in a database. If it throws, the response is 503, and the service
   * sends the delivery again, up to 3 times in all.
   */
  readonly onDelivery: (delivery: Delivery) => unknown;
  /** Called after each response but 200, and after that to a forgeable body. Strangers can cause most of them. What it throws is ignored. */
  readonly onRejection: (rejection: ReceiverRejection) => void;
  /** Responds to a missing or wrong signature with 401 instead of 503. The service then suspends the webhook at once. */
  readonly unauthorized?: boolean;
  /** Of one body; by default 32 MiB. */
  readonly maxBytes?: number;
}

export interface Receiver {
  /** For servers and frameworks with WHATWG requests and responses. Never rejects. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** For node:http and frameworks on top of it: `createServer(receiver.node)`. */
  readonly node: (request: IncomingMessage, response: ServerResponse) => void;
}

interface Reply {
  readonly status: number;
  readonly header?: readonly [name: string, value: string];
}

const mebibyte = 1024 * 1024;

/** Throws a TypeError without a secret, so that a variable that is not set is noticed at once. */
export function createReceiver(options: ReceiverOptions): Receiver {
  const { onDelivery, onRejection, unauthorized = false, maxBytes = 32 * mebibyte } = options;
  const secrets = usableSecrets(options.secret);
  if (secrets.length === 0 || secrets.length < [options.secret].flat().length)
    throw new TypeError('createReceiver needs a secret: is the variable that holds it set?');
  const memory = new BodyMemory(8 * maxBytes);

  const reject = (rejection: ReceiverRejection): Reply => {
    try {
      onRejection(rejection);
    } catch {
      // The response does not depend on it.
    }
    return { status: rejection.status };
  };

  const take = async (getHeader: GetHeader, body: Uint8Array): Promise<Reply> => {
    const judgement = judgeRequest({ headers: getHeader, body }, { secrets });
    if (judgement.kind === 'handshake') return { status: 200, header: judgement.responseHeader };
    if (judgement.kind === 'rejection') {
      const { reason } = judgement;
      return reject({ reason, status: rejectionStatus(reason, unauthorized ? 401 : 503) });
    }
    try {
      await onDelivery(createDelivery(getHeader, body));
      return { status: 200 };
    } catch (error) {
      return reject({ reason: 'failed', status: 503, error });
    }
  };
  /** What `read` gives, whatever kind of request it reads. */
  const respondTo = async (
    method: string | undefined,
    isRead: boolean,
    getHeader: GetHeader,
    read: () => Promise<ReceivedBody>,
  ): Promise<Reply> => {
    if (method !== 'POST') return reject({ reason: 'method', status: 503 });
    if (isRead) return reject({ reason: 'body-already-read', status: 503 });
    const body = await read();
    if (typeof body === 'string') return reject({ reason: body, status: 503 });
    try {
      return await take(getHeader, body);
    } finally {
      memory.release(countedBytes(body.length));
    }
  };

  return {
    fetch: async (request) => {
      const { status, header } = await respondTo(
        request.method,
        request.bodyUsed,
        toGetHeader(request.headers),
        () => receiveFetchBody(request, memory, maxBytes),
      );
      return new Response(null, { status, ...(header === undefined ? {} : { headers: [[...header]] }) });
    },
    node: (request, response) => {
      const read = () => new Promise<ReceivedBody>((done) => receiveBody(request, memory, maxBytes, done));
      void respondTo(request.method, request.readableDidRead, toGetHeader(request.headers), read).then(
        ({ status, header = [] }) => {
          // A framework may have responded in its place: after a time limit, for example.
          if (!response.headersSent) response.writeHead(status, ['Content-Length', '0', ...header]).end();
        },
      );
    },
  };
}

function createDelivery(getHeader: GetHeader, body: Uint8Array): Delivery {
  const idempotencyKey = getHeader(deliveryHeaders.idempotencyKey) || undefined;
  const id =
    idempotencyKey === undefined
      ? undefined
      : createHash('sha256').update(`${idempotencyKey}\n`).update(body).digest('hex');
  return { events: parseEvents(body), body, idempotencyKey, id };
}

/** Of a body, what is counted is held in `memory` until the caller releases it. After any other outcome nothing is. */
async function receiveFetchBody(
  request: Request,
  memory: BodyMemory,
  maxBytes: number,
): Promise<ReceivedBody> {
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = request.body?.getReader();
  // A list of pieces would take a hundred times the body's size if each piece is one byte.
  let buffer = Buffer.alloc(0);
  let length = 0;
  const end = (outcome: ReceivedBody) => {
    memory.release(countedBytes(length));
    // What still comes is of no interest, nor is it if this fails.
    reader?.cancel().catch(() => undefined);
    return outcome;
  };
  try {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
      if (done) return buffer.subarray(0, length);
      const total = length + value.length;
      if (total > maxBytes) return end('too-large');
      if (!memory.hold(countedBytes(total) - countedBytes(length))) return end('busy');
      if (total > buffer.length) buffer = Buffer.concat([buffer.subarray(0, length)], 2 * total);
      buffer.set(value, length);
      length = total;
    }
  } catch {
    return end('broken-off');
  }
}
