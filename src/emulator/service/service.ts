// The parts of a running emulator that its calls work with, in one value. Joining them is emulator.ts.

import type { DataCentre } from '../../contract/delivery.ts';
import type { Scope } from '../../contract/scope.ts';
import type { Faults } from '../http/fault-injection.ts';
import type { RateLimit } from '../http/rate-limit.ts';
import type { EmulatorClock } from '../state/clock.ts';
import type { SaveFault } from '../state/persistence.ts';
import type { SampleTokens } from '../state/sample-tokens.ts';
import type { Scheduler } from '../state/scheduler.ts';
import type { Application, Store, StoredAccount, Token, User } from '../state/store.ts';
import type { Deliveries } from '../webhooks/deliveries.ts';
import type { Post } from '../webhooks/post.ts';
import type { WebhookRegistry } from '../webhooks/registry.ts';
import type { Settings } from './settings.ts';

export interface Service {
  readonly store: Store;
  readonly clock: EmulatorClock;
  readonly settings: Settings;
  readonly registry: WebhookRegistry;
  readonly deliveries: Deliveries;
  readonly scheduler: Scheduler;
  readonly post: Post;
  readonly faults: Faults;
  readonly rateLimit: RateLimit;
  /** As they were at the start; a reset restores them. */
  readonly sampleTokens: SampleTokens;
  /** Host and port by data centre. */
  readonly hosts: Readonly<Record<DataCentre, string>>;
  /** In the time of the world: a delay that a client sees. */
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Resolves for all who wait for it in this turn of the event loop at once, at its end. */
  readonly endOfTurn: () => Promise<void>;
  /** What the store holds is no longer what the file holds. */
  readonly scheduleSave: () => void;
  /** Why the file could not be written, where it could not. */
  readonly saveFault: () => SaveFault | undefined;
}

/** On whose behalf a call is made. */
export interface Session {
  readonly token: Token;
  readonly user: User;
  readonly account: StoredAccount;
  readonly application: Application;
  readonly scopes: readonly Scope[];
}

/** The main one first, where people sign in. */
export const dataCentres: readonly DataCentre[] = ['US', 'US2', 'EU'];

/** The address of a data centre's API, or of the workspace it stands for, without a path. */
export function originOf(service: Service, dataCentre: DataCentre): string {
  const scheme = service.settings.secure === undefined ? 'http' : 'https';
  return `${scheme}://${service.hosts[dataCentre]}`;
}
