// How an emulator is set up: the options of its start with their defaults filled in.

import { limit } from '../../contract/limit.ts';
import type { ConnectTo } from '../webhooks/post.ts';

export interface EmulatorOptions {
  /** Of the main data centre, where the authorization endpoints are too; the others follow it. 0, the default: free ones. */
  readonly port?: number;
  /** A hookUrl may point to this machine, on any port. */
  readonly allowLocalHooks?: boolean;
  /** Pages of these origins may send requests and read the responses: `http://localhost:3000`. None by default. */
  readonly allowOrigins?: readonly string[];
  /** Names, in lower case and without a port, that Host may hold beside those of loopback. None by default. */
  readonly allowHosts?: readonly string[];
  /** The sample's tokens are the constants of sample-ids.ts: for tests. By default they are random. */
  readonly fixedTokens?: boolean;
  readonly connectTo?: readonly ConnectTo[];
  readonly codeSeconds?: number;
  readonly tokenSeconds?: number;
  /** Answers carry nothing that is only assumed. */
  readonly bare?: boolean;
  /** Requests a minute for each token; nothing is no limit. */
  readonly rateLimit?: number;
  readonly deliveryTimeoutMs?: number;
  /** Before the second attempt, and before the third. */
  readonly retrySeconds?: readonly [number, number];
  readonly descriptionEventSeconds?: number;
  /** How many deliveries may be on their way at once. */
  readonly deliveryConnections?: number;
  /** Serves https with this key and certificate, both PEM, in the place of http. */
  readonly secure?: { readonly key: string; readonly certificate: string };
  /** Keeps what the service remembers in this file, and begins with what is in it. */
  readonly dataFile?: string;
  /** Gets lines for whoever started it: faults of the emulator itself, and what it does that a person should see. */
  readonly log?: (line: string) => void;
}

type Optional = 'rateLimit' | 'dataFile' | 'secure';
type Defaulted = Omit<EmulatorOptions, Optional>;
export type Settings = { readonly [K in keyof Defaulted]-?: NonNullable<Defaulted[K]> } & Pick<
  EmulatorOptions,
  Optional
>;

export function settingsFrom(options: EmulatorOptions): Settings {
  return {
    port: 0,
    allowLocalHooks: false,
    allowOrigins: [],
    allowHosts: [],
    fixedTokens: false,
    connectTo: [],
    codeSeconds: limit.authorizationCodeSeconds,
    tokenSeconds: limit.accessTokenSeconds,
    bare: false,
    deliveryTimeoutMs: 10_000,
    retrySeconds: [30, 60],
    descriptionEventSeconds: limit.descriptionEventDelaySeconds,
    deliveryConnections: 32,
    log: () => undefined,
    ...options,
  };
}
