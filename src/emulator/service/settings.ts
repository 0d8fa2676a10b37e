// The options of an emulator, and its settings: the options with their defaults.

import type { EmulatorMode } from '#contract/assumption.ts';
import { limit } from '#contract/limit.ts';
import type { ConnectTo } from '../dispatch/send-to-receiver.ts';
import type { SeedData } from '../seed/parse-seed.ts';
import type { OwnApplication } from '../state/redirect-uri.ts';

export const maxValues = {
  /** Requests a minute. */
  rateLimit: 1_000_000,
  /** A year. */
  seconds: 31_536_000,
} as const;

export interface EmulatorOptions {
  /** The port of the main data centre; the others use the next ones. Default: free ports, for emulators side by side. */
  readonly port?: number;
  /** The address to listen on, by default 127.0.0.1. On any other, other machines can control the emulator without a token. */
  readonly address?: string;
  /** Allows webhooks to any port of this machine, for a receiver beside the test. Default: false. */
  readonly allowLocalHooks?: boolean;
  /** Origins whose pages may send requests and read the responses: `http://localhost:3000`. */
  readonly allowOrigins?: readonly string[];
  /** Host names that requests may use besides loopback names, in lower case and without a port. */
  readonly allowHosts?: readonly string[];
  /** Uses the same sample tokens and dates each time, for tests. By default tokens are random, and dates near today. */
  readonly fixedTokens?: boolean;
  /** Sends deliveries for a host to another address: `{ host: 'hooks.example.com', address: '127.0.0.1', port: 8080 }`. */
  readonly connectTo?: readonly ConnectTo[];
  /** The data to start with instead of the sample. An existing data file takes precedence. */
  readonly seed?: SeedData;
  /** Adds webhooks to the sample, for people who try `wm`. Default: false, so that a test has only its own. */
  readonly withWebhooks?: boolean;
  /** Your own application, besides the sample's. Sets `clientId`, `clientSecret` and `token` of the emulator. */
  readonly application?: OwnApplication;
  /** Lifetime of an authorization code. Default: 600. */
  readonly codeSeconds?: number;
  /** Lifetime of an access token. Default: 3,600. */
  readonly tokenSeconds?: number;
  /** `bare` omits from responses what the contract does not show; `strict` rejects requests that the contract does not show. */
  readonly mode?: EmulatorMode;
  /** Sends deliveries without white space. By default they are indented by two spaces, like the service's. */
  readonly compact?: boolean;
  /** Requests per minute for each token; beyond that 429 with Retry-After. Default: no limit. */
  readonly rateLimit?: number;
  /** The time limit for the response to a delivery, in milliseconds. Default: 10,000. */
  readonly deliveryTimeoutMs?: number;
  /** The intervals before the second and third attempt, in seconds. Default: 30 and 60; `clock.advance` skips them. */
  readonly retrySeconds?: readonly [number, number];
  readonly descriptionEventSeconds?: number;
  /** The maximum number of deliveries in flight. */
  readonly deliveryConnections?: number;
  /** Serves https instead of http, with this key and certificate in PEM. */
  readonly secure?: { readonly key: string; readonly certificate: string };
  /** Loads the state from this file, and saves it there. */
  readonly dataFile?: string;
  /** Called with each line that the emulator reports: internal errors, rejected pages. By default, reports nothing. */
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
