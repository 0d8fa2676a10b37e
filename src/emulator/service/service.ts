// The parts of a running emulator, for endpoints, and what each is made of.

import type { DataCentre } from '#contract/delivery.ts';
import { formatValue } from '#contract/schema.ts';
import type { World } from '#world/world.ts';
import { createDeliveries } from '../dispatch/deliveries.ts';
import { createSendToReceiver } from '../dispatch/send-to-receiver.ts';
import { createEndOfTurn } from '../http/event-loop-turn.ts';
import { createFaults, createStubs } from '../http/injections.ts';
import { createOnceLog } from '../http/once-log.ts';
import { createRateLimit } from '../http/rate-limit.ts';
import { createRequestLog } from '../http/request-log.ts';
import type { EmulatorClock } from '../state/clock.ts';
import { createFileContents } from '../state/file-contents.ts';
import type { Persistence } from '../state/persistence.ts';
import { createScheduler } from '../state/scheduler.ts';
import type { ScheduledJob, Snapshot, Store, StoredAccount, Token, User } from '../state/store.ts';
import { createBriefDescription } from '../task/brief-description.ts';
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
  world: Pick<World, 'http' | 'clock'>,
  foundation: Foundation,
  stopping: AbortSignal,
  runJob: (job: ScheduledJob) => void,
) {
  const { settings, store, clock } = foundation;
  const sendToReceiver = createSendToReceiver(world, settings, stopping);
  const endOfTurn = createEndOfTurn(world.clock);
  const logIgnored = createOnceLog(settings.log, 100, 'further ignored parameters are not reported');
  return {
    ...foundation,
    deliveries: createDeliveries({ store, clock, endOfTurn, sendToReceiver, settings }),
    scheduler: createScheduler(store, clock, runJob),
    sendToReceiver,
    taskLists: createTaskLists(store),
    briefDescription: createBriefDescription(),
    fileContents: createFileContents(),
    faults: createFaults(),
    stubs: createStubs(),
    requests: createRequestLog(),
    rateLimit: createRateLimit(clock, settings.rateLimit),
    /** Logs an ignored parameter for the user, once for each operation and parameter. */
    reportIgnored: (operation: string, parameter: string) =>
      // formatValue shortens the name, which may be as long as a request.
      logIgnored(
        `the parameter ${formatValue(parameter)} of ${operation} was ignored: the contract does not show which parameters this request takes`,
      ),
    /** Resolves at the end of this turn of the event loop. */
    endOfTurn,
    /** In real time, to delay a response. */
    sleep: (milliseconds: number) =>
      new Promise<void>((resolve) => void world.clock.after(milliseconds, resolve)),
  };
}

/** The token of a request, and its user and account. */
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
