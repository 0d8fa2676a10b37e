// A running emulator in a test: its addresses and credentials, and its control requests as functions.

import type { EventName } from '#contract/event.ts';
import type { Scope } from '#contract/scope.ts';
import type { Control, RunningEmulator } from '#emulator/emulator.ts';
import type { LoggedRequest } from '#emulator/http/request-log.ts';
import { sample } from '#emulator/state/sample-ids.ts';
import type { Delivery, DeliveryVariant, Mail } from '#emulator/state/store.ts';
import {
  createClock,
  type EmulatorClock,
  EmulatorError,
  type EmulatorFaults,
  type EmulatorStubs,
  type EmulatorUsers,
  expectNothingIgnored,
  expectRequests,
  type RequestCounts,
  type RequestFilter,
  readRequests,
} from './emulator-parts.ts';

/** The ids by the name of their record. */
export type SampleIds = Readonly<Record<keyof typeof sample, string>>;

export interface TokenRequest {
  /** Default: the administrator of the sample. */
  readonly userId?: string;
  /** Default: all scopes. */
  readonly scopes?: readonly Scope[];
}

export interface TaskRequest {
  /** How many tasks. Default: 1. */
  readonly count?: number;
  /** Each task gets a number after its title. */
  readonly title?: string;
  /** Default: the folder of the sample. */
  readonly folderId?: string;
}

/** All functions except `stop` reject with an `EmulatorError` for an invalid value, and after `stop`. */
export interface Emulator {
  /** Where users sign in, without a path. */
  readonly authUrl: string;
  /** The base URL of the API, with its path. */
  readonly baseUrl: string;
  /** Address and port, as in a token response. */
  readonly host: string;
  /** The client id of your application, or of the built-in one, which accepts any loopback redirect URI. */
  readonly clientId: string;
  readonly clientSecret: string;
  /** A permanent token of the administrator. */
  readonly token: string;
  /** The URL for control requests. The `wm emulator` commands take `authUrl`, in WM_EMULATOR_URL or as `--url`. */
  readonly controlUrl: string;
  /** The ids of the sample's records. With a seed, `task`, `folder` and `space` are its first ones, and the others do not exist. */
  readonly sample: SampleIds;
  readonly clock: EmulatorClock;
  readonly faults: EmulatorFaults;
  readonly stubs: EmulatorStubs;
  readonly users: EmulatorUsers;
  /** At least the latest 1,000 requests, oldest first, without tokens, secrets and control requests. */
  requests(filter?: RequestFilter): Promise<readonly LoggedRequest[]>;
  /**
   * Checks the number of requests since the start, a `reset` or `clearRequests`, whatever their responses: `{ updateTask: 1,
   * createTask: 0 }`.
   * @throws {EmulatorError} `unexpected_requests` if a count differs.
   */
  expectRequests(counts: RequestCounts): Promise<void>;
  /**
   * Checks that no parameter, nor a member of one, was ignored, that each request is emulated, and that none was accepted in a form that
   * `strict` rejects and no source shows. `requests({ ignored: true })` also has the others that assumptions decided.
   * @throws {EmulatorError} `unexpected_requests`, with a line for each kind of request.
   */
  expectNothingIgnored(): Promise<void>;
  clearRequests(): Promise<void>;
  /** Waits until no delivery is in flight. Returns the log of deliveries with every attempt, oldest first. */
  deliveries(webhookId?: string): Promise<readonly Delivery[]>;
  /** Returns the e-mails that the service would have sent, such as for a suspended webhook. */
  mails(): Promise<readonly Mail[]>;
  /** Causes an event, with sample values for omitted fields. Returns the number of deliveries. */
  emit(
    eventType: EventName,
    payload?: Readonly<Record<string, unknown>>,
    variants?: readonly DeliveryVariant[],
  ): Promise<number>;
  /** Creates a permanent token. */
  createToken(request?: TokenRequest): Promise<string>;
  /** Creates tasks without events. Returns their ids. */
  createTasks(request?: TaskRequest): Promise<readonly string[]>;
  /** Returns the current data as a seed. */
  snapshot(): Promise<unknown>;
  /** Restores the initial data and the real clock, and clears faults, stubs and logs. The tokens of the sample stay valid. */
  reset(): Promise<void>;
  /** Stops the emulator and closes every connection. Does nothing if it has stopped already. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export function createHandle(running: RunningEmulator): Emulator {
  const { authUrl, baseUrl, host, clientId, clientSecret, token, controlUrl } = running;
  const { sampleTask: task, sampleFolder: folder, sampleSpace: space } = running;
  let isStopped = false;
  const control: Control = async (name, request) => {
    // A stopped emulator would do nothing.
    if (isStopped) throw new EmulatorError('stopped', 'The emulator was stopped: start another one');
    try {
      return structuredClone(await running.control(name, request));
    } catch (error) {
      throw toEmulatorError(error);
    }
  };
  const stop = async () => {
    isStopped = true;
    await running.close();
  };
  return {
    ...{ authUrl, baseUrl, host, clientId, clientSecret, token, controlUrl },
    sample: { ...sample, task, folder, space },
    clock: createClock(control),
    faults: {
      add: async (fault) => void (await control('POST /faults', { body: fault })),
      list: async () => (await control('GET /faults')).faults,
      clear: async () => void (await control('DELETE /faults')),
    },
    stubs: {
      add: async (stub) => void (await control('POST /stubs', { body: stub })),
      list: async () => (await control('GET /stubs')).stubs,
      clear: async () => void (await control('DELETE /stubs')),
    },
    users: {
      list: async () => (await control('GET /users')).users,
      change: async (id, change) => (await control('POST /users/{id}', { id, body: change })).users[0],
      remove: async (id) => void (await control('DELETE /users/{id}', { id })),
    },
    requests: (filter = {}) => readRequests(control, filter),
    expectRequests: (counts) => expectRequests(control, counts),
    expectNothingIgnored: () => expectNothingIgnored(control),
    clearRequests: async () => void (await control('DELETE /requests')),
    async deliveries(webhookId) {
      const query = new Map([['settled', 'true']]);
      if (webhookId !== undefined) query.set('webhookId', webhookId);
      return (await control('GET /deliveries', { query })).deliveries;
    },
    mails: async () => (await control('GET /mails')).mails,
    emit: async (eventType, payload = {}, variants = []) =>
      (await control('POST /events', { body: { ...payload, eventType, variants } })).deliveries,
    createToken: async ({ userId = sample.ada, ...rest } = {}) =>
      (await control('POST /tokens', { body: { userId, ...rest } })).token,
    createTasks: async ({ count = 1, ...rest } = {}) =>
      (await control('POST /tasks', { body: { count, ...rest } })).taskIds,
    snapshot: () => control('GET /seed'),
    reset: async () => void (await control('POST /reset')),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** Converts an ErrorResponse, even of another copy of its class. Any other error is a bug, and stays unchanged. */
function toEmulatorError(error: unknown): unknown {
  if (!(error instanceof Error) || !('because' in error && 'error' in error)) return error;
  return new EmulatorError(
    error.error === 'resource_not_found' ? 'not_found' : 'invalid_value',
    error.message,
  );
}
