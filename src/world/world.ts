// Types of the outside world, one interface for each capability. The other files of this folder implement them; tests pass their
// own clock or a faulty network. Expected faults are values: only the caller knows what a lost response means.

import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { Writable } from 'node:stream';

/** Everything outside the program. A function takes only the part that it uses: `Pick<World, 'http' | 'clock'>`. */
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
  /** Returns unpredictable bytes, for secrets and ids: see random-values.ts. */
  readonly randomBytes: (count: number) => Buffer;
  readonly files: Files;
  readonly lock: Lock;
  readonly streams: Streams;
  readonly process: Processes;
  readonly secrets: Secrets;
  readonly jq: Jq;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** What this process must never show, even if a service echoes it or a library puts it into an error. */
export interface Secrets {
  /** Takes effect at once. Ignores secrets of fewer than 8 characters, which would match ordinary words. */
  add(...secrets: readonly (string | undefined)[]): void;
  /** The same for access tokens, refresh tokens and client secrets, which are also redacted in records. */
  addCredentials(...secrets: readonly (string | undefined)[]): void;
  /** Replaces each whole secret in a message, plain or encoded, with `[redacted]`. */
  redact(text: string): string;
  /** Replaces only whole credentials, in a text of a record, which is data. */
  redactCredentials(text: string): string;
}

export interface HttpRequest {
  readonly method: string;
  /** Absolute and encoded. It is sent unchanged. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | StreamedBody;
}

export interface StreamedBody {
  /** In bytes. `open` must give exactly as many. */
  readonly size: number;
  open(): Promise<AsyncIterable<Uint8Array>>;
}

export interface HttpOptions {
  /** From the start of the request to the last byte of the response. Starts again after a freeze. */
  readonly timeoutMs: number;
  /** A longer response is a fault: no server may fill our memory. */
  readonly maxBytes: number;
  /** Cuts a longer body off after `maxBytes` instead, without a fault. */
  readonly cutsLongBody?: true;
  /** Connect to this address instead of the URL's; the Host header and the TLS name stay the URL's. */
  readonly connectTo?: { readonly host: string; readonly port: number };
  /** Decides after name resolution whether to connect to this numeric address. */
  readonly allowAddress?: (address: string) => boolean;
  readonly signal?: AbortSignal;
}

/** A response of any status, including 3xx: wm never follows a redirect. */
export interface HttpResponse {
  readonly status: number;
  /** Names in lower case. A repeated header is joined with ", ". */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

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
  /** False only if the request cannot have left this machine. */
  readonly sent: boolean;
  /** What the system reported, for the user. Never contains a header or a body. */
  readonly detail: string;
  /** The code of OpenSSL or Node for a fault of TLS, such as CERT_HAS_EXPIRED. */
  readonly tlsCode?: string;
  /** Whether waiting may help; absent if the kind of the fault decides. */
  readonly mayPass?: boolean;
  /** Where it was sent, if the sender has noted that. */
  readonly url?: string;
  /** What had arrived of the response. Its body may still be complete. */
  readonly arrived?: HttpResponse;
}

export interface Http {
  send(request: HttpRequest, options: HttpOptions): Promise<HttpResponse | HttpFault>;
  /** Optimises for this many requests at once: slower to start, faster for each request. */
  withConnections?(connections: number): Promise<Http>;
  /** The certificates (PEM) that it trusts besides Node's. */
  readonly certificates?: string;
  /** Also trusts these certificates (PEM). Rejects if the text contains none, or an invalid certificate. */
  withCertificates?(certificates: string): Promise<Http>;
}

/** Examines what a request depends on, and sends none, so it can describe a certificate that `http` rejects. */
export type InspectConnection = (url: string, options: InspectOptions) => Promise<Inspection>;

export interface InspectOptions extends Pick<HttpOptions, 'timeoutMs' | 'connectTo' | 'allowAddress'> {
  /** Trusted besides Node's certificates, as PEM: `Http.certificates`. */
  readonly certificates?: string | undefined;
}

