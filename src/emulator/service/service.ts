// The parts of a running emulator, for endpoints. emulator.ts creates them.

import type { DataCentre } from '#contract/delivery.ts';
import type { Deliveries } from '../dispatch/deliveries.ts';
import type { SendToReceiver } from '../dispatch/send-to-receiver.ts';
import type { Faults, Stubs } from '../http/injections.ts';
import type { RateLimit } from '../http/rate-limit.ts';
import type { RequestLog } from '../http/request-log.ts';
import type { EmulatorClock } from '../state/clock.ts';
import type { FileContents } from '../state/file-contents.ts';
import type { Persistence } from '../state/persistence.ts';
import type { Scheduler } from '../state/scheduler.ts';
import type { Snapshot, Store, StoredAccount, Token, User } from '../state/store.ts';
import type { BriefDescription } from '../task/brief-description.ts';
import type { TaskLists } from '../task/task-lists.ts';
import type { Settings } from './settings.ts';

export interface Service {
  readonly store: Store;
  readonly clock: EmulatorClock;
  readonly settings: Settings;
  readonly deliveries: Deliveries;
  readonly scheduler: Scheduler;
  readonly sendToReceiver: SendToReceiver;
  readonly taskLists: TaskLists;
  readonly briefDescription: BriefDescription;
  readonly fileContents: FileContents;
  readonly faults: Faults;
  readonly stubs: Stubs;
  readonly requests: RequestLog;
  readonly rateLimit: RateLimit;
  /** Logs an ignored parameter for the user, once for each operation and parameter. */
  readonly reportIgnored: (operation: string, parameter: string) => void;
  /** The data that a reset restores. */
  readonly initialData: Snapshot;
  /** Host and port by data centre. */
  readonly hosts: Readonly<Record<DataCentre, string>>;
  /** In real time, to delay a response. */
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Resolves at the end of this turn of the event loop. */
  readonly endOfTurn: () => Promise<void>;
  /** Saves the data file, if there is one. The store schedules it by itself; after a change of the clock, schedule it. */
  readonly persistence: Persistence | undefined;
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
