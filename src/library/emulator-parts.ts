// The parts of an emulator that a test controls: clock, faults, stubs, request log and users; and the error for what it cannot do.

import { formatTimestamp } from '#contract/date.ts';
import type { OperationName } from '#contract/operations.ts';
import { formatValue } from '#contract/schema.ts';
import type { Control } from '#emulator/emulator.ts';
import { findIgnored, findUnmet } from '#emulator/http/check-requests.ts';
import type { Fault, Stub } from '#emulator/http/injections.ts';
import type { User } from '#emulator/state/store.ts';
import { checkOptions } from './check-options.ts';

/**
 * `port_in_use`, `cannot_start`: from the start. `stopped`: called after `stop`. `unexpected_requests`: a check of the log failed.
 * `invalid_value`, `not_found`: an invalid value, or an unknown id.
 */
export type EmulatorErrorCode =
  | 'port_in_use'
  | 'cannot_start'
  | 'stopped'
  | 'unexpected_requests'
  | 'invalid_value'
  | 'not_found';

export class EmulatorError extends Error {
  readonly code: EmulatorErrorCode;

  constructor(code: EmulatorErrorCode, message: string) {
    super(message);
    this.name = 'EmulatorError';
    this.code = code;
  }
}

export interface EmulatorClock {
  now(): Promise<Date>;
  /** Stops the clock, now or at the given time. */
  freeze(at?: Date): Promise<Date>;
  /** Advances the clock, and runs what becomes due: retries, expiries, delayed events. */
  advance(milliseconds: number): Promise<Date>;
  /** Lets the clock run again in real time. */
  resume(): Promise<Date>;
}

export interface EmulatorFaults {
  /**
   * Makes the next responses to a request fail. `request`: an operation, `token`, `authorize`, `convert`, `any`, or a pattern such
   * as `PUT /tasks/{id}`.
   * @throws {EmulatorError} for an unknown request, and for a fault without effect.
   */
  add(fault: Fault): Promise<void>;
  /** Returns the faults that have not been used up. */
  list(): Promise<readonly Fault[]>;
  clear(): Promise<void>;
}

export interface EmulatorStubs {
  /**
   * Responds to a request that the emulator lacks: `{ request: 'GET /approvals', json: { kind: 'approvals', data: [] } }`. With a
   * query or `withBody`, also to one that it has: `{ request: 'GET /tasks?customRoles=*', status: 403 }`.
   * @throws {EmulatorError} for a request that the emulator has, without either of them: use a fault instead.
   */
  add(stub: Stub): Promise<void>;
  list(): Promise<readonly Stub[]>;
  clear(): Promise<void>;
}

/** The name of a request in faults and the log. `none`: requests that the emulator lacks; `any`: all requests. */
export type RequestName = OperationName | 'authorize' | 'token' | 'convert' | 'stub' | 'none' | 'any';

export interface RequestFilter {
  /** Only requests of these operations. */
  readonly operation?: RequestName | readonly RequestName[];
  /** Only requests with an error response. Their `reason` says why. */
  readonly rejected?: boolean;
  /** Only requests of which something was `ignored`, or for which rows of the assumptions decided (`assumed`). */
  readonly ignored?: boolean;
  /** Only requests after the one with this number. */
  readonly since?: number;
}

/** The number of requests of each kind. */
export type RequestCounts = Readonly<Partial<Record<RequestName, number>>>;

export interface UserChange {
  /** With the lowest licence, a user may set only the status Active. */
  readonly licence?: User['licence'];
  /** False deactivates the user and revokes their tokens. */
  readonly active?: boolean;
  /** The ids of tasks, folders and spaces that the user cannot see. */
  readonly denied?: readonly string[];
}

export interface EmulatorUsers {
  list(): Promise<readonly User[]>;
  /** @throws {EmulatorError} `not_found` for an unknown user. */
  change(userId: string, change: UserChange): Promise<User>;
  /** Removes the user from the account, deletes their webhooks and revokes their tokens. */
  remove(userId: string): Promise<void>;
}

export function createClock(control: Control): EmulatorClock {
  const sendClock = async (body?: object) =>
    new Date((await control(body ? 'POST /clock' : 'GET /clock', { body: body ?? {} })).now);
  return {
    now: () => sendClock(),
    freeze: async (at) => sendClock({ freeze: true, ...(at !== undefined && { at: toTimestamp(at) }) }),
    async advance(milliseconds) {
      if (typeof milliseconds !== 'number' || !(milliseconds >= 0))
        throw invalid(milliseconds, 'is not a number of milliseconds, 0 or more');
      return sendClock({ advanceSeconds: milliseconds / 1_000 });
    },
    resume: () => sendClock({ resume: true }),
  };
}

function toTimestamp(date: unknown): string {
  if (!(date instanceof Date) || Number.isNaN(date.getTime()))
    throw invalid(date, "is not a date: write new Date('2026-05-01T00:00:00Z')");
  return formatTimestamp(date.getTime());
}

const invalid = (value: unknown, why: string) => invalidValue(`${formatValue(value)} ${why}`);
const invalidValue = (message: string) => new EmulatorError('invalid_value', message);

export async function readRequests(control: Control, filter: RequestFilter) {
  const types = { operation: 'any', rejected: 'boolean', ignored: 'boolean', since: 'any' } as const;
  checkOptions('requests', types, filter, invalidValue);
  const { operation, rejected, ignored, since } = filter;
  const query = new Map<string, string>();
  if (operation !== undefined) query.set('operation', [operation].flat().join(','));
  if (rejected === true) query.set('rejected', 'true');
  if (ignored === true) query.set('ignored', 'true');
  if (since !== undefined) query.set('since', String(since));
  return (await control('GET /requests', { query })).requests;
}

export async function expectRequests(control: Control, counts: RequestCounts): Promise<void> {
  const expected = Object.entries(counts).map(([name, count]) => ({ name, count }));
  if (expected.length === 0)
    throw invalidValue('Name a request to expect, such as { updateTask: 1 }, or { any: 0 }');
  // The emulator checks the names: a misspelt one would count nothing.
  const query = new Map([['operation', Object.keys(counts).join(',')]]);
  const { requests, removed } = await control('GET /requests', { query });
  if (removed > 0)
    throw new EmulatorError(
      'unexpected_requests',
      `The requests cannot be counted: ${removed} are no longer in the log. Clear it more often.`,
    );
  const unmet = findUnmet(expected, requests);
  if (unmet.length > 0) throw new EmulatorError('unexpected_requests', unmet.join('; '));
}

export async function expectNothingIgnored(control: Control): Promise<void> {
  const lines = findIgnored(await readRequests(control, { ignored: true }));
  if (lines.length > 0) throw new EmulatorError('unexpected_requests', lines.join('\n'));
}