export interface Inspection {
  /** A proxy would connect, so only the addresses are looked up. */
  readonly isProxied: boolean;
  /** The addresses of the host, allowed or not. Empty if it has none, and with `connectTo`. */
  readonly addresses: readonly string[];
  /** Where it failed; absent on success. */
  readonly fault?: InspectionFault;
  /** The server's own certificate, trusted or not; absent for http. */
  readonly certificate?: PeerCertificate;
}

export interface InspectionFault extends Pick<HttpFault, 'fault' | 'detail' | 'tlsCode'> {
  readonly stage: 'name' | 'connection' | 'tls';
}

export interface PeerCertificate {
  readonly names: readonly string[];
  /** Empty if it has none. */
  readonly issuer: string;
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly validFrom: number;
  readonly validTo: number;
  /** The code of OpenSSL or Node for why clients do not trust it, such as CERT_HAS_EXPIRED; absent if they do. */
  readonly distrust?: string;
}

export interface Server {
  /** Listens until `close`. Port 0 picks a free port. A port that is in use or not permitted is a `ListenFault`. */
  listen(options: ListenOptions, handler: RequestHandler): Promise<Listening | ListenFault>;
}

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly tls?: { readonly key: string; readonly certificate: string };
  /** A client that half-closes its connection after its requests still gets their responses. */
  readonly halfOpen?: boolean;
  /** Responds with 503 instead of a 4xx other than 408, and the handler gets requests without Host: the client takes a 4xx for final. */
  readonly never4xx?: boolean;
  /** Gets the status of each response of the server itself; 0 if a connection breaks. `silent`: one without a byte made room. */
  readonly onOwnResponse?: (status: number, why: 'malformed' | 'busy' | 'silent' | 'ending') => void;
  readonly limits?: Partial<ServerLimits>;
  /** The body of the responses that the server itself sends, by status; without it, none. */
  readonly ownBody?: (status: number) => { readonly contentType: string; readonly body: string };
}

export interface ServerLimits {
  /** Until the headers of a request are complete; then 408. */
  readonly headersMs: number;
  /** Until the request is complete; then 408. */
  readonly requestMs: number;
  /** How long a connection without a request stays open. */
  readonly keepAliveMs: number;
  /** A further one replaces the oldest without a byte, an idle or the slowest one; if there is none, it gets 503. No limit by default. */
  readonly connections: number;
  /** A request that brings less than 1 kB in this time gets 408. Needs a limit of `connections`. No limit by default. */
  readonly stallMs?: number;
  /** For the request line and the headers together; a longer head gets 431. By default Node's own limit, 16 KB. */
  readonly headerBytes?: number;
}

export type RequestHandler = (request: ServerRequest, response: ServerResponse) => void;

/** A request to a server, as Node's IncomingMessage; only what handlers use, so that a test can make one. */
export interface ServerRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly httpVersion: string;
  readonly headers: IncomingHttpHeaders;
  readonly headersDistinct: Readonly<Record<string, readonly string[] | undefined>>;
  readonly rawHeaders: readonly string[];
  readonly socket: ServerSocket;
  readonly destroyed: boolean;
  on(event: 'data', listener: (chunk: Buffer) => void): unknown;
  on(event: 'end' | 'close' | 'error', listener: () => void): unknown;
  resume(): ServerRequest;
}

/** What a handler responds with, as Node's ServerResponse. */
export interface ServerResponse {
  readonly req: Pick<ServerRequest, 'method'>;
  /** `null` until the earlier responses on the connection are written. */
  readonly socket: ServerSocket | null;
  readonly statusCode: number;
  readonly headersSent: boolean;
  readonly destroyed: boolean;
  readonly writableNeedDrain: boolean;
  setHeader(name: string, value: string): unknown;
  writeHead(status: number, headers?: OutgoingHttpHeaders | string[]): ServerResponse;
  write(chunk: string): unknown;
  end(content?: string | Uint8Array, onWritten?: () => void): unknown;
  destroy(): unknown;
  on(event: 'close' | 'drain' | 'error' | 'finish', listener: () => void): unknown;
  once(event: 'close', listener: () => void): unknown;
  once(event: 'socket', listener: (socket: ServerSocket) => void): unknown;
}

