// An emulator in a test's own process: what `wm emulator start` starts, with its control requests as functions.

import type { EmulatorMode } from '../contract/assumption.ts';
import { formatTimestamp } from '../contract/date.ts';
import type { EventName } from '../contract/event.ts';
import type { Control, RunningEmulator } from '../emulator/emulator.ts';
import type { Fault } from '../emulator/http/fault-injection.ts';
import type { LoggedRequest } from '../emulator/http/request-log.ts';
import type { Stub } from '../emulator/http/stubs.ts';
import type { OwnApplication } from '../emulator/seed/initial-data.ts';
import type { Delivery } from '../emulator/state/delivery.ts';
import type { ConnectTo } from '../emulator/webhooks/send-to-receiver.ts';
import { createEmulatorWorld } from '../world/create-emulator-world.ts';

export interface EmulatorStartOptions {
  /** The port of the main data centre; the others use the next ones. By default free ones, so that emulators run side by side. */
  readonly port?: number;
  /** `bare` leaves out of responses what the contract does not show; `strict` rejects requests that go beyond its letter. */
  readonly mode?: EmulatorMode;
  /** Allows webhooks to this machine, on any port: what a test needs whose receiver runs beside it. By default no. */
  readonly allowLocalHooks?: boolean;
  /** Sends deliveries for a host to another address instead: `{ host: 'hooks.example.com', address: '127.0.0.1', port: 8080 }`. */
  readonly connectTo?: readonly ConnectTo[];
  /** Data in place of the sample: what a seed file holds, as JSON has it. docs/emulator.md describes it. */
  readonly seed?: unknown;
  /** An application of your own; {@link Emulator.clientId} and the token are then its. */
  readonly application?: OwnApplication;
  /** The same sample tokens each time, for tests that name them. By default they are random. */
  readonly fixedTokens?: boolean;
  /** Requests a minute for each token; then 429 with Retry-After. By default no limit. */
  readonly rateLimit?: number;
  /** Lifetime of an access token. By default 3,600. */
  readonly tokenSeconds?: number;
  /** Lifetime of an authorization code. By default 600. */
  readonly codeSeconds?: number;
  /** For a delivery's response, in milliseconds. By default 10,000. */
  readonly deliveryTimeoutMs?: number;
  /** The intervals before the second and the third attempt, in seconds. By default 30 and 60; {@link EmulatorClock.advance} skips them. */
  readonly retrySeconds?: readonly [number, number];
  /** Gets what the emulator reports: internal errors, rejected pages. By default nobody does. */
  readonly log?: (line: string) => void;
}

export interface EmulatorClock {
  now(): Promise<Date>;
  /** Stops the clock, at this instant if one is given. */
  freeze(at?: Date): Promise<Date>;
  /** Moves on by this many milliseconds, and runs what becomes due: retries, expiries, delayed events. */
  advance(milliseconds: number): Promise<Date>;
  /** Lets it run again, in real time. */
  resume(): Promise<Date>;
}

export interface EmulatorFaults {
  /** The next responses to a request (an operation's name, `token`, `authorize`, `convert` or `any`) fail in this way. */
  add(fault: Fault): Promise<void>;
  /** Those that are still to come. */
  list(): Promise<readonly Fault[]>;
  clear(): Promise<void>;
}

export interface EmulatorStubs {
  /** Responds to requests that the emulator does not have: `{ request: 'GET /approvals/{id}', json: { data: [] } }`. */
  add(stub: Stub): Promise<void>;
  list(): Promise<readonly Stub[]>;
  clear(): Promise<void>;
}

export interface RequestFilter {
  /** Only these operations. */
  readonly operation?: string | readonly string[];
  /** Only those with an error response. */
  readonly rejected?: boolean;
  /** Only those after the request with this number. */
  readonly since?: number;
}

/** How an event is delivered: what a receiver must survive. */
export type DeliveryVariant = 'duplicate' | 'single-object' | 'out-of-order';

