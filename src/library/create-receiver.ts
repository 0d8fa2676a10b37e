// A receiver for a program's own server. Checks each request like `wm webhook listen`, and responds with 200 only after the program
// has handled the delivery. Avoids 4xx by default: all but two of them suspend the webhook at once.

import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { deliveryHeaders, rejectionHeader } from '#contract/delivery.ts';
import { formatValue } from '#contract/schema.ts';
import type { WebhookEvent } from '#contract/typed-event.ts';
import { GrowingBytes } from '#growing-bytes.ts';
import { type GetHeader, judgeRequest, rejectionStatus } from '#receiver/core/intake/judge-request.ts';
import * as bodies from '#receiver/core/intake/receive-body.ts';
import { printError } from '#world/print-error.ts';
import { checkOptions } from './check-options.ts';
import { parseEvents, type Secrets, toGetHeader, usableSecrets } from './check-request.ts';

/** A delivery with a valid signature. */
export interface Delivery {
  /** In the order of the body. Empty if the body has no events, or is not JSON. */
  readonly events: readonly WebhookEvent[];
  /** The original bytes. */
  readonly body: Uint8Array;
  /** The header `Idempotency-Key`. The signature does not cover it. */
  readonly idempotencyKey: string | undefined;
  /**
   * The same text if the service sends this delivery again, and otherwise unique. Made from the key and the body, because two
   * webhooks may share a key. `undefined` without a key: such a delivery is never a repeat.
   */
  readonly id: string | undefined;
}

/** A request that did not reach `onDelivery`. */
export interface ReceiverRejection {
  readonly reason:
    | 'no-signature'
    | 'bad-signature'
    /** A signed handshake whose challenge must not be signed. */
    | 'bad-challenge'
    /** A body of up to 100 letters and digits: others may have seen its signature in a handshake. It gets 200. */
    | 'forgeable'
    /** Not POST. */
    | 'method'
    | 'too-large'
    /** Too many large bodies at a time. */
    | 'busy'
    /** The client has gone, or its request ended early. */
    | 'broken-off'
    /** Something has read the body: mount the receiver before middleware that parses bodies. */
    | 'body-already-read'
    /** `onDelivery` threw `error`. */
    | 'failed';
  /** The status of the response. */
  readonly status: number;
  readonly error?: unknown;
}

export interface ReceiverOptions {
  /** The secret of the webhook; several while it is being replaced. */
  readonly secret: Secrets;
  /**
   * Called with each delivery, repeats included. Return, or resolve, once the delivery is safe, for example in a database: the
   * response is then 200. If this throws, the response is 503, and the service sends the delivery up to 3 times in all.
   */
  readonly onDelivery: (delivery: Delivery) => unknown;
  /**
   * Called for each response other than 200, and for a forgeable body. Strangers can cause most of them. Ignores what it throws.
   * Default: prints a line on standard error.
   */
  readonly onRejection?: (rejection: ReceiverRejection) => unknown;
  /** Responds to a missing or wrong signature with 401 instead of 503. The service then suspends the webhook at once. */
  readonly unauthorized?: boolean;
  /** The largest body. Default: 32 MiB. */
  readonly maxBytes?: number;
}

export interface Receiver {
  /** For servers and frameworks with WHATWG requests and responses. Never rejects. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** For node:http and frameworks based on it: `createServer(receiver.node)`. */
  readonly node: (request: IncomingMessage, response: ServerResponse) => void;
}

interface Reply {
  readonly status: number;
  readonly header?: readonly [name: string, value: string];
}

const defaultMaxBytes = 32 * 1024 * 1024;
const optionTypes = {
  ...({ secret: 'any', onDelivery: 'function', onRejection: 'function' } as const),
  ...({ unauthorized: 'boolean', maxBytes: 'number' } as const),
};

/** Throws a TypeError for an unknown or invalid option, and without a secret, so that an unset variable is noticed at once. */
export function createReceiver(options: ReceiverOptions): Receiver {
  checkOptions('createReceiver', optionTypes, options, (message) => new TypeError(message));
  const { onDelivery, onRejection = printRejection, unauthorized, maxBytes = defaultMaxBytes } = options;
  if (onDelivery === undefined) throw new TypeError('createReceiver needs onDelivery, a function');
  const secrets = usableSecrets(options.secret);
  if (secrets.length === 0 || secrets.length < [options.secret].flat().length)
    throw new TypeError('createReceiver needs a secret: is the variable that holds it set?');
  const memory = bodies.createBodyMemory(8 * maxBytes);

  const reject = (rejection: ReceiverRejection): Reply => {
    const { reason, status } = rejection;
    // The response does not depend on it, and an unhandled rejection would end the program.
    void (async () => onRejection(rejection))().catch(() => undefined);
    return status === 200 ? { status } : { status, header: [rejectionHeader, reason] };
  };

  const judge = async (getHeader: GetHeader, body: Uint8Array): Promise<Reply> => {
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
  const respondTo = async (
    method: string | undefined,
    isBodyRead: boolean,
    getHeader: GetHeader,
    read: () => Promise<bodies.ReceivedBody>,
  ): Promise<Reply> => {
    if (method !== 'POST') return reject({ reason: 'method', status: 503 });
    if (isBodyRead) return reject({ reason: 'body-already-read', status: 503 });
    const body = await read();
    if (typeof body === 'string') return reject({ reason: body, status: 503 });
    try {
      return await judge(getHeader, body);
    } finally {
      memory.release(bodies.countedBytes(body.length));
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
      return new Response(null, { status, ...(header && { headers: [[...header]] }) });
    },
    node: (request, response) => {
      const read = () =>
        new Promise<bodies.ReceivedBody>((done) => bodies.receiveBody(request, memory, maxBytes, done));
      void respondTo(request.method, request.readableDidRead, toGetHeader(request.headers), read).then(
        ({ status, header = [] }) => {
          // A framework may have responded first, for example after its own time limit.
          if (!response.headersSent) response.writeHead(status, ['Content-Length', '0', ...header]).end();
        },
      );
    },
  };
}

/** In one line: strangers cause most rejections, and an error may quote what they sent. */
function printRejection({ reason, status, error }: ReceiverRejection): void {
  const text = error instanceof Error ? String(error) : formatValue(error);
  const why = error === undefined ? '' : `: ${text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')}`;
  printError(`Webhook receiver: responded with ${status} to a request (${reason})${why}`);
}

function createDelivery(getHeader: GetHeader, body: Uint8Array): Delivery {
  const idempotencyKey = getHeader(deliveryHeaders.idempotencyKey) || undefined;
  const id = idempotencyKey && createHash('sha256').update(`${idempotencyKey}\n`).update(body).digest('hex');
  return { events: parseEvents(body), body, idempotencyKey, id };
}

/** Counts the bytes of a complete body in `memory` until the caller releases them; after any other outcome, none. */
async function receiveFetchBody(request: Request, memory: bodies.BodyMemory, maxBytes: number) {
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = request.body?.getReader();
  const body = new GrowingBytes();
  const rejectBody = (outcome: bodies.ReceivedBody) => {
    memory.release(bodies.countedBytes(body.length));
    // Ignore the rest, and a failure to cancel.
    reader?.cancel().catch(() => undefined);
    return outcome;
  };
  try {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
      if (done) return body.take();
      const total = body.length + value.length;
      if (total > maxBytes) return rejectBody('too-large');
      if (!memory.hold(bodies.countedBytes(total) - bodies.countedBytes(body.length)))
        return rejectBody('busy');
      body.add(value);
    }
  } catch {
    return rejectBody('broken-off');
  }
}