export interface ServerSocket {
  readonly remoteAddress?: string | undefined;
  readonly readableEnded: boolean;
  write(bytes: Uint8Array, onWritten: () => void): unknown;
  once(event: 'end', listener: () => void): unknown;
  destroy(): unknown;
}

export interface Listening {
  readonly host: string;
  readonly port: number;
  /** Accepts no new connections, and frees the port. Ends each open connection with its next response, which announces that. */
  stopAccepting(): void;
  /** Use after `stopAccepting`: responds with 503 to every new request. */
  refuse(): void;
  /** Resolves when each request in progress has its response, or its client has gone. */
  idle(): Promise<void>;
  /** Also ends every open connection. Resolves when the port is free again. */
  close(): Promise<void>;
}

export interface ListenFault {
  /** `no-address`: this machine does not have this address. */
  readonly fault: 'in-use' | 'not-allowed' | 'no-address' | 'failed';
  readonly detail: string;
}

/** NATS JetStream: streams of messages that several servers replicate, and consumers that hand the messages out. */
export interface Nats {
  connect(options: NatsOptions): Promise<NatsConnection | NatsFault>;
}

export interface NatsOptions {
  /** `host:port` of some servers; they name the others. */
  readonly servers: readonly string[];
  readonly tls?: NatsTls | undefined;
  readonly credentials: NatsCredentials;
  /** For the first connection. A broken connection is renewed without a limit. */
  readonly timeoutMs: number;
}

/** All as PEM. Without `ca`, trusts Node's own certificates. */
export interface NatsTls {
  readonly ca?: string | undefined;
  readonly certificate?: string | undefined;
  readonly key?: string | undefined;
}

/** One kind of credentials, or none. */
export interface NatsCredentials {
  readonly creds?: {
    /** The text of the .creds file, as it was last read. */
    text(): string;
    /** Keeps the text if it is not a .creds file now. Never rejects. */
    readAgain(): Promise<void>;
    hasExpired(): boolean;
  };
  readonly nkey?: string;
  readonly user?: string;
  readonly pass?: string;
  readonly token?: string;
}

export interface NatsFault {
  readonly fault:
    | 'unreachable' // no server accepts a connection
    | 'not-allowed' // the credentials are missing, wrong or expired, or do not allow this
    | 'no-quorum' // no server responds for the stream: too few are running, or they are electing a leader
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
  /** Why the connection is down; `undefined` if it is not. */
  outage(): string | undefined;
  stream(name: string): Promise<NatsStream | NatsFault>;
  streams(): Promise<readonly string[] | NatsFault>;
  createStream(config: NatsStreamConfig): Promise<object | NatsFault>;
  /** Resolves when the stream has stored the message. Never retries. */
  publish(
    subject: string,
    payload: Uint8Array | string,
    options: NatsPublishOptions,
  ): Promise<NatsPublished | NatsFault>;
  read(stream: string, query: NatsMessageQuery): Promise<NatsMessage | NatsFault>;
  /** Reads up to `most` messages in order, from the nearest copy. It may respond with fewer, or with none. */
  readCopy(stream: string, first: NatsMessageQuery, most: number): AsyncIterable<NatsMessage>;
  setConsumer(stream: string, config: NatsConsumerConfig): Promise<object | NatsFault>;
  /** Returns the durable consumers. Sends a request for each, so this needs only a quorum. */
  consumers(stream: string): Promise<readonly (NatsConsumer | NatsFault)[] | NatsFault>;
  removeConsumer(stream: string, name: string): Promise<object | NatsFault>;
  /** Returns the next message of the consumer; `undefined` if none arrived in time. Never rejects. */
  pull(stream: string, consumer: string, waitMs: number): Promise<NatsPulled | NatsFault | undefined>;
  close(): Promise<void>;
}

