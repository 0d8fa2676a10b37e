// Faults that a test asks for: the next so many answers of a call are replaced, delayed, cut off or never come, before
// the call has had its effect or after it.

import { parseJsonIfValid } from '../../contract/json.ts';
import { boolean, choice, object, optional, type TypeOf, text } from '../../contract/schema.ts';
import { serviceErrors } from '../../contract/service-error.ts';
import { jsonResponse, type OutgoingResponse } from './response.ts';
import { wholeNumber } from './whole-number.ts';

const count = wholeNumber('count', { from: 0 });

export const faultSchema = object('fault', {
  /** An operation of the API by its name, `authorize`, `token`, `convert`, or `any`. */
  call: text('name of a call', { notEmpty: true }),
  times: optional(wholeNumber('count', { from: 1 })),
  status: optional(wholeNumber('status', { from: 200, below: 600 })),
  /** The word of the error in the answer's body. */
  error: optional(text('error')),
  /** The body, instead of an error; with a status of 200 where none is given. */
  body: optional(text('body')),
  /** Of the body; by default JSON if it is a JSON object or list, and plain text otherwise. */
  contentType: optional(
    text('content type', {
      pattern: { test: /^[\w.+-]+\/[\w.+-]+(;[ -~]*)?$/, says: 'such as application/json' },
    }),
  ),
  retryAfter: optional(count),
  delayMs: optional(count),
  /** Bytes of the answer, its head included, after which the connection breaks. 0: at once. */
  cutAfter: optional(count),
  /** No answer ever comes. */
  silence: optional(boolean),
  /** Whether the call has its effect. */
  when: optional(choice('moment', ['before', 'after'])),
});

export type Fault = TypeOf<typeof faultSchema>;

export interface Faults {
  add(fault: Fault): void;
  /** The fault for this call, if there is one; it counts as used. */
  take(call: string): Fault | undefined;
  readonly pending: readonly Fault[];
  clear(): void;
}

export function createFaults(): Faults {
  let waiting: Fault[] = [];
  return {
    get pending() {
      return waiting;
    },
    add(fault) {
      waiting.push({ ...fault, times: fault.times ?? 1 });
    },
    take(call) {
      const found = waiting.find((one) => one.call === call || one.call === 'any');
      if (found === undefined) return undefined;
      const times = (found.times ?? 1) - 1;
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

/** Why nothing would come of a fault; nothing where something does. */
export function whyIneffective({
  status,
  error,
  body,
  contentType,
  retryAfter,
  ...how
}: Fault): string | undefined {
  if (error !== undefined && body !== undefined)
    return 'A body takes the place of the error: give one of them';
  if (status === undefined && body === undefined && (error !== undefined || retryAfter !== undefined))
    return 'An error and a Retry-After need a status';
  if (contentType !== undefined && body === undefined) return 'A content type needs a body';
  const { delayMs, cutAfter, silence } = how;
  const hasEffect = [status, body, delayMs, cutAfter].some((one) => one !== undefined) || silence === true;
  return hasEffect ? undefined : 'It needs a status, a body, a delay, a cut or silence';
}

/** The answer that a fault puts in the place of the call's own; nothing where that one stays. */
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
    { errorDescription: 'A fault that was asked for', error: error ?? known ?? 'server_error' },
    headers,
  );
}

/** Only what spoils an answer on its way lets the call happen, unless something else is said. */
export function takesEffectFirst({ when, status, body, silence, cutAfter }: Fault): boolean {
  if (when !== undefined) return when === 'after';
  return status === undefined && body === undefined && silence !== true && cutAfter === undefined;
}
