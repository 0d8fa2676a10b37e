// Faults that a test asks for: the next so many answers of a call are replaced, delayed, cut off or never come, before
// the call has had its effect or after it.

import { serviceErrors } from '../contract/error.ts';
import { choice, flag, optional, record, type TypeOf, text } from '../contract/value.ts';
import { type Answer, json } from './answer.ts';
import { whole } from './whole.ts';

const count = whole('count', { from: 0 });

export const faultRow = record('fault', {
  /** An operation of the API by its name, `authorize`, `token`, `convert`, or `any`. */
  call: text('name of a call', { notEmpty: true }),
  times: optional(whole('count', { from: 1 })),
  status: optional(whole('status', { from: 200, below: 600 })),
  /** The word of the error in the answer's body. */
  error: optional(text('error')),
  /** The body, instead of an error. */
  body: optional(text('body')),
  retryAfter: optional(count),
  delayMs: optional(count),
  /** Bytes of the answer, its head included, after which the connection breaks. 0: at once. */
  cutAfter: optional(count),
  /** No answer ever comes. */
  silence: optional(flag),
  /** Whether the call has its effect. */
  when: optional(choice('moment', ['before', 'after'])),
});

export type Fault = TypeOf<typeof faultRow>;

export interface Faults {
  add(fault: Fault): void;
  /** The fault for this call, if there is one; it counts as used. */
  take(call: string): Fault | undefined;
  readonly waiting: readonly Fault[];
  clear(): void;
}

export function createFaults(): Faults {
  let waiting: Fault[] = [];
  return {
    get waiting() {
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

/** The answer that a fault puts in the place of the call's own; nothing where that one stays. */
export function replacement({ status, error, body, retryAfter }: Fault): Answer | undefined {
  if (status === undefined) return undefined;
  const headers: Record<string, string> =
    retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) };
  if (body !== undefined)
    return { status, headers: { 'Content-Type': 'text/plain;charset=utf-8', ...headers }, body };
  const known = Object.entries(serviceErrors).find(([, row]) => row.status === status)?.[0];
  return json(
    status,
    { errorDescription: 'A fault that was asked for', error: error ?? known ?? 'server_error' },
    headers,
  );
}

/** Only what spoils an answer on its way lets the call happen, unless something else is said. */
export function happensFirst({ when, status, silence, cutAfter }: Fault): boolean {
  if (when !== undefined) return when === 'after';
  return status === undefined && silence !== true && cutAfter === undefined;
}