export interface Emulator {
  /** Where users sign in, without a path. */
  readonly authUrl: string;
  /** Of the API, with its path. */
  readonly baseUrl: string;
  /** Address and port, as a token response has it. */
  readonly host: string;
  /** Of the ready application, which accepts any loopback redirect URI. */
  readonly clientId: string;
  readonly clientSecret: string;
  /** A permanent token of the sample's administrator. */
  readonly token: string;
  /** Where other programs send control requests: `WM_EMULATOR_URL` of the `wm emulator` commands. */
  readonly controlUrl: string;
  readonly sample: { readonly task: string; readonly folder: string; readonly space: string };
  readonly clock: EmulatorClock;
  readonly faults: EmulatorFaults;
  readonly stubs: EmulatorStubs;
  /** What came in, oldest first: at least the latest 1,000, without tokens and secrets. */
  requests(filter?: RequestFilter): Promise<readonly LoggedRequest[]>;
  /** Removes all requests from the log. */
  clearRequests(): Promise<void>;
  /** The data as a seed. */
  snapshot(): Promise<unknown>;
  /** The log of deliveries with every attempt, oldest first, once none is in flight. */
  deliveries(webhookId?: string): Promise<readonly Delivery[]>;
  /** Causes an event, with samples for the fields that are left out. Resolves with the number of deliveries. */
  emit(
    eventType: EventName,
    payload?: Readonly<Record<string, unknown>>,
    variants?: readonly DeliveryVariant[],
  ): Promise<number>;
  /** Restores the data of the start and the real clock; tokens stay valid. */
  reset(): Promise<void>;
  /** Stops it, and closes every connection. A second call changes nothing. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts an emulator. Each has its own ports, data and clock, so tests may start several.
 * @throws {Error} if a port is taken, or the seed has a mistake.
 */
export async function startEmulator(options: EmulatorStartOptions = {}): Promise<Emulator> {
  const { startEmulator: start } = await import('../emulator/emulator.ts');
  const { seed: given, ...rest } = options;
  const seed = given === undefined ? undefined : await parseSeed(given, options);
  const running = await start(createEmulatorWorld(), { ...rest, ...(seed && { seed }) });
  if ('fault' in running) throw new Error(`The emulator could not start: ${running.detail}`);
  return controlled(running);
}

async function parseSeed(given: unknown, { application, allowLocalHooks }: EmulatorStartOptions) {
  const { readSeed } = await import('../emulator/seed/parse-seed.ts');
  const applicationId = application?.clientId;
  const read = readSeed(given, { applicationId, allowLoopback: allowLocalHooks });
  if (!('problems' in read)) return read;
  const lines = read.problems.map(({ path, message }) => `${path.join('.') || 'the seed'}: ${message}`);
  throw new Error(`The seed has mistakes:\n${lines.join('\n')}`);
}

function controlled(running: RunningEmulator): Emulator {
  const { authUrl, baseUrl, host, clientId, clientSecret, token, controlUrl } = running;
  const { sampleTask: task, sampleFolder: folder, sampleSpace: space } = running;
  const { control } = running;
  const [clock, faults] = [clockOf(control), faultsOf(control)];
  const stop = async () => void (await running.close());
  return {
    ...{ authUrl, baseUrl, host, clientId, clientSecret, token, controlUrl, clock, faults },
    sample: { task, folder, space },
    async deliveries(webhookId) {
      const query = new Map([['settled', 'true']]);
      if (webhookId !== undefined) query.set('webhookId', webhookId);
      return (await control('GET /deliveries', { query })).deliveries;
    },
    stubs: stubsOf(control),
    async requests({ operation, rejected, since } = {}) {
      const query = new Map<string, string>();
      if (operation !== undefined) query.set('operation', [operation].flat().join(','));
      if (rejected) query.set('rejected', 'true');
      if (since !== undefined) query.set('since', String(since));
      return (await control('GET /requests', { query })).requests;
    },
    clearRequests: async () => void (await control('DELETE /requests')),
    snapshot: () => control('GET /seed'),
    emit: async (eventType, payload = {}, variants = []) =>
      (await control('POST /events', { body: { ...payload, eventType, variants } })).deliveries,
    reset: async () => void (await control('POST /reset')),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function stubsOf(control: Control): EmulatorStubs {
  return {
    add: async (stub) => void (await control('POST /stubs', { body: stub })),
    list: async () => (await control('GET /stubs')).stubs,
    clear: async () => void (await control('DELETE /stubs')),
  };
}

function clockOf(control: Control): EmulatorClock {
  const timeAfter = async (body?: object) =>
    new Date((await control(body ? 'POST /clock' : 'GET /clock', { body: body ?? {} })).now);
  return {
    now: () => timeAfter(),
    freeze: (at) => timeAfter({ freeze: true, ...(at && { at: formatTimestamp(at.getTime()) }) }),
    advance: (milliseconds) => timeAfter({ advanceSeconds: milliseconds / 1_000 }),
    resume: () => timeAfter({ resume: true }),
  };
}

function faultsOf(control: Control): EmulatorFaults {
  return {
    add: async (fault) => void (await control('POST /faults', { body: fault })),
    list: async () => (await control('GET /faults')).faults,
    clear: async () => void (await control('DELETE /faults')),
  };
}
