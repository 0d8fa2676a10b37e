// A running emulator as a test has it: its addresses and credentials, and its control requests as functions.

import type { EventName } from '#contract/event.ts';
import type { Scope } from '#contract/scope.ts';
import type { Control, RunningEmulator } from '#emulator/emulator.ts';
import type { LoggedRequest } from '#emulator/http/request-log.ts';
import type { Delivery } from '#emulator/state/delivery.ts';
import { sample } from '#emulator/state/sample-ids.ts';
import type { Mail } from '#emulator/state/store.ts';
import { EmulatorError } from './emulator-error.ts';
import {
  clockOf,
  type EmulatorClock,
  type EmulatorFaults,
  type EmulatorStubs,
  type EmulatorUsers,
  expectRequests,
  faultsOf,
  type RequestCounts,
  type RequestFilter,
  readRequests,
  stubsOf,
  usersOf,
} from './emulator-parts.ts';

/** How an event is delivered: what a receiver must survive. */
export type DeliveryVariant = 'duplicate' | 'single-object' | 'out-of-order';

/** By what they stand for. */
export type SampleIds = Readonly<Record<keyof typeof sample, string>>;

export interface TokenRequest {
  /** By default the sample's administrator. */
  readonly userId?: string;
  /** By default all. */
  readonly scopes?: readonly Scope[];
}

export interface TaskRequest {
  /** How many. By default 1. */
  readonly count?: number;
  /** Each gets a number after it. */
  readonly title?: string;
  /** By default the sample's folder. */
  readonly folderId?: string;
}

/** Every function but `stop` rejects with an `EmulatorError` for a value that the emulator does not accept, and after `stop`. */
export interface Emulator {
  /** Where users sign in, without a path. */
  readonly authUrl: string;
  /** Of the API, with its path. */
  readonly baseUrl: string;
  /** Address and port, as a token response has it. */
  readonly host: string;
  /** Of your own application, or else of the ready one, which accepts any loopback redirect URI. */
  readonly clientId: string;
  readonly clientSecret: string;
  /** A permanent token of the sample's administrator, or of the seed's. */
  readonly token: string;
  /** Where other programs send control requests. The `wm emulator` commands take `authUrl`, in WM_EMULATOR_URL or as `--url`. */
  readonly controlUrl: string;
  /** The ids of the sample's records. With a seed, `task`, `folder` and `space` are the first of its own; the others are not there. */
  readonly sample: SampleIds;
  readonly clock: EmulatorClock;
  readonly faults: EmulatorFaults;
  readonly stubs: EmulatorStubs;
  readonly users: EmulatorUsers;
  /** What came in, oldest first, at least the latest 1,000; without tokens and secrets, and without control requests. */
  requests(filter?: RequestFilter): Promise<readonly LoggedRequest[]>;
  /**
   * Checks how many requests came in since the start, a `reset` or `clearRequests`, whatever their responses:
   * `{ updateTask: 1, createTask: 0 }`.
   * @throws {EmulatorError} `unexpected_requests` if a count differs.
   */
  expectRequests(counts: RequestCounts): Promise<void>;
  clearRequests(): Promise<void>;
  /** The log of deliveries with every attempt, oldest first, once none is in flight. */
  deliveries(webhookId?: string): Promise<readonly Delivery[]>;
  /** E-mails that the service would have sent, such as for a suspended webhook. */
  mails(): Promise<readonly Mail[]>;
  /** Causes an event, with samples for the fields that are left out. Resolves with the number of deliveries. */
  emit(
    eventType: EventName,
    payload?: Readonly<Record<string, unknown>>,
    variants?: readonly DeliveryVariant[],
  ): Promise<number>;
  /** A permanent token. */
  createToken(request?: TokenRequest): Promise<string>;
  /** Creates tasks and causes no events. Resolves with their ids. */
  createTasks(request?: TaskRequest): Promise<readonly string[]>;
  /** The present data as a seed. */
  snapshot(): Promise<unknown>;
  /** Restores the data of the start and the real clock, and clears faults, stubs and logs; tokens of the sample stay valid. */
  reset(): Promise<void>;
  /** Stops it, and closes every connection. A second call changes nothing. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export function createHandle(running: RunningEmulator): Emulator {
  const { authUrl, baseUrl, host, clientId, clientSecret, token, controlUrl } = running;
  const { sampleTask: task, sampleFolder: folder, sampleSpace: space } = running;
  let isStopped = false;
  const control = createLibraryControl(running.control, () => isStopped);
  const stop = async () => {
    isStopped = true;
    await running.close();
  };
  return {
    ...{ authUrl, baseUrl, host, clientId, clientSecret, token, controlUrl },
    sample: { ...sample, task, folder, space },
    clock: clockOf(control),
    faults: faultsOf(control),
    stubs: stubsOf(control),
    users: usersOf(control),
    requests: (filter = {}) => readRequests(control, filter),
    expectRequests: (counts) => expectRequests(control, counts),
    clearRequests: async () => void (await control('DELETE /requests')),
    async deliveries(webhookId) {
      const query = new Map([['settled', 'true']]);
      if (webhookId !== undefined) query.set('webhookId', webhookId);
      return (await control('GET /deliveries', { query })).deliveries;
    },
    mails: async () => (await control('GET /mails')).mails,
    emit: async (eventType, payload = {}, variants = []) =>
      (await control('POST /events', { body: { ...payload, eventType, variants } })).deliveries,
    createToken: async ({ userId = sample.ada, scopes } = {}) =>
      (await control('POST /tokens', { body: { userId, ...(scopes && { scopes }) } })).token,
    createTasks: async ({ count = 1, ...rest } = {}) =>
      (await control('POST /tasks', { body: { count, ...rest } })).taskIds,
    snapshot: () => control('GET /seed'),
    reset: async () => void (await control('POST /reset')),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** `isStopped`: what a stopped emulator would do, nobody would see. */
function createLibraryControl(control: Control, isStopped: () => boolean): Control {
  return async (name, given) => {
    if (isStopped()) throw new EmulatorError('stopped', 'The emulator was stopped: start another one');
    try {
      return structuredClone(await control(name, given));
    } catch (error) {
      throw toEmulatorError(error);
    }
  };
}

/** An ErrorResponse is of another copy of its class; whatever else was thrown is a fault of the emulator, and stays as it is. */
function toEmulatorError(error: unknown): unknown {
  if (!(error instanceof Error) || !('because' in error && 'error' in error)) return error;
  return new EmulatorError(
    error.error === 'resource_not_found' ? 'not_found' : 'invalid_value',
    error.message,
  );
}
