// The parts of a running emulator that its calls work with, in one value. Joining them is emulator.ts.

import type { DataCentre } from '../contract/delivery.ts';
import type { Scope } from '../contract/scope.ts';
import type { EmulatorClock } from './clock.ts';
import type { Faults } from './faults.ts';
import type { Deliveries } from './hooks/deliveries.ts';
import type { Post } from './hooks/post.ts';
import type { Registry } from './hooks/registry.ts';
import type { Agenda } from './later.ts';
import type { SaveFault } from './persistence.ts';
import type { RateLimit } from './rate-limit.ts';
import type { SampleTokens } from './sample-tokens.ts';
import type { Settings } from './settings.ts';
import type { Application, Store, StoredAccount, Token, User } from './store.ts';

export interface Service {
  readonly store: Store;
  readonly clock: EmulatorClock;
  readonly settings: Settings;
  readonly registry: Registry;
  readonly deliveries: Deliveries;
  readonly agenda: Agenda;
  readonly post: Post;
  readonly faults: Faults;
  readonly rateLimit: RateLimit;
  /** As they were at the start; a reset restores them. */
  readonly sampleTokens: SampleTokens;
  /** Host and port by data centre. */
  readonly hosts: Readonly<Record<DataCentre, string>>;
  /** In the time of the world: a delay that a client sees. */
  readonly wait: (milliseconds: number) => Promise<void>;
  /** Resolves for all who wait for it in this turn of the event loop at once, at its end. */
  readonly turn: () => Promise<void>;
  /** What the store holds is no longer what the file holds. */
  readonly changed: () => void;
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
