// An emulator in a test's own process: what `wm emulator start` starts, with its control requests as functions.

import type { EmulatorMode } from '../contract/assumption.ts';
import { formatTimestamp } from '../contract/date.ts';
import type { EventName } from '../contract/event.ts';
import type { Control, RunningEmulator } from '../emulator/emulator.ts';
import type { Fault } from '../emulator/http/fault-injection.ts';
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
  /** The log of deliveries with every attempt, oldest first, once none is in flight. */
  deliveries(webhookId?: string): Promise<readonly Delivery[]>;
  /** Causes an event, with samples for the fields that are left out. Resolves with the number of webhooks that get it. */
  emit(eventType: EventName, payload?: Readonly<Record<string, unknown>>): Promise<number>;
  /** Restores the data of the start and the real clock; tokens stay valid. */
  reset(): Promise<void>;
  /** Stops it, and closes every connection. A second call changes nothing. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts an emulator. Each has its own ports, data and clock, so tests may start several.
 * @throws {Error} if a port is taken.
 */
export async function startEmulator(options: EmulatorStartOptions = {}): Promise<Emulator> {
  const { startEmulator: start } = await import('../emulator/emulator.ts');
  const running = await start(createEmulatorWorld(), options);
  if ('fault' in running) throw new Error(`The emulator could not start: ${running.detail}`);
  return controlled(running);
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
    emit: async (eventType, payload = {}) =>
      (await control('POST /events', { body: { ...payload, eventType } })).deliveries,
    reset: async () => void (await control('POST /reset')),
    stop,
    [Symbol.asyncDispose]: stop,
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
