// The options of an emulator, and its settings: the options with their defaults.

import type { EmulatorMode } from '#contract/assumption.ts';
import { limit } from '#contract/limit.ts';
import type { ConnectTo } from '../dispatch/send-to-receiver.ts';
import type { OwnApplication } from '../seed/initial-data.ts';
import type { SeedData } from '../seed/parse-seed.ts';

/** The largest values of some options. */
export const maxValues = {
  /** Requests a minute. */
  rateLimit: 1_000_000,
  /** A year. */
  seconds: 31_536_000,
} as const;

export interface EmulatorOptions {
  /** The port of the main data centre; the others use the next ones. 0, the default: free ports. */
  readonly port?: number;
  /** The address to listen on, by default 127.0.0.1. On any other, other machines can control the emulator without a token. */
  readonly address?: string;
  /** Allows a loopback hookUrl, on any port. */
  readonly allowLocalHooks?: boolean;
  /** Origins whose pages may send requests and read the responses: `http://localhost:3000`. */
  readonly allowOrigins?: readonly string[];
  /** Host names that requests may use besides loopback names, in lower case and without a port. */
  readonly allowHosts?: readonly string[];
  /** Uses the constant tokens of sample-ids.ts, for tests. By default, the sample's tokens are random. */
  readonly fixedTokens?: boolean;
  readonly connectTo?: readonly ConnectTo[];
  /** The data to start with instead of the sample. An existing data file takes precedence. */
  readonly seed?: SeedData;
  /** An additional application, to which the printed token belongs. */
  readonly application?: OwnApplication;
  readonly codeSeconds?: number;
  readonly tokenSeconds?: number;
  /** Whether to omit from responses, or to reject in requests, what is only assumed. */
  readonly mode?: EmulatorMode;
  /** Sends deliveries without white space. */
  readonly compact?: boolean;
  /** Requests per minute for each token. No limit by default. */
  readonly rateLimit?: number;
  readonly deliveryTimeoutMs?: number;
  /** The intervals before the second and the third attempt. */
  readonly retrySeconds?: readonly [number, number];
  readonly descriptionEventSeconds?: number;
  /** The maximum number of deliveries in flight. */
  readonly deliveryConnections?: number;
  /** Serves https instead of http, with this key and certificate in PEM. */
  readonly secure?: { readonly key: string; readonly certificate: string };
  /** Loads the state from this file, and saves it there. */
  readonly dataFile?: string;
  /** Logs messages for the user: internal errors, rejected pages, failed saves. */
  readonly log?: (line: string) => void;
}

const defaults = {
  port: 0,
  address: '127.0.0.1',
  allowLocalHooks: false,
  allowOrigins: [],
  allowHosts: [],
  fixedTokens: false,
  connectTo: [],
  codeSeconds: limit.authorizationCodeSeconds,
  tokenSeconds: limit.accessTokenSeconds,
  mode: 'default',
  compact: false,
  deliveryTimeoutMs: 10_000,
  retrySeconds: [30, 60],
  descriptionEventSeconds: limit.descriptionEventDelaySeconds,
  deliveryConnections: 32,
  log: () => undefined,
} as const satisfies EmulatorOptions;

export type Settings = EmulatorOptions & Required<Pick<EmulatorOptions, keyof typeof defaults>>;

export const settingsFrom = (options: EmulatorOptions): Settings => ({ ...defaults, ...options });