interface NatsServer {
  readonly version: string;
  readonly maxPayload: number;
  /** The number of servers in the cluster, as far as they can be told apart; 1 without a cluster. */
  readonly servers: number;
}

/** As in the servers' JSON: times in nanoseconds, and -1 for no limit. */
export interface NatsStreamConfig {
  readonly name: string;
  readonly subjects: readonly string[];
  readonly storage: string;
  readonly num_replicas: number;
  /** 0 for no limit. */
  readonly max_age: number;
  readonly duplicate_window: number;
  readonly max_bytes: number;
  /** What happens at the limit: the oldest message is deleted, or the new one is rejected. */
  readonly discard: string;
  readonly max_msgs_per_subject: number;
  /** Copies may serve reads. */
  readonly allow_direct: boolean;
  readonly metadata?: Readonly<Record<string, string>>;
}

export interface NatsStream {
  readonly created: string;
  readonly config: NatsStreamConfig & { readonly retention: string };
  readonly state: {
    readonly first_seq: number;
    /** 0 if the stream never had a message. */
    readonly last_seq: number;
    readonly messages: number;
    readonly bytes: number;
  };
  /** A single server may have none. */
  readonly cluster?: {
    readonly leader?: string;
    readonly replicas?: readonly {
      readonly name: string;
      /** Whether the replica has every message. */
      readonly current?: boolean;
      readonly offline?: boolean;
      /** The time since the leader last heard from it. */
      readonly active: number;
    }[];
  };
}

export interface NatsPublishOptions {
  /** The only stream that may store the message. */
  readonly stream: string;
  /** If two messages within the duplicate window have the same id, the stream stores only the first. */
  readonly id?: string | undefined;
  /** The sequence number of the last message with this subject, 0 for none. If it differs, the fault is `conflict`. */
  readonly expectedLast?: number;
  readonly timeoutMs: number;
}

export interface NatsPublished {
  readonly sequence: number;
  readonly isDuplicate: boolean;
}

export type NatsMessageQuery =
  | { readonly seq: number }
  | { readonly last_by_subj: string }
  /** The first message with this subject from this sequence number or time on. */
  | { readonly next_by_subj: string; readonly seq: number }
  | { readonly next_by_subj: string; readonly start_time: string };

export interface NatsMessage {
  readonly sequence: number;
  readonly subject: string;
  /** When the stream stored it, by a server's clock, in milliseconds since 1970. */
  readonly time: number;
  readonly payload: Uint8Array;
}

export interface NatsPulled extends NatsMessage {
  /** How often it was delivered before, to a process that put it back, did not acknowledge it in time, or has gone. */
  readonly earlierDeliveries: number;
  /** Lets the consumer continue with the next message. Resolves when the server has confirmed it, or does not. */
  ack(): Promise<void>;
  putBack(delayMs: number): void;
  /** Restarts the time limit for `ack`: the receiver is still working on it. */
  keep(): void;
}

interface NatsConsumerConfig {
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
  /** Every message up to this sequence number of the stream is acknowledged. */
  readonly ack_floor: { readonly stream_seq: number };
  readonly num_pending: number;
  readonly num_ack_pending: number;
}

/** The operating system's store of secrets. Never a substitute that forgets. */
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
  /** The user declined a prompt, or left it unanswered. */
  readonly isDeclined?: true;
}

export interface Browser {
  open(url: string): Promise<boolean>;
}

export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
  /** Milliseconds since about the start of the machine, equal in all its processes. Setting the time does not change it. */
  monotonic(): number;
  /** Keeps the process alive. Restarts after a freeze, such as a stopped process. Events that are ready at its end run before `onEnd`. */
  limit(milliseconds: number, onEnd?: () => void): TimeLimit;
  /** Runs once, later. The returned function cancels it. Does not keep the process alive. */
  after(milliseconds: number, run: () => void): () => void;
  /** Resolves later, or at once when the signal aborts. Keeps the process alive. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Resolves after everything else that is ready now. */
  nextTurn(): Promise<void>;
}

/** Returns a number from 0 to less than 1, for delays. */
export type Random = () => number;

