// Injected faults: the next responses of an operation are replaced, delayed, cut off or never sent, either before or after
// the operation takes effect.

import { parseJsonIfValid } from '../../contract/json.ts';
import { boolean, choice, object, optional, type TypeOf, text } from '../../contract/schema.ts';
import { serviceErrors } from '../../contract/service-error.ts';
import { jsonResponse, type OutgoingResponse } from './response.ts';
import { wholeNumber } from './whole-number.ts';

const count = wholeNumber('count', { from: 0 });

export const faultSchema = object('fault', {
  /** The name of an API operation, `authorize`, `token`, `convert`, or `any`. */
  request: text('name of a request', { notEmpty: true }),
  times: optional(wholeNumber('count', { from: 1 })),
  status: optional(wholeNumber('status', { from: 200, below: 600 })),
  /** The error code in the response body. */
  error: optional(text('error')),
  /** A body in place of an error; the default status is then 200. */
  body: optional(text('body')),
  /** Of the body. The default is JSON for a JSON object or list, else plain text. */
  contentType: optional(
    text('content type', {
      pattern: { test: /^[\w.+-]+\/[\w.+-]+(;[ -~]*)?$/, says: 'such as application/json' },
    }),
  ),
  retryAfter: optional(count),
  delayMs: optional(count),
  /** Bytes of the response, headers included, after which the connection is closed. 0: at once. */
  cutAfter: optional(count),
  /** No response at all. */
  silence: optional(boolean),
  /** Whether the fault comes before or after the operation takes effect. */
  when: optional(choice('moment', ['before', 'after'])),
});

export type Fault = TypeOf<typeof faultSchema>;

export interface Faults {
  add(fault: Fault): void;
  /** The fault for this operation, if there is one. It counts as used. */
  take(operation: string): Fault | undefined;
  readonly pending: readonly Fault[];
  clear(): void;
}

export function createFaults(): Faults {
  let waiting: (Fault & { readonly times: number })[] = [];
  return {
    get pending() {
      return waiting;
    },
    add(fault) {
      waiting.push({ ...fault, times: fault.times ?? 1 });
    },
    take(operation) {
      const found = waiting.find((one) => one.request === operation || one.request === 'any');
      if (found === undefined) return undefined;
      const times = found.times - 1;
      waiting = waiting.flatMap((one) => (one !== found ? [one] : times > 0 ? [{ ...found, times }] : []));
      return found;
    },
    clear() {
      waiting = [];
    },
  };
}

function guessContentType(body = ''): string {
  const decoded = parseJsonIfValid(body);
  if (typeof decoded === 'object' && decoded !== null) return 'application/json;charset=utf-8';
  return 'text/plain;charset=utf-8';
}

/** Why a fault would have no effect; undefined if it has one. */
export function whyIneffective({
  status,
  error,
  body,
  contentType,
  retryAfter,
  ...how
}: Fault): string | undefined {
  if (error !== undefined && body !== undefined) return 'Give an error or a body, not both';
  if (status === undefined && body === undefined && (error !== undefined || retryAfter !== undefined))
    return 'An error or a Retry-After needs a status';
  if (contentType !== undefined && body === undefined) return 'A content type needs a body';
  const { delayMs, cutAfter, silence } = how;
  const hasEffect = [status, body, delayMs, cutAfter].some((one) => one !== undefined) || silence === true;
  return hasEffect ? undefined : 'A fault needs a status, a body, a delay, a cut or silence';
}

/** The response that replaces the operation's own, if the fault replaces it. */
export function replacementResponse(fault: Fault): OutgoingResponse | undefined {
  const { error, body, contentType = guessContentType(body), retryAfter } = fault;
  const status = fault.status ?? (body === undefined ? undefined : 200);
  if (status === undefined) return undefined;
  const headers: Record<string, string> =
    retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) };
  if (body !== undefined) return { status, headers: { 'Content-Type': contentType, ...headers }, body };
  const known = Object.entries(serviceErrors).find(([, row]) => row.status === status)?.[0];
  return jsonResponse(
    status,
    { errorDescription: 'An injected fault', error: error ?? known ?? 'server_error' },
    headers,
  );
}

/** By default only a delay lets the operation take effect. */
export function takesEffectFirst({ when, status, body, silence, cutAfter }: Fault): boolean {
  if (when !== undefined) return when === 'after';
  return status === undefined && body === undefined && silence !== true && cutAfter === undefined;
}
