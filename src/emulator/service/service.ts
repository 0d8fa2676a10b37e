// The parts of a running emulator, for endpoints, and what each is made of.

import type { DataCentre } from '#contract/delivery.ts';
import { formatValue } from '#contract/schema.ts';
import { randomText } from '#random-values.ts';
import type { Clock, World } from '#world/world.ts';
import { createDeliveries } from '../dispatch/deliveries.ts';
import { createSendToReceiver } from '../dispatch/send-to-receiver.ts';
import { ErrorResponse, stubHint } from '../http/error-response.ts';
import { createFaults, createStubs } from '../http/injections.ts';
import { maxStoredFileBytes } from '../http/multipart.ts';
import { createPages } from '../http/paging.ts';
import { createRequestLog } from '../http/request-log.ts';
import type { EmulatorClock } from '../state/clock.ts';
import type { Persistence } from '../state/persistence.ts';
import { sample } from '../state/sample-ids.ts';
import { createScheduler } from '../state/scheduler.ts';
import type { ScheduledJob, Snapshot, Store, StoredAccount, Token, User } from '../state/store.ts';
import { createTaskLists } from '../task/task-lists.ts';
import type { Settings } from './settings.ts';

interface Foundation {
  readonly store: Store;
  readonly clock: EmulatorClock;
  readonly settings: Settings;
  /** The data that a reset restores. */
  readonly initialData: Snapshot;
  /** Host and port by data centre. */
  readonly hosts: Readonly<Record<DataCentre, string>>;
  /** Saves the data file, if there is one. The store schedules it by itself; after a change of the clock, schedule it. */
  readonly persistence: Persistence | undefined;
}

export type Service = ReturnType<typeof createService>;

/** `stopping` aborts the deliveries in flight. */
export function createService(
  world: Pick<World, 'http' | 'clock' | 'randomBytes'>,
  foundation: Foundation,
  stopping: AbortSignal,
  runJob: (job: ScheduledJob) => void,
) {
  const { settings, store, clock } = foundation;
  const { randomBytes } = world;
  const sendToReceiver = createSendToReceiver(world, settings, stopping);
  const endOfTurn = createEndOfTurn(world.clock);
  const logIgnored = createOnceLog(settings.log, 100, 'further ignored parameters are not reported');
  const logUnknown = createOnceLog(settings.log, 100, 'further unknown requests are not reported');
  return {
    ...foundation,
    randomBytes,
    deliveries: createDeliveries({ randomBytes, store, clock, endOfTurn, sendToReceiver, settings }),
    scheduler: createScheduler(store, clock, runJob),
    sendToReceiver,
    taskLists: createTaskLists(store),
    fileContents: createFileContents(randomBytes(32)),
    pages: createPages(() => randomText(world, 45).toUpperCase()),
    faults: createFaults(),
    stubs: createStubs(),
    requests: createRequestLog(),
    rateLimit: createRateLimit(clock, settings.rateLimit),
    /** Logs an ignored parameter for the user, once for each operation and parameter. */
    reportIgnored: (operation: string, parameter: string) =>
      // formatValue shortens the name, which may be as long as a request.
      logIgnored(
        `the parameter ${formatValue(parameter)} of ${operation} was ignored: neither the contract nor an assumption says that this request takes it`,
      ),
    /** Logs a request that the emulator does not have, once for each method and path, whatever its ids. */
    reportUnknown: (problem: string) =>
      logUnknown(`${problem.replace(/\/[A-Z0-9,]{8,}(?![^/ ])/g, '/{id}')}: ${stubHint}`),
    endOfTurn,
    /** In real time, to delay a response. */
    sleep: (delayMs: number) => new Promise<void>((resolve) => void world.clock.after(delayMs, resolve)),
  };
}

/** Logs each line for the user once, and only so many: a client could cause a new one with each request. `last` follows the last line. */
export function createOnceLog(log: (line: string) => void, maxLines: number, last?: string) {
  const logged = new Set<string>();
  return (line: string): void => {
    if (logged.has(line) || logged.size >= maxLines) return;
    logged.add(line);
    log(line);
    if (logged.size === maxLines && last !== undefined) log(last);
  };
}

/** The end of this turn of the event loop, when its responses are sent together: see docs/decisions/batched-responses.md. */
export function createEndOfTurn({ nextTurn }: Pick<Clock, 'nextTurn'>): () => Promise<void> {
  let end: Promise<void> | undefined;
  return () => {
    end ??= nextTurn().then(() => {
      end = undefined;
    });
    return end;
  };
}

const minute = 60_000;

/** Requests per minute for each token. The contract shows neither its value nor its response. */
function createRateLimit(clock: Pick<Clock, 'now'>, perMinute: number | undefined) {
  const windows = new Map<string, { ends: number; used: number }>();
  return {
    /** Counts a request. Throws {@link ErrorResponse} above the limit. */
    count(token: string) {
      if (perMinute === undefined) return;
      const now = clock.now();
      const current = windows.get(token);
      const window = current !== undefined && current.ends > now ? current : { ends: now + minute, used: 0 };
      windows.set(token, window);
      if (++window.used <= perMinute) return;
      const seconds = Math.ceil((window.ends - now) / 1000);
      const why = `More than ${perMinute} requests per minute`;
      throw new ErrorResponse('too_many_requests', why, 'rate-limit', seconds);
    },
    clear: () => windows.clear(),
  };
}

const maxTotalBytes = 4 * maxStoredFileBytes;

/** A picture of one pixel. */
const samplePicture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

/** The bytes of attached files, for downloads: only in memory, not in the data file. Above a limit, the oldest are dropped. */
function createFileContents(key: Uint8Array) {
  /** In the order of their upload. */
  const files = new Map<string, Uint8Array>();
  let total = 0;

  function remove(id: string): void {
    total -= files.get(id)?.length ?? 0;
    files.delete(id);
  }

  return {
    /** Signs the addresses of files. */
    key,
    /** Undefined for a dropped file. */
    get: (id: string) => files.get(id) ?? (id === sample.attachment ? samplePicture : undefined),
    set(id: string, content: Uint8Array) {
      remove(id);
      files.set(id, content);
      total += content.length;
      for (const oldest of files.keys()) {
        if (total <= maxTotalBytes) break;
        remove(oldest);
      }
    },
    delete: remove,
    clear() {
      files.clear();
      total = 0;
    },
  };
}

/** The input of a control endpoint. */
export interface ControlRequest {
  readonly service: Service;
  /** The JSON body, or an empty object. */
  readonly body: unknown;
  readonly query: ReadonlyMap<string, string>;
  /** In the path. */
  readonly id: string;
}

export interface Session {
  readonly token: Token;
  readonly user: User;
  readonly account: StoredAccount;
}

/** The main data centre, where users sign in, is the first. */
export const dataCentres: readonly DataCentre[] = ['US', 'US2', 'EU'];

/** The origin of the API and the web workspace of a data centre. */
export function originOf(service: Service, dataCentre: DataCentre): string {
  const scheme = service.settings.secure === undefined ? 'http' : 'https';
  return `${scheme}://${service.hosts[dataCentre]}`;
}