export interface TimeLimit {
  /** Milliseconds; 0 after it has ended or was cancelled. */
  remainingMs(): number;
  cancel(): void;
}

export interface Files {
  /** The folder for settings: WM_CONFIG_DIR, or the platform's usual place. */
  readonly configFolder: string;
  /** The same text for every path that leads to configFolder, through links or in another spelling. */
  readonly realConfigFolder: string;
  /** True if configFolder is the platform's usual place in the environment's home folder. */
  readonly isDefaultConfigFolder: boolean;
  /** True if HOME is the home folder of the user's account. */
  readonly isAccountHome: boolean;
  readonly currentFolder: string;
  /** Another text after each start of the machine: everything written since then is still in its file. Undefined if unknown. */
  bootId(): string | undefined;
  /** The folder for records of past commands: in WM_CONFIG_DIR, or the platform's usual place. */
  readonly stateFolder: string;
  /** `undefined` if it does not exist. Throws for a pipe or a file above `maxBytes`: another user's must not block us or fill our memory. */
  read(path: string, options?: { readonly maxBytes: number }): Promise<Uint8Array | undefined>;
  /** Writes and syncs all or nothing. Creates missing folders with mode 0700. `keepsMode`: an old file keeps its mode. */
  write(
    path: string,
    content: string | Uint8Array | AsyncIterable<Uint8Array>,
    options: { readonly mode: number; readonly keepsMode?: true },
  ): Promise<void>;
  /** Writes in place, and syncs, what the file already holds, or the beginning of that: the rest is cut off. */
  overwrite(path: string, content: Uint8Array): Promise<void>;
  /**
   * Reserves the disk space for a `write` of this many bytes. The caller holds a lock, so that no other process reserves space for
   * this path before the reservation is written or released.
   */
  reserve(path: string, options: { readonly mode: number; readonly bytes: number }): Promise<Reservation>;
  /** Files that were meant to replace this one. A `.reserved` one has the content (perhaps with spaces after it), a part, or spaces. */
  leftovers(path: string): Promise<readonly string[]>;
  /** Removes the leftovers of `path`. Never fails: the next call retries. The caller holds the lock of `path`. */
  removeLeftovers(path: string): Promise<void>;
  /** Replaces `path` with the file `from` of the same folder, synced to disk. */
  moveIntoPlace(from: string, path: string): Promise<void>;
  /** Reads a file of any size, a pipe or a device in chunks. Returns `undefined` if it does not exist. `start`: of a file, in bytes. */
  stream(path: string, start?: number): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** Opens a file to append to. Creates it, and missing folders with mode 0700. `truncate` removes its old content. */
  append(path: string, options: { readonly mode: number; readonly truncate?: boolean }): Promise<AppendFile>;
  /** Opens a regular file to read at any position. Returns `undefined` if there is none. */
  openForReading(path: string): Promise<ReadFile | undefined>;
  /**
   * Resolves when the file names in the folder are on the disk; rejects if they may not be. Does nothing where folders cannot be
   * synced: on Windows, and on some network file systems.
   */
  syncFolder(folder: string): Promise<void>;
  /**
   * Appends a line to one of a folder's files, and returns whether that was empty. When it resolves, the line is in the file in one
   * piece: it survives this process, but not yet a crash of the machine. If it rejects (a full disk), the file may end with a part of
   * it. `name`: may depend on the existing names. Creates the file, which only the user may read, and missing folders with mode 0700.
   */
  appendLine(
    folder: string,
    name: string | ((names: readonly string[]) => string),
    line: string,
  ): Promise<boolean>;
  /** Whether both paths lead to the same file, or would if neither exists yet and a file was written there. */
  isSameFile(firstPath: string, secondPath: string): Promise<boolean>;
  /** What the path leads to, through links; `undefined` if nothing exists there. */
  kind(path: string): Promise<'file' | 'folder' | 'pipe' | 'other' | undefined>;
  /** Resolves the links of the path: to the file, or to where writing would create it. */
  realPath(path: string): Promise<string>;
  /** Returns a text that changes when the file is replaced; `undefined` if there is none. */
  version(path: string): Promise<string | undefined>;
  /** In bytes; 0 if the file does not exist. */
  size(path: string): Promise<number>;
  /** The free bytes on its disk; `undefined` if unknown. */
  freeBytes(path: string): Promise<number | undefined>;
  /** The number of hard links to the file; 0 if the file does not exist. */
  linkCount(path: string): Promise<number>;
  /** Why users other than this user and root could change it; `undefined` on Windows. `includeParents` also checks the folders above. */
  unsafePermissions(
    path: string,
    options: { readonly includeParents: boolean },
  ): Promise<UnsafePermissions | undefined>;
  /** Whether users other than this user and root may read the file. False if it does not exist, and on Windows. */
  isReadableByOthers(path: string): Promise<boolean>;
  /** Removes all access of other users to the file or folder. Does nothing on Windows. */
  makePrivate(path: string): Promise<void>;
  /** The names in a folder; none if it does not exist. */
  list(folder: string): Promise<readonly string[]>;
  remove(path: string): Promise<boolean>;
  /** Opens a new empty file without a name. It disappears however this process ends. */
  openScratchFile(): Promise<ScratchFile>;
  /** Makes a new empty folder for this process only. */
  makeTemporaryFolder(prefix: string): Promise<string>;
  removeFolder(path: string): Promise<void>;
}

