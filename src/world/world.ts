// The outside world as the program sees it: types only, one interface for each capability. The real ones are this
// folder's other files; tests pass their own clock or a faulty network through the same interfaces. Expected faults
// are values, not exceptions, because only the caller knows what a lost response or a locked keychain means to it.

import type { IncomingMessage, ServerResponse } from 'node:http';

/** Everything outside the program. A function asks for the part that it uses: `Pick<World, 'http' | 'clock'>`. */
export interface World {
  readonly environment: Environment;
  readonly http: Http;
  readonly inspectConnection: InspectConnection;
  readonly server: Server;
  readonly nats: Nats;
  readonly keychain: Keychain;
  readonly browser: Browser;
  readonly clock: Clock;
  readonly random: Random;
  readonly files: Files;
  readonly lock: Lock;
  readonly streams: Streams;
  readonly process: Processes;
  readonly secrets: Secrets;
  readonly jq: Jq;
  readonly pager: Pager;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** What this process must never show, wherever it appears: echoed by a service, or in an error of a library. */
export interface Secrets {
  /** Takes effect from now on. Ignores secrets of fewer than 8 characters: they would match ordinary words. */
  add(...secrets: readonly (string | undefined)[]): void;
  /** The same for access tokens, refresh tokens and client secrets: those are redacted in records too. */
  addCredentials(...secrets: readonly (string | undefined)[]): void;
  /** A message with `[redacted]` in place of each whole secret, encoded ones included. */
  redact(text: string): string;
  /** A text of a record, which is data, with `[redacted]` in place of each whole credential only. */
  redactCredentials(text: string): string;
}

// ---------------------------------------------------------------------------------------------------------- http

export interface HttpRequest {
  readonly method: string;
  /** Absolute and already encoded: it is sent unchanged. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | StreamedBody;
}

/** A body that is read while it is sent. */
export interface StreamedBody {
  /** In bytes: `open` must give exactly as many. */
  readonly size: number;
  open(): Promise<AsyncIterable<Uint8Array>>;
}

export interface HttpOptions {
  /** From the start of the request to the last byte of the response; starts again after a freeze. */
  readonly timeoutMs: number;
  /** A longer response is a fault, so that no server can fill our memory. */
  readonly maxBytes: number;
  /** A longer response is complete after `maxBytes` of its body instead; the rest is not read. */
  readonly cutsLongBody?: true;
  /** Connect to this address instead of the URL's; the Host header and the TLS name stay the URL's. */
  readonly connectTo?: { readonly host: string; readonly port: number };
  /** Decides, after name resolution, whether to connect to this numeric address. */
  readonly allowAddress?: (address: string) => boolean;
  readonly signal?: AbortSignal;
}

/** A response of any status, including 3xx: redirects are never followed. */
export interface HttpResponse {
  readonly status: number;
  /** Names in lower case; a repeated header is joined with ", ". */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** No complete response came. */
export interface HttpFault {
  readonly fault:
    | 'connection-refused' // nothing listens there
    | 'unreachable' // no such name, no route
    | 'tls' // no trusted secure connection
    | 'proxy' // the proxy did not connect
    | 'address-not-allowed' // allowAddress returned false
    | 'timeout'
    | 'reset' // the connection broke
    | 'too-large'
    | 'malformed' // not HTTP
    | 'aborted'; // the caller's signal
  /** False only if the request certainly never left this machine. */
  readonly sent: boolean;
  /** What the system reported, for the user. Never contains a header or a body. */
  readonly detail: string;
  /** Whether waiting may cure it, where others of this kind differ. */
  readonly mayPass?: boolean;
  /** What had arrived of a response by then: its body may be complete all the same. */
  readonly arrived?: HttpResponse;
}

export interface Http {
  send(request: HttpRequest, options: HttpOptions): Promise<HttpResponse | HttpFault>;
  /** For this many requests at once: slower to start, and faster for each request. */
  withConnections?(connections: number): Promise<Http>;
  /** The certificates that it trusts in addition to Node's, as PEM. */
  readonly certificates?: string;
  /** Trusts these certificates (PEM) too. Rejects if the text contains none, or an invalid one. */
  withCertificates?(certificates: string): Promise<Http>;
}

// -------------------------------------------------------------------------------------------- inspecting a connection

/**
 * Looks at what a request to the URL would depend on: the addresses of its host, whether one accepts connections and, for
 * https, the certificate. Sends no request. Only `http` decides what may be sent: it refuses a certificate that this describes.
 */
export type InspectConnection = (url: string, options: InspectOptions) => Promise<Inspection>;

export interface InspectOptions extends Pick<HttpOptions, 'timeoutMs' | 'connectTo' | 'allowAddress'> {
  /** Trusted in addition to Node's certificates, as PEM: `Http.certificates`. */
  readonly certificates?: string | undefined;
}

export interface Inspection {
  /** A proxy would connect. What it would connect to is not visible from here, so only the addresses are looked up. */
  readonly isProxied: boolean;
  /** Those of the host, allowed or not; none if it has none, and with `connectTo`. */
  readonly addresses: readonly string[];
  /** Where it ended, if it did not succeed. */
  readonly fault?: InspectionFault;
  /** The server's own, trusted or not; absent for http. */
  readonly certificate?: PeerCertificate;
}

export interface InspectionFault {
  readonly at: 'name' | 'connection' | 'tls';
  readonly fault: HttpFault['fault'];
  readonly detail: string;
}

export interface PeerCertificate {
  /** The names and addresses that it is for. */
  readonly names: readonly string[];
  /** Who signed it, and whom it names: equal if it is self-signed. Empty if it does not say. */
  readonly issuer: string;
  readonly subject: string;
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly validFrom: number;
  readonly validTo: number;
  /** Why a client does not trust it: OpenSSL's or Node's code, such as CERT_HAS_EXPIRED. Absent if a client does. */
  readonly distrust?: string;
}

// -------------------------------------------------------------------------------------------------------- server

export interface Server {
  /** Listens until `close`. Port 0 picks a free one. A port that is in use or not permitted is a `ListenFault`. */
  listen(at: ListenOptions, handler: RequestHandler): Promise<Listening | ListenFault>;
}

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** Serves https with this certificate and key, both PEM. */
  readonly tls?: { readonly key: string; readonly certificate: string };
  /** A client that half-closes its connection after its requests still gets the responses. */
  readonly halfOpen?: boolean;
  /**
   * Responds with 503 wherever Node or this server would by itself respond with a 4xx other than 408, because the client takes a
   * 4xx for final: what is no HTTP, headers that are too long, CONNECT. A request without Host, or that expects something
   * unknown, goes to the handler like any other.
   */
  readonly never4xx?: boolean;
  /**
   * Hears of what this server ends by itself, and with which status: 0 if the connection broke in the midst of a request. `busy`:
   * there are too many connections; `silent`: one on which nothing has come made room for another; `ending`: see `refuse`. Must not throw.
   */
  readonly onOwnResponse?: (status: number, why: 'malformed' | 'busy' | 'silent' | 'ending') => void;
  readonly limits?: Partial<ServerLimits>;
  /**
   * What this server responds by itself has this body, by its status; without it, none. What Node would respond to a request
   * without Host, or that expects something unknown, is left to the handler.
   */
  readonly ownBody?: (status: number) => { readonly contentType: string; readonly body: string };
}

export interface ServerLimits {
  /** Until the headers of a request are complete; then 408. */
  readonly headersMs: number;
  /** Until the request is complete; then 408. */
  readonly requestMs: number;
  /** How long a connection without a request stays open. */
  readonly keepAliveMs: number;
  /**
   * A further one ends the oldest on which nothing has come for a while; otherwise the idle ones, or the one whose request arrives most slowly. If
   * there are none, it gets 503 and is closed. No limit by default.
   */
  readonly connections: number;
  /** A request of which less than 1 kB has come for so long gets 408. Only with a limit of `connections`. No limit by default. */
  readonly stallMs?: number;
  /** Of the request line and the headers together; more get 431. By default Node's own limit, 16 KB. */
  readonly headerBytes?: number;
}

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

export interface Listening {
  readonly host: string;
  readonly port: number;
  /** Accepts no new connections and frees the port. Each open one ends with its next response, which says so. */
  stopAccepting(): void;
  /** After that: a request that begins from now on gets 503. */
  refuse(): void;
  /** Resolves once each request that has begun has its response, or is gone. */
  idle(): Promise<void>;
  /** Ends every open connection too; resolves when the port is free again. */
  close(): Promise<void>;
}

export interface ListenFault {
  /** `no-address`: this machine has no such address. */
  readonly fault: 'in-use' | 'not-allowed' | 'no-address' | 'failed';
  readonly detail: string;
}

// ---------------------------------------------------------------------------------------------------------- nats

/** NATS JetStream: streams of messages that several servers replicate, and consumers that hand them out one by one. */
export interface Nats {
  connect(options: NatsOptions): Promise<NatsConnection | NatsFault>;
}

export interface NatsOptions {
  /** `host:port` of some of the servers; they name the others. */
  readonly servers: readonly string[];
  readonly tls?: NatsTls | undefined;
  readonly credentials?: NatsCredentials | undefined;
  /** Names this process to the servers. */
  readonly name: string;
  /** Until the first connection. A broken one is renewed for as long as it takes. */
  readonly timeoutMs: number;
}

/** All PEM. Without `ca`, Node's own certificates are trusted. */
export interface NatsTls {
  readonly ca?: string | undefined;
  readonly certificate?: string | undefined;
  readonly key?: string | undefined;
}

export type NatsCredentials =
  /** The text of a .creds file. */
  | {
      readonly kind: 'creds';
      readonly text: string;
      /** As it is now; `undefined` if it is no such file. Never rejects. */
      readAgain(): Promise<string | undefined>;
      hasExpired(text: string): boolean;
    }
  | { readonly kind: 'nkey'; readonly seed: string }
  | { readonly kind: 'user'; readonly user: string; readonly password: string }
  | { readonly kind: 'token'; readonly token: string };

export interface NatsFault {
  readonly fault:
    | 'unreachable' // no server accepts a connection
    | 'not-allowed' // the credentials are missing, wrong or expired, or do not allow this
    | 'no-quorum' // nobody responds for the stream: too few of its servers run, or they choose a leader
    | 'timeout' // the outcome is unknown
    | 'not-found'
    | 'exists' // with other settings
    | 'conflict' // another message came first: see `expectedLast`
    | 'full'
    | 'too-large'
    | 'no-peers' // too few servers for so many replicas
    | 'closed'
    | 'failed';
  readonly detail: string;
}

export interface NatsConnection {
  server(): NatsServer;
  /** Why there is no connection at present; `undefined` if there is one. */
  outage(): string | undefined;
  stream(name: string): Promise<NatsStream | NatsFault>;
  /** The names of all streams. */
  streams(): Promise<readonly string[] | NatsFault>;
  createStream(config: NatsStreamConfig): Promise<object | NatsFault>;
  /** Resolves once the stream has it. Never repeats by itself. */
  publish(
    subject: string,
    payload: Uint8Array,
    options: NatsPublishOptions,
  ): Promise<NatsPublished | NatsFault>;
  /** From the leader of the stream. */
  read(stream: string, which: NatsWhich): Promise<NatsMessage | NatsFault>;
  /** What the stream has, in order, from the nearest copy. Rejects if it cannot be read, with the fault as the cause. */
  readAll(stream: string, options: NatsReadOptions): AsyncIterable<NatsMessage>;
  /** Creates a durable one, or changes its settings. */
  setConsumer(stream: string, config: NatsConsumerConfig): Promise<object | NatsFault>;
  /** The durable ones. Each is asked by itself, so this takes only a quorum. */
  consumers(stream: string): Promise<readonly (NatsConsumer | NatsFault)[] | NatsFault>;
  removeConsumer(stream: string, name: string): Promise<object | NatsFault>;
  /** The next message of the consumer; `undefined` if none came in time. Never rejects. */
  pull(stream: string, consumer: string, waitMs: number): Promise<NatsPulled | NatsFault | undefined>;
  close(): Promise<void>;
}

export interface NatsServer {
  readonly version: string;
  readonly maxPayload: number;
  /** How many servers the cluster has, as far as they can be told apart; 1 without a cluster. */
  readonly servers: number;
}

/** As in the servers' JSON: times are in nanoseconds, and -1 is no limit. */
export interface NatsStreamConfig {
  readonly name: string;
  readonly subjects: readonly string[];
  readonly storage: string;
  readonly num_replicas: number;
  /** 0: no limit. */
  readonly max_age: number;
  readonly duplicate_window: number;
  readonly max_bytes: number;
  /** What happens at the limit: the oldest message goes, or the new one is rejected. */
  readonly discard: string;
  readonly max_msgs_per_subject: number;
  /** Copies may be read. */
  readonly allow_direct: boolean;
  readonly metadata?: Readonly<Record<string, string>>;
}

export interface NatsStream {
  readonly config: NatsStreamConfig & { readonly retention: string };
  readonly state: {
    readonly first_seq: number;
    /** 0 if it never had one. */
    readonly last_seq: number;
    readonly messages: number;
    readonly bytes: number;
  };
  /** A server on its own may have none. */
  readonly cluster?: {
    readonly leader?: string;
    readonly replicas?: readonly {
      readonly name: string;
      /** It has everything. */
      readonly current?: boolean;
      readonly offline?: boolean;
      /** When the leader last heard of it. */
      readonly active: number;
    }[];
  };
}

export interface NatsPublishOptions {
  /** The name of the only stream that may take it. */
  readonly stream: string;
  /** Of two messages with the same id within the duplicate window, the second is not stored. */
  readonly id?: string | undefined;
  /** The sequence number that the last message of this subject must have, 0 for none. Otherwise it is a conflict. */
  readonly expectedLast?: number;
  readonly timeoutMs: number;
}

export interface NatsPublished {
  readonly sequence: number;
  readonly isDuplicate: boolean;
}

export interface NatsReadOptions {
  /** Where to begin: a sequence number, or when a message was stored, in milliseconds since 1970. */
  readonly from: number | { readonly time: number };
  /** By default all. */
  readonly subject?: string;
}

export type NatsWhich =
  | { readonly seq: number }
  /** The last one of this subject. */
  | { readonly last_by_subj: string }
  /** The first one of this subject with this sequence number or a higher one, or not before this time. */
  | { readonly next_by_subj: string; readonly seq: number }
  | { readonly next_by_subj: string; readonly start_time: string };

export interface NatsMessage {
  readonly sequence: number;
  readonly subject: string;
  /** When the stream stored it, in milliseconds since 1970, by the clock of a server. */
  readonly time: number;
  readonly payload: Uint8Array;
}

export interface NatsPulled extends NatsMessage {
  /** How often it was handed out before: to a process that has put it back, has not acknowledged it in time, or is gone. */
  readonly earlier: number;
  /** The consumer hands out the next one. Resolves once the server has confirmed it, or does not. */
  ack(): Promise<void>;
  /** Hands it out again later. */
  putBack(delayMs: number): void;
  /** Restarts the wait for its acknowledgement: it is still being worked on. */
  keep(): void;
}

export interface NatsConsumerConfig {
  readonly name: string;
  readonly durable_name: string;
  readonly description?: string;
  readonly filter_subject: string;
  readonly ack_policy: string;
  readonly ack_wait: number;
  readonly max_ack_pending: number;
  readonly max_deliver?: number;
  readonly max_waiting: number;
  readonly deliver_policy: string;
  readonly opt_start_seq?: number;
}

export interface NatsConsumer {
  readonly name: string;
  readonly config: NatsConsumerConfig;
  /** Everything up to this sequence number of the stream is acknowledged. */
  readonly ack_floor: { readonly stream_seq: number };
  readonly num_pending: number;
  readonly num_ack_pending: number;
}

// ------------------------------------------------------------------------------------------------------ keychain

/** The operating system's store of secrets, never a volatile substitute. */
export interface Keychain {
  read(service: string, account: string): Promise<{ readonly secret: string | undefined } | KeychainFault>;
  write(
    service: string,
    account: string,
    secret: string,
  ): Promise<{ readonly written: true } | KeychainFault>;
  /** Removing a missing item is not a fault. */
  remove(service: string, account: string): Promise<{ readonly removed: boolean } | KeychainFault>;
}

export interface KeychainFault {
  readonly fault:
    | 'missing' // this machine or session has no keychain
    | 'locked' // it is locked, and wm cannot prompt, or the user declined
    | 'timeout' // no response to a prompt
    | 'too-large' // larger than an item of this keychain can be
    | 'failed';
  readonly detail: string;
}

// ------------------------------------------------------------------------------------------- browser, clock, files

export interface Browser {
  /** False if no browser started. */
  open(url: string): Promise<boolean>;
}

export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
  /** Milliseconds since about the start of the machine, the same for all its processes: a clock that cannot be set. */
  monotonic(): number;
  /**
   * A time limit, after which something counts as lost: it keeps the process alive until it ends or is cancelled. It starts
   * again after a freeze (a stopped process, a machine that slept). Events that are ready at its end run before `onEnd`.
   */
  limit(milliseconds: number, onEnd?: () => void): TimeLimit;
  /** Runs once, later; the returned function cancels it. A pending call does not keep the process alive by itself. */
  after(milliseconds: number, run: () => void): () => void;
  /** Resolves later, or at once when the signal aborts. Keeps the process alive. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Resolves after everything else that is ready now. */
  nextTurn(): Promise<void>;
}

/** A random number, at least 0 and less than 1. For delays and for keys that only have to differ, not for secrets: those come from node:crypto. */
export type Random = () => number;

export interface TimeLimit {
  /** Milliseconds; 0 after it ended or was cancelled. */
  leftMs(): number;
  /** From now on, `onEnd` never runs. */
  cancel(): void;
}

export interface Files {
  /** The folder for settings: WM_CONFIG_DIR, or the platform's usual place. */
  readonly configFolder: string;
  /** The same for every path that leads to configFolder, through links or in another spelling. */
  readonly realConfigFolder: string;
  /** True if configFolder is the platform's usual place in the home folder that the environment names. */
  readonly isDefaultConfigFolder: boolean;
  /** True if that home folder is the one of the user's account: HOME was not set to another. */
  readonly isAccountHome: boolean;
  readonly currentFolder: string;
  /** The folder for records of past commands: in WM_CONFIG_DIR, or the platform's usual place for state. */
  readonly stateFolder: string;
  /**
   * `undefined` if there is no such file. Throws on other errors, if it is not a regular file, or if it is larger than
   * `maxBytes`: a pipe or a huge file that another user put there must not block us or fill our memory.
   */
  read(path: string, options?: { readonly maxBytes: number }): Promise<Uint8Array | undefined>;
  /** Writes all or nothing, synced; creates the parent folders with mode 0700. `keepsMode`: an old file keeps its own mode. */
  write(
    path: string,
    content: string | Uint8Array,
    options: { readonly mode: number; readonly keepsMode?: true },
  ): Promise<void>;
  /**
   * Reserves the disk space that `write` would need for this many bytes. The caller holds a lock, so that no other process
   * reserves space for this path until the reservation is written or released.
   */
  reserve(path: string, options: { readonly mode: number; readonly bytes: number }): Promise<Reservation>;
  /**
   * Files next to this one that were meant to replace it, of processes that were killed or are still writing. A reserved file
   * ends in `.reserved`; it contains the content (perhaps followed by spaces), a part of the content, or only spaces.
   */
  leftovers(path: string): Promise<readonly string[]>;
  /** Removes the leftovers of `path`. Never fails: the next call removes what is left. The caller holds the lock of `path`. */
  removeLeftovers(path: string): Promise<void>;
  /** Replaces `path` with the file `from` of the same folder, synced to disk. */
  moveIntoPlace(from: string, path: string): Promise<void>;
  /** The bytes of a file of any size, a pipe or a device, in chunks; `undefined` if there is no such file. */
  stream(path: string): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** Opens a file to append to. Creates it, and its parent folders with mode 0700. `truncate` discards what it contained. */
  append(path: string, options: { readonly mode: number; readonly truncate?: boolean }): Promise<AppendFile>;
  /** Opens a regular file for reading at any position; `undefined` if there is none. */
  openForReading(path: string): Promise<ReadFile | undefined>;
  /**
   * Resolves when the names of the files in the folder are on the disk, as after one was created; rejects if they may not be.
   * Does nothing where folders cannot be synced: on Windows, and on some network file systems.
   */
  syncFolder(folder: string): Promise<void>;
  /**
   * Opens one of the files of a folder to append lines to it; `chooseName` is told the names that are there. Creates the
   * file, and the folders with mode 0700, if they are missing.
   */
  openLog(
    folder: string,
    chooseName: (names: readonly string[]) => string,
    options: { readonly mode: number },
  ): Promise<LogFile>;
  /** Whether both paths lead to the same file, or, if neither exists yet, whether writing to them would create one file. */
  isSameFile(one: string, other: string): Promise<boolean>;
  /** What the path leads to, following links; `undefined` if there is nothing. */
  kind(path: string): Promise<'file' | 'folder' | 'pipe' | 'other' | undefined>;
  /** The path with its links resolved: to the file, or, if there is none, to where writing would create it. */
  realPath(path: string): Promise<string>;
  /** Another text once the file was replaced; `undefined` if there is none. */
  version(path: string): Promise<string | undefined>;
  /** In bytes; 0 if there is no file. */
  size(path: string): Promise<number>;
  /** How many bytes its disk still takes; `undefined` if that cannot be known. */
  freeBytes(path: string): Promise<number | undefined>;
  /** The number of hard links to the file; 0 if there is no file. */
  linkCount(path: string): Promise<number>;
  /**
   * Why users other than this one and root could change what is at the path. `undefined` if they could not, if there is
   * nothing, and on Windows. `includeParents` checks the folders above too.
   */
  unsafePermissions(
    path: string,
    options: { readonly includeParents: boolean },
  ): Promise<UnsafePermissions | undefined>;
  /** Whether users other than this one and root may read the file. False if there is none, and on Windows. */
  isReadableByOthers(path: string): Promise<boolean>;
  /** Takes all access to the file or folder from other users. Does nothing on Windows. */
  makePrivate(path: string): Promise<void>;
  /** The names in a folder; none if there is no such folder. */
  list(folder: string): Promise<readonly string[]>;
  /** True if there was one. */
  remove(path: string): Promise<boolean>;
  /** A new empty file without a name: it disappears however this process ends. */
  openScratchFile(): Promise<ScratchFile>;
  /** A new empty folder for this process only. */
  makeTemporaryFolder(prefix: string): Promise<string>;
  removeFolder(path: string): Promise<void>;
}

/** Disk space reserved for a file. */
export interface Reservation {
  /** As `Files.write`. If it throws, the caller may retry: until `release`, the reserved file stays. */
  write(content: string | Uint8Array): Promise<void>;
  /** Removes the reserved file, unless it has replaced the old one. */
  release(): Promise<void>;
}

export interface ScratchFile {
  /** Appends. */
  write(bytes: Uint8Array): void;
  /** What was written so far, from the beginning, in chunks. Can be called repeatedly. */
  stream(): AsyncIterable<Uint8Array>;
  /** Frees the disk space. */
  close(): Promise<void>;
}

/** The path belongs to another user, or other users can write to it. `user` is the uid of this process. */
export type UnsafePermissions =
  | { readonly path: string; readonly owner: number; readonly user: number }
  | { readonly path: string; readonly mode: number; readonly user: number };

export interface AppendFile {
  /** Its size in bytes when it was opened. */
  readonly size: number;
  /**
   * When this returns, the system has accepted all bytes: they survive this process, but not yet a crash of the machine. If
   * it throws (a full disk), the file ends where it ended before.
   */
  write(content: string | Uint8Array): void;
  /** Cuts off what follows after this many bytes, if anything does. Only for a file that no other process appends to. */
  truncate(length: number): void;
  /** Resolves when everything written before is on the disk. */
  sync(): Promise<void>;
  /**
   * `moved`: its path no longer leads to it, so nothing that is written to it will be found. `cut`: it is shorter than what was
   * written, which another process has cut off. Only for a file that no other process appends to. Throws the system's own error.
   */
  findLoss(): FileLoss | undefined;
  close(): Promise<void>;
}

export interface FileLoss {
  readonly kind: 'moved' | 'cut';
  /** Its size now. */
  readonly bytes: number;
}

/** A file that is read in any order, also while it grows. */
export interface ReadFile {
  /** In bytes, at present. */
  size(): Promise<number>;
  /** What is there, at most `length` bytes: fewer only at the end of the file. */
  read(position: number, length: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** Several processes may have it open at once. */
export interface LogFile {
  readonly name: string;
  /** True if it was empty when it was opened. */
  readonly isNew: boolean;
  /**
   * When this returns, the line survives this process, but not yet a crash of the machine. It goes to the end of the file as
   * it is then, in one piece. If it throws (a full disk), a part of the line may be in the file, followed by no other line.
   */
  write(line: string): void;
  close(): void;
}

export interface Lock {
  /**
   * Waits for the kernel's lock on a file that is never deleted. The kernel releases it when the process ends.
   * `undefined` if the lock was not free in time.
   */
  acquire(path: string, options: LockOptions): Promise<HeldLock | undefined>;
  /** The holder, as it wrote itself into the file; `undefined` if the file does not say. Safe to print. */
  holder(path: string): Promise<LockHolder | undefined>;
  /** Whether a process holds it: one that was killed stays written in the file. Writes nothing, and takes the lock for a moment at most. */
  isHeld(path: string): Promise<boolean>;
  /** The lock on `path` that this process inherited with this descriptor. */
  adopt(descriptor: number, path: string): HeldLock;
}

export interface LockOptions {
  /** Time to wait; 0 tries once. */
  readonly timeoutMs: number;
  /** Time to wait instead while the holder shows a prompt to its user. */
  readonly promptTimeoutMs?: number;
  /** What its holder is doing, for messages: `using the sign-in default`. */
  readonly activity?: string;
  /** Called once, after a wait of three seconds. */
  readonly onWait?: (holder: LockHolder | undefined) => void;
}

export interface LockHolder {
  readonly pid: number;
  /** It is waiting for its user to respond to the prompt of a locked keychain. */
  readonly isPrompting: boolean;
  /** The shell command that continues it if it was stopped; `undefined` on Windows. */
  readonly continueCommand: string | undefined;
}

export interface HeldLock {
  /** Identifies the lock file. If two processes hold the lock of one path, the first one's file was deleted meanwhile. */
  readonly id: string;
  /** False after its file was deleted or replaced: then another process may hold a lock of the same path. */
  isInPlace(): Promise<boolean>;
  release(): Promise<void>;
  /** The descriptor of the lock file; `undefined` on Windows, where a lock belongs to a process. */
  readonly descriptor: number | undefined;
  /** Closes our descriptor and leaves the lock to the process `to`, which has inherited it. */
  handOverTo(to: number | undefined): Promise<void>;
}

// ------------------------------------------------------------------------------------------------------- streams

export interface Streams {
  readonly input: Input;
  readonly output: Output;
  readonly errors: Output;
}

export interface Input {
  readonly isTerminal: boolean;
  /** Reads to the end; throws a RangeError if there is more than `maxBytes`. */
  readAll(maxBytes: number): Promise<Uint8Array>;
  /** For the prompts; `undefined` if standard input never was a terminal. */
  readonly terminal?: TerminalInput | undefined;
  /** In chunks, if it is not a terminal. */
  readonly raw: NodeJS.ReadableStream;
}

/** The only place that reads the terminal or changes its mode. A closed terminal is not an error. */
export interface TerminalInput {
  /** Takes all that was typed and not taken. `lines`: only whole lines, so that the user can edit the one that they are typing. */
  takePending(options?: { readonly lines?: boolean }): Promise<string>;
  /** Returns type-ahead for a later prompt: the next prompt gets it first. */
  unread(text: string): void;
  /** Calls `hear` with each chunk of whole characters, and `ended` when no more can come, until the returned function is called. */
  listen(hear: (text: string) => void, ended: () => void): () => void;
  /** Raw: key by key, without echo. Otherwise the terminal echoes lines and lets the user edit them. */
  setRaw(raw: boolean): void;
}

export interface Output {
  readonly isTerminal: boolean;
  /** The width of the terminal in cells; `undefined` if it is not a terminal. */
  readonly columns: number | undefined;
  /**
   * Resolves when the system has accepted the bytes, or at once if the reader has gone (`| head -1`). Rejects with an
   * error named UnwritableOutput if it cannot write them: a full disk.
   */
  write(text: string, options?: WriteOptions): Promise<void>;
  /** The reader has gone: writes succeed, but their bytes are lost. */
  readonly isReaderGone?: boolean;
  /** As if the reader had gone, because it does not read: what is still being written is lost. */
  abandon?(): void;
  /** Something may still be under way that must not keep the process. */
  readonly isAbandoned?: boolean;
  readonly raw: NodeJS.WritableStream;
}

export interface WriteOptions {
  /** The user requested a secret: `wm auth token`. Everything else is redacted. */
  readonly showsSecrets?: boolean;
  /** Nothing is left to redact: a record is data, and a value was redacted before it became JSON or a cell. */
  readonly isRedacted?: boolean;
  /**
   * With --jq, if the filter fails on this text: rejects with an error named FilterFailed, and prints none of its results.
   * Otherwise that is reported once the command has ended.
   */
  readonly rejectsFilterFailure?: boolean;
}

// ----------------------------------------------------------------------------------------------------- processes

export interface Processes {
  readonly platform: NodeJS.Platform;
  /** `v20.19.0` */
  readonly nodeVersion: string;
  /** The number of this process, and the name of the machine that it runs on. */
  readonly pid: number;
  readonly host: string;
  /** How to run this very program again: the first is the command, the rest come before its arguments. */
  readonly self: readonly [string, ...string[]];
  /** Starts a program, found as the shell finds it. If it cannot start, the status is 127 or 126. */
  start(command: readonly [string, ...string[]], options: StartOptions): Child;
  /** Calls the listener on Ctrl-C or termination until the returned function is called. Without a listener the process ends. */
  onInterrupt(listener: (signal: Interruption) => void): () => void;
  /** Calls the listener whenever the process continues after a stop (Ctrl-Z and fg), until the returned function is called. */
  onResume(listener: () => void): () => void;
  /**
   * Whether this process has the terminal that it was started from, if any. The system stops a job in the background (`&`, bg) as soon
   * as it sets the mode of the terminal or reads what was typed.
   */
  isInForeground(): boolean;
  /** From now on, collects garbage sooner: for long work that needs little memory at a time. */
  preferSmallHeap(): Promise<void>;
  /** Stops this process group, as Ctrl-Z does; returns when it continues. Does nothing on Windows. */
  suspend(): void;
  /** The disk does not respond to what was asked of it. An ordinary exit would wait for that, so the process ends by a signal. */
  giveUpDisk(): void;
}

export type Interruption = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

export interface StartOptions {
  readonly environment: Environment;
  /** The child's standard streams: ours, or pipes. A piped child reads `input`, then the end of its input. */
  readonly streams: 'inherit' | 'pipe';
  readonly input?: string | Uint8Array;
  /** Survives our end, Ctrl-C and the close of the terminal. */
  readonly detached?: true;
  /**
   * Has a process group of its own, with all that it starts: `kill` reaches every one of them, and Ctrl-C at the terminal none. On
   * Windows `kill` ends the tree of its processes.
   */
  readonly ownGroup?: true;
  /** Open files that the child gets as its descriptors 3, 4... */
  readonly inherits?: readonly number[];
  /** Captured text as it arrives, in whole UTF-8 characters. */
  readonly onOutput?: (text: string) => void;
  readonly onErrors?: (text: string) => void;
}

export interface Child {
  /** Resolves when the child runs and has its descriptors, or when it failed to start. */
  readonly started: Promise<void>;
  /**
   * The exit status, or 128 plus the number of the signal, as in a shell. Resolves once its output has ended too, which others
   * may still have open that it started.
   */
  readonly ended: Promise<number>;
  /** The same, once it has ended itself and what it printed was read, whoever has its output open. */
  readonly exited: Promise<number>;
  /** `undefined` before the child has started, or if it failed to start. */
  pid(): number | undefined;
  /** Lets it continue without this process: no wait, no more events. */
  detach(): void;
  /** After `exited`: keeps this process no longer than that. Whoever still prints can, as long as this process runs. */
  release(): void;
  kill(signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL' | 'SIGHUP'): void;
}

// --------------------------------------------------------------------------------------------------------- pager

export interface Pager {
  /** Starts a program on our terminal that reads what `write` gets. `undefined` if it cannot start. */
  start(command: string, environment: Environment): Promise<RunningPager | undefined>;
}

export interface RunningPager {
  /** Resolves when the pipe has taken the text, or at once if nobody reads it any more. */
  write(text: string): Promise<void>;
  /** It reads no more: writes succeed, but their text is lost. It may still be shown. */
  readonly isGone: boolean;
  readonly hasEnded: boolean;
  /** Ends its input and waits for its end. The exit status, or 128 plus the number of the signal. */
  end(): Promise<number>;
  kill(signal: Interruption): void;
}

// ------------------------------------------------------------------------------------------------------------ jq

export interface Jq {
  /**
   * Starts jq with this filter; what is wrong with it, if jq cannot compile it. `self`: `Processes.self`. `variables`: texts, by
   * their names in the filter.
   */
  compile(
    filter: string,
    self: Processes['self'],
    variables: ReadonlyMap<string, string>,
  ): Promise<JqFilter | { readonly invalid: string }>;
}

/** One call of `run` after the other. */
export interface JqFilter {
  /** Any number of JSON documents. Never rejects. */
  run(documents: string): Promise<JqResults>;
  /** Ends it, even within a run. */
  stop(): Promise<void>;
}

export interface JqResults {
  /** Strings as they are, so one may contain line breaks; everything else as JSON in one line. */
  readonly lines: readonly string[];
  /** What the filter wrote to standard error (`debug`, `stderr`). */
  readonly notes: string;
  /** Of the first document for which it failed; it went on with the others. */
  readonly error: string | undefined;
  /** The text was not JSON. */
  readonly isNoJson: boolean;
  /** jq itself failed, whatever the text is; it filters nothing more. */
  readonly hasEnded: boolean;
}