export interface Reservation {
  /** Writes like `Files.write`. The caller may retry if it throws: the space stays reserved until `release`. */
  write(content: string | Uint8Array): Promise<void>;
  /** Removes the reserved file, unless it has replaced the old one. */
  release(): Promise<void>;
}

export interface ScratchFile {
  write(bytes: Uint8Array): void;
  /** Reads everything written so far, in chunks. Can be called again. */
  stream(): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** The path belongs to another user, other users can write to it, or it is a device or a pipe. `user` is the uid of this process. */
export type UnsafePermissions =
  | { readonly path: string; readonly owner: number; readonly user: number }
  | { readonly path: string; readonly mode: number; readonly user: number }
  | { readonly path: string; readonly isDevice: true };

export interface AppendFile {
  /** Its size in bytes when it was opened. */
  readonly size: number;
  /** The bytes survive this process, but not yet a crash of the machine. If it throws (a full disk), the file ends where it did before. */
  write(content: string | Uint8Array): void;
  /** Cuts off everything after this many bytes. Only for a file that no other process appends to. */
  truncate(length: number): void;
  /** Resolves when everything written so far is on the disk. */
  sync(): Promise<void>;
  /**
   * Reports `moved` if the path no longer leads to the file, so that further lines would be lost, or `cut` if another process has
   * shortened it. Only for a file that no other process appends to. Throws the system's own error.
   */
  findLoss(): FileLoss | undefined;
  close(): Promise<void>;
}

export interface FileLoss {
  readonly kind: 'moved' | 'cut';
  readonly bytes: number;
}

/** A file to read at any position, even while it grows. */
export interface ReadFile {
  /** Reads at most `length` bytes; fewer only at the end of the file. */
  read(position: number, length: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

export interface Lock {
  /** Waits for the kernel's lock on a file that is never deleted. `undefined` if it was not free in time. */
  acquire(path: string, options: LockOptions): Promise<HeldLock | undefined>;
  /** The holder, as it wrote into the file; `undefined` if the file names none. Safe to print. */
  holder(path: string): Promise<LockHolder | undefined>;
  /** Whether a process holds the lock, not merely its pid in the file. Writes nothing, and takes the lock only for a moment. */
  isHeld(path: string): Promise<boolean>;
  /** Returns the lock on `path` that this process inherited with this descriptor. */
  adopt(descriptor: number, path: string): Promise<HeldLock>;
}

export interface LockOptions {
  /** How long to wait; 0 tries once. */
  readonly timeoutMs: number;
  /** How long to wait instead while the holder shows a prompt. */
  readonly promptTimeoutMs?: number;
  /** What the holder is doing, for messages: `using the sign-in default`. */
  readonly activity?: string;
  /** Called once, after three seconds of waiting. */
  readonly onWait?: (holder: LockHolder | undefined) => void;
}

export interface LockHolder {
  readonly pid: number;
  /** The holder waits for its user at the prompt of a locked keychain. */
  readonly isPrompting: boolean;
  /** The shell command that continues the holder if it was stopped; `undefined` on Windows. */
  readonly continueCommand: string | undefined;
}

export interface HeldLock {
  /** Identifies the lock file. If two processes hold the lock of one path, the first lock file was deleted. */
  readonly id: string;
  /** False if the lock file was deleted or replaced: then another process may hold a lock of the same path. */
  isInPlace(): Promise<boolean>;
  release(): Promise<void>;
  /** The descriptor of the lock file; `undefined` on Windows, where a lock belongs to a process. */
  readonly descriptor: number | undefined;
  /** Closes our descriptor and leaves the lock to the process `pid`, which has inherited it. */
  handOverTo(pid: number | undefined): Promise<void>;
}

export interface Streams {
  readonly input: Input;
  readonly output: Output;
  readonly errors: Output;
  /** Returns a text with its commands as the user has to type them, if not as `wm`. */
  readonly asTyped?: (text: string) => string;
}

export interface Input {
  readonly isTerminal: boolean;
  /** Reads to the end. Throws a RangeError for more than `maxBytes`. */
  readAll(maxBytes: number): Promise<Uint8Array>;
  /** For the prompts; `undefined` if standard input was not a terminal at the start. */
  readonly terminal?: TerminalInput | undefined;
  /** Chunks of an input that is not a terminal. */
  readonly raw: NodeJS.ReadableStream;
}

/** The only place that reads the terminal or changes its mode. A closed terminal is not an error. */
export interface TerminalInput {
  /** Takes what the user has typed. `lines`: only whole lines, so that the user can still edit the current one. */
  takePending(options?: { readonly lines?: boolean }): Promise<string>;
  /** Returns type-ahead: the next prompt gets it first. */
  unread(text: string): void;
  /** Calls `onText` with each chunk of whole characters, and `onEnd` at the end of input, until the returned function is called. */
  listen(onText: (text: string) => void, onEnd: () => void): () => void;
  /** Raw: key by key, without echo. Otherwise the terminal echoes lines and lets the user edit them. */
  setRaw(raw: boolean): void;
}

export interface Output {
  readonly isTerminal: boolean;
  /** The width of the terminal in cells; `undefined` if it is not a terminal. */
  readonly columns: number | undefined;
  /**
   * Resolves when the system has the bytes, or at once if the reader has gone (`| head -1`). Rejects with an error named UnwritableOutput
   * if it cannot write them, as on a full disk. Bytes go out as they are: never to a terminal, which they could control.
   */
  write(data: string | Uint8Array, options?: WriteOptions): Promise<void>;
  /** The reader has gone: writes succeed, but their bytes are lost. */
  readonly isReaderGone?: boolean;
  /** Gives up on a reader that does not read. Pending writes are lost. */
  abandon?(): void;
  /** A write may still be pending. It must not keep the process alive. */
  readonly isAbandoned?: boolean;
  readonly raw: NodeJS.WritableStream;
}

export interface WriteOptions {
  /** The user requested a secret: `wm auth token`. Everything else is redacted. */
  readonly showsSecrets?: boolean;
  /** The text is a record, or was redacted before it became JSON or a cell. */
  readonly isRedacted?: boolean;
  /** If --jq fails on this text, rejects with an error named FilterFailed; otherwise the error is reported at the end of the command. */
  readonly rejectsFilterFailure?: boolean;
  /** A part of a JSON list: `[` and its first elements, `,` and further ones, or its end. */
  readonly isPartOfList?: boolean;
}

export interface Processes {
  readonly platform: NodeJS.Platform;
  readonly nodeVersion: string;
  /** The id of this process, and the name of its machine. */
  readonly pid: number;
  readonly host: string;
  /** How to run this program again: the command, and what precedes its arguments. */
  readonly self: readonly [string, ...string[]];
  /** Whether the argument has the bytes of the text; undefined if the system does not show them. `index`: -1 is the last one. */
  holdsArgument(text: string, index: number): boolean | undefined;
  /** Starts a program, which it finds as the shell does. The status is 127 or 126 if it cannot start. */
  start(command: readonly [string, ...string[]], options: StartOptions): Child;
  /** Calls the listener on Ctrl-C or termination until the returned function is called. Without a listener, the process ends. */
  onInterrupt(listener: (signal: Interruption) => void): () => void;
  /** SIGHUP only calls the listener, and neither ends the process nor is an interruption, until the returned function is called. */
  ignoreHangup(listener: () => void): () => void;
  /** Calls the listener when the process continues after a stop (Ctrl-Z and fg), until the returned function is called. */
  onResume(listener: () => void): () => void;
  /** Whether this process controls its terminal, if it has one: the system stops a background job that reads it or sets its mode. */
  isInForeground(): boolean;
  /** Collects garbage sooner from now on, for long work that needs little memory at a time. */
  preferSmallHeap(): Promise<void>;
  /** Stops this process group, as Ctrl-Z does, and returns when it continues. Does nothing on Windows. */
  suspend(): void;
  /** Makes the process end by a signal: the disk does not respond, and an ordinary exit would wait for it. */
  giveUpDisk(): void;
}

export type Interruption = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

export interface StartOptions {
  readonly environment: Environment;
  /** Our own standard streams, or pipes: a piped child reads `input`, then the end of its input. `feed`: a pipe only for its input. */
  readonly streams: 'inherit' | 'pipe' | 'feed';
  readonly input?: string | Uint8Array;
  /** The command is one line for the system's shell. */
  readonly shell?: true;
  /** The child survives our end, Ctrl-C and a closed terminal. */
  readonly detached?: true;
  /** Its own process group: `kill` reaches all processes in it, on Windows its tree, and Ctrl-C at the terminal none. */
  readonly ownGroup?: true;
  /** Open files that become descriptors 3, 4... of the child. */
  readonly inherits?: readonly number[];
  /** Called with the output as it arrives, in whole UTF-8 characters. */
  readonly onOutput?: (text: string) => void;
  readonly onErrors?: (text: string) => void;
}

export interface Child {
  /** With `feed`; absent if it could not start. */
  readonly input?: Writable;
  /** The exit status, or 128 plus the signal, as in a shell. Resolves when its output has ended too, which others may keep open. */
  readonly ended: Promise<number>;
  /** The same status, as soon as the child itself has ended and its output was read. */
  readonly exited: Promise<number>;
  pid(): number | undefined;
  /** Lets the child run on without this process: no more waiting and no more events. */
  detach(): void;
  /** Use after `exited`: no longer keeps this process alive. Other processes may still print while this one runs. */
  release(): void;
  kill(signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL' | 'SIGHUP'): void;
}

export interface Jq {
  /** Returns the error if jq cannot compile the filter. `self`: `Processes.self`. `variables`: texts by their names in the filter. */
  compile(
    filter: string,
    self: Processes['self'],
    variables: ReadonlyMap<string, string>,
  ): Promise<JqFilter | { readonly invalid: string }>;
}

/** Await each `run` before the next. */
export interface JqFilter {
  /** Takes any number of JSON documents. Never rejects. */
  run(documents: string): Promise<JqResults>;
  /** Ends jq, even during a run. */
  stop(): Promise<void>;
}

export interface JqResults {
  /** Strings as they are, even with line breaks; every other value as one line of JSON. */
  readonly lines: readonly string[];
  /** What the filter wrote to standard error (`debug`, `stderr`). */
  readonly notes: string;
  /** The error on the first document that failed. The filter continued with the others. */
  readonly error: string | undefined;
  readonly isInvalidJson: boolean;
  /** jq itself failed, and cannot filter any more. */
  readonly hasEnded: boolean;
}
