// The outside world as the program sees it: types only, one interface for each capability. The real ones are this
// folder's other files; tests pass their own clock or a faulty network through the same interfaces. Expected faults
// are values, not exceptions, because only the caller knows what a lost answer or a locked keychain means to it.

import type { IncomingMessage, ServerResponse } from 'node:http';

/** Everything outside the program. A function asks for the part that it uses: `Pick<World, 'http' | 'clock'>`. */
export interface World {
  readonly environment: Environment;
  readonly http: Http;
  readonly server: Server;
  readonly keychain: Keychain;
  readonly browser: Browser;
  readonly clock: Clock;
  readonly random: Random;
  readonly files: Files;
  readonly lock: Lock;
  readonly streams: Streams;
  readonly process: Processes;
  readonly secrets: Secrets;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** What this process must never show, whatever text it stands in: an echo of a service, an error of a library. */
export interface Secrets {
  /** From now on. One of fewer than 8 characters is not looked for: it would be found in every other word. */
  add(...secrets: readonly (string | undefined)[]): void;
  /** The text with `[redacted]` in the place of each secret, encoded ones and the beginnings of cut ones included. */
  redact(text: string): string;
  /** The value as JSON, with secrets taken out of its texts, numbers and names: it stays JSON of the same shape. */
  redactJson(value: unknown, indent?: number): string;
}

// ---------------------------------------------------------------------------------------------------------- http

export interface HttpRequest {
  readonly method: string;
  /** Absolute and already encoded: it goes onto the wire as it stands. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface HttpOptions {
  /** From the first byte of work to the last byte of the answer; a freeze starts it again. */
  readonly timeoutMs: number;
  /** An answer longer than this is a fault, so that no stranger fills our memory. */
  readonly maxBytes: number;
  /** Connect to this address instead of the URL's; the Host header and the TLS name stay the URL's. */
  readonly connectTo?: { readonly host: string; readonly port: number };
  /** Judges the numeric address that is about to be connected to, after the name was resolved. */
  readonly allowAddress?: (address: string) => boolean;
  readonly signal?: AbortSignal;
}

/** An answer of any status, 3xx included: redirects are never followed. */
export interface HttpResponse {
  readonly status: number;
  /** Names in lower case; a repeated header is joined with ", ". */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** No whole answer came. */
export interface HttpFault {
  readonly fault:
    | 'connection-refused' // nothing listens there
    | 'unreachable' // no such name, no route
    | 'tls' // no trusted secure connection
    | 'proxy' // the proxy would not connect us
    | 'address-not-allowed' // allowAddress said no
    | 'timeout'
    | 'reset' // the connection broke
    | 'too-large'
    | 'malformed' // not HTTP
    | 'aborted'; // the caller's signal
  /** False only where it is certain that the request never left this machine. */
  readonly sent: boolean;
  /** What the system said, for a person. Never holds a header or a body. */
  readonly detail: string;
}

export interface Http {
  send(request: HttpRequest, options: HttpOptions): Promise<HttpResponse | HttpFault>;
  /** The same for so many calls at once: it takes longer to start, and less for each call. */
  withConnections?(connections: number): Promise<Http>;
  /** Those that it trusts beside Node's, PEM. */
  readonly certificates?: string;
  /** The same, and it trusts these certificates too (PEM). Rejects where there is none, or a broken one. */
  withCertificates?(certificates: string): Promise<Http>;
}

// -------------------------------------------------------------------------------------------------------- server

export interface Server {
  /** Listens until `close`. Port 0 picks a free one. A port in use, or one not allowed, is a `ListenFault`. */
  listen(at: ListenOptions, handler: RequestHandler): Promise<Listening | ListenFault>;
}

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** Speaks https, and shows this certificate; both are PEM. */
  readonly tls?: { readonly key: string; readonly certificate: string };
  /** A client that closes its end behind its requests still gets their answers. */
  readonly halfOpen?: boolean;
}

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

export interface Listening {
  readonly host: string;
  readonly port: number;
  /** Takes no new connection and frees the port; what is being answered goes on. */
  stopAccepting(): void;
  /** Ends every open connection too; resolves when the port is free again. */
  close(): Promise<void>;
}

export interface ListenFault {
  /** `no-address`: this machine has no such address, so that nobody can listen there. */
  readonly fault: 'in-use' | 'not-allowed' | 'no-address' | 'failed';
  readonly detail: string;
}

// ------------------------------------------------------------------------------------------------------ keychain

/** The operating system's own store of secrets, never a volatile stand-in for it. */
export interface Keychain {
  read(service: string, account: string): Promise<{ readonly secret: string | undefined } | KeychainFault>;
  write(
    service: string,
    account: string,
    secret: string,
  ): Promise<{ readonly written: true } | KeychainFault>;
  /** Removing what is not there is no fault. */
  remove(service: string, account: string): Promise<{ readonly removed: boolean } | KeychainFault>;
}

export interface KeychainFault {
  readonly fault:
    | 'missing' // this machine or session has no keychain
    | 'locked' // it is locked, and nobody can be asked, or the person said no
    | 'timeout' // a prompt that nobody answered
    | 'too-large' // more than an item of this keychain can hold
    | 'failed';
  readonly detail: string;
}

// ------------------------------------------------------------------------------------------- browser, clock, files

export interface Browser {
  /** False where no browser could be started. */
  open(url: string): Promise<boolean>;
}

export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
  /** Milliseconds since the machine started, or some moment near that, the same for all its processes: nobody can set it. */
  monotonic(): number;
  /**
   * A time limit, after which something counts as lost: it keeps the process alive until it ends or is cancelled. A freeze
   * (a stopped process, a machine that slept) starts it again, and whatever is ready by its end is heard before `onEnd`.
   */
  limit(milliseconds: number, onEnd?: () => void): TimeLimit;
  /** Runs once, later; the result cancels it. A pending one does not keep the process alive by itself. */
  after(milliseconds: number, run: () => void): () => void;
  /** Resolves later, or at once when the signal aborts. Keeps the process alive. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Resolves after whatever else is ready by now. */
  nextTurn(): Promise<void>;
}

/** A random number, at least 0 and less than 1. Good for delays and not for secrets: those come from node:crypto. */
export type Random = () => number;

export interface TimeLimit {
  /** Milliseconds; 0 once it has ended or was cancelled. */
  leftMs(): number;
  /** Never ends from here on. */
  cancel(): void;
}

export interface Files {
  /** Where settings are kept: WM_CONFIG_DIR, or the platform's usual place. */
  readonly configFolder: string;
  /** The same for every spelling of configFolder, and every link, that leads to that folder. */
  readonly realConfigFolder: string;
  /** True where configFolder is the platform's usual place in the home folder that the environment names. */
  readonly isDefaultConfigFolder: boolean;
  /** True where that home folder is also the one that the system has for the user: HOME was not set to another. */
  readonly isAccountHome: boolean;
  readonly currentFolder: string;
  /** Where records of what was done are kept: in WM_CONFIG_DIR, or the platform's usual place for state. */
  readonly stateFolder: string;
  /**
   * Nothing where there is no such file. Other trouble throws, and so does what is no plain file, or holds more than
   * `mostBytes`: what a stranger may have put there must not be waited for, or read, without end.
   */
  read(path: string, options?: { readonly maxBytes: number }): Promise<Uint8Array | undefined>;
  /** Whole or not at all, synced to disk; makes the folders above, mode 0700. */
  write(path: string, content: string | Uint8Array, options: { readonly mode: number }): Promise<void>;
  /**
   * Takes the room that `write` would need for so many bytes. Nobody else may do so for this path until it is written or
   * released: the caller holds a lock.
   */
  reserve(path: string, options: { readonly mode: number; readonly bytes: number }): Promise<Reservation>;
  /**
   * Files beside this one that were to take its place: of processes that were killed in between, or are at it just now. What
   * was reserved ends in `.reserved`, and is the content behind which spaces may stand, a part of it, or spaces alone.
   */
  leftovers(path: string): Promise<readonly string[]>;
  /** Removes the leftovers of `path`. Never fails: what stays is removed the next time. The caller holds the lock of `path`. */
  removeLeftovers(path: string): Promise<void>;
  /** Puts the file `from`, which is beside `path`, in its place, synced to disk. */
  moveIntoPlace(from: string, path: string): Promise<void>;
  /** The bytes of a file of any size, of a pipe or of a device, piece by piece; nothing where there is no such file. */
  stream(path: string): Promise<AsyncIterable<Uint8Array> | undefined>;
  /**
   * Opens a file for adding to its end; makes it, and the folders above with mode 0700, where it is missing. `anew`: what
   * was in it is gone.
   */
  append(path: string, options: { readonly mode: number; readonly truncate?: boolean }): Promise<AppendFile>;
  /** Whether both paths lead to the same file, under whatever names; of two that do not exist yet, whether writing would make one. */
  isSameFile(one: string, other: string): Promise<boolean>;
  /** What is there, at the end of its links; nothing where nothing is. */
  kind(path: string): Promise<'file' | 'folder' | 'pipe' | 'other' | undefined>;
  /** The path without links on the way: to the file, or, where there is none, to where writing would make it. */
  realPath(path: string): Promise<string>;
  /** In bytes; 0 where nothing is. */
  size(path: string): Promise<number>;
  /** How many names the file has, hard links counted; 0 where nothing is. */
  linkCount(path: string): Promise<number>;
  /**
   * Why others than this user and root could change what is at the path; nothing where they could not, where nothing is,
   * and on Windows. `above`: the folders above count too.
   */
  unsafePermissions(
    path: string,
    options: { readonly includeParents: boolean },
  ): Promise<UnsafePermissions | undefined>;
  /** The names in a folder; none where there is no such folder. */
  list(folder: string): Promise<readonly string[]>;
  /** True where there was one. */
  remove(path: string): Promise<boolean>;
  /** A new empty file without a name: however this process ends, nothing of it stays. */
  openScratchFile(): Promise<ScratchFile>;
  /** A new empty folder for this process alone. */
  makeTemporaryFolder(prefix: string): Promise<string>;
  removeFolder(path: string): Promise<void>;
}

/** Room on the disk for a file that is to be written. */
export interface Reservation {
  /** As `Files.write` does. May be tried again where it throws: until `release` what was written stays beside the file. */
  write(content: string | Uint8Array): Promise<void>;
  /** Gives the room back, with what is in it, unless that is in its place. */
  release(): Promise<void>;
}

export interface ScratchFile {
  /** Adds to its end. */
  write(bytes: Uint8Array): void;
  /** What was written by now, from the beginning, piece by piece; as often as it is asked for. */
  stream(): AsyncIterable<Uint8Array>;
  /** Gives the space back. */
  close(): Promise<void>;
}

/** It belongs to another, or others may write to it. `user`: who runs this process. */
export type UnsafePermissions =
  | { readonly path: string; readonly owner: number; readonly user: number }
  | { readonly path: string; readonly mode: number; readonly user: number };

export interface AppendFile {
  /** How many bytes were in it when it was opened. */
  readonly size: number;
  /**
   * The system has taken all of it when this returns: then it outlives this process, not yet the machine. Where this
   * throws (a full disk), the file ends where it ended before.
   */
  write(content: string | Uint8Array): void;
  /** Resolves once all that was written before is on the disk. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

export interface Lock {
  /**
   * Waits for the kernel's lock on a file that is never deleted; the kernel lets go of it when the process dies.
   * Nothing when it was not to be had in time.
   */
  acquire(path: string, options: LockOptions): Promise<HeldLock | undefined>;
  /** Who holds it, as its holder has written into the file; nothing where that says nothing. Safe to print. */
  holder(path: string): Promise<LockHolder | undefined>;
  /** The lock on `path` that was inherited with this descriptor. */
  adopt(descriptor: number, path: string): HeldLock;
}

export interface LockOptions {
  /** How long to wait; 0 tries once. */
  readonly timeoutMs: number;
  /** How long to wait instead while the holder shows a prompt, which a person has to answer. */
  readonly promptTimeoutMs?: number;
  /** What its holder is doing, for whoever tells a person: `using the sign-in default`. */
  readonly activity?: string;
  /** Called once, where the wait has lasted three seconds. */
  readonly onWait?: (holder: LockHolder | undefined) => void;
}

export interface LockHolder {
  readonly pid: number;
  /** It waits for a person who has to answer a prompt: that of a locked keychain. */
  readonly isPrompting: boolean;
  /** The shell's words that continue it where it was stopped; nothing on Windows. */
  readonly continueCommand: string | undefined;
}

export interface HeldLock {
  /** Names the file that carries the lock. Two holders of one path have two files: the first was deleted meanwhile. */
  readonly id: string;
  /** False once its file was deleted or replaced: then another process may hold a lock of the same path. */
  isInPlace(): Promise<boolean>;
  release(): Promise<void>;
  /** The open file that carries the lock; nothing on Windows, where a lock belongs to a process. */
  readonly descriptor: number | undefined;
  /** Closes our end and leaves the lock with the process `to`, which has inherited the descriptor. */
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
  /** All of it; more than `maxBytes` throws a RangeError. */
  readAll(maxBytes: number): Promise<Uint8Array>;
  /** For the prompts; nothing where it never was a terminal. */
  readonly terminal?: TerminalInput | undefined;
  /** Piece by piece, for what is no terminal. */
  readonly raw: NodeJS.ReadableStream;
}

/** What is typed on a terminal. Whoever reads it, or changes its mode, does so here; a closed terminal is no error. */
export interface TerminalInput {
  /**
   * Takes all that was typed by now and that nobody has taken, a line without its end included. `lines`: whole lines
   * alone; the person can still edit the one that they are typing.
   */
  takePending(options?: { readonly lines?: boolean }): Promise<string>;
  /** Gives back what was meant for a later question: it is taken first. */
  unread(text: string): void;
  /**
   * Calls `hear` with each piece as it comes, in whole characters, and `ended` where nothing more can come (Ctrl-D on a
   * line of the terminal's own, or a closed terminal), until the result is called.
   */
  listen(hear: (text: string) => void, ended: () => void): () => void;
  /** Key by key, and nothing echoed; otherwise lines that the terminal echoes and lets a person edit. */
  setRaw(raw: boolean): void;
}

export interface Output {
  readonly isTerminal: boolean;
  /** The width of the terminal in cells; nothing where it is none. */
  readonly columns: number | undefined;
  /**
   * Resolves once the system has taken the bytes, or at once when the reader has gone (`| head -1`). Rejects with an
   * error of the name UnwritableOutput where they cannot be written: a full disk.
   */
  write(text: string, options?: WriteOptions): Promise<void>;
  /** The reader has gone: what is written is taken, and nobody has it. */
  readonly isReaderGone?: boolean;
  readonly raw: NodeJS.WritableStream;
}

export interface WriteOptions {
  /** It was asked for: `wm auth token`. Everything else is redacted. */
  readonly showsSecrets?: boolean;
  /** Its values were redacted before they became JSON or cells, whose own characters a secret must not match. */
  readonly isRedacted?: boolean;
}

// ----------------------------------------------------------------------------------------------------- processes

export interface Processes {
  readonly platform: NodeJS.Platform;
  /** How to run this very program again: the first is the command, the rest come before its arguments. */
  readonly self: readonly [string, ...string[]];
  /** Starts a program found as the shell finds it. One that cannot be started has the status 127 or 126. */
  start(command: readonly [string, ...string[]], options: StartOptions): Child;
  /** Calls the listener on Ctrl-C or termination until the result is called. Without a listener the process ends. */
  onInterrupt(listener: (signal: Interruption) => void): () => void;
  /** Calls the listener whenever the process goes on after it was stopped (Ctrl-Z and fg), until the result is called. */
  onResume(listener: () => void): () => void;
  /**
   * From here on garbage is collected sooner: for work of any length that holds little at a time. Takes some processor time,
   * most of it from another core.
   */
  preferSmallHeap(): Promise<void>;
  /** Stops this process and those it runs with, as Ctrl-Z does; returns when they go on. Does nothing on Windows. */
  suspend(): void;
}

export type Interruption = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

export interface StartOptions {
  readonly environment: Environment;
  /** The child's standard streams: ours, or pipes. A piped child's input is `input`, and then closed. */
  readonly streams: 'inherit' | 'pipe';
  readonly input?: string;
  /** Out of reach of what ends us: our death, Ctrl-C, the terminal's end. */
  readonly detached?: true;
  /** Open files that the child gets as its descriptors 3, 4... */
  readonly inherits?: readonly number[];
  /** Captured text as it comes, in whole pieces of UTF-8. */
  readonly onOutput?: (text: string) => void;
  readonly onErrors?: (text: string) => void;
}

export interface Child {
  /** Resolves when the child runs, and has its descriptors, or will never run. */
  readonly started: Promise<void>;
  /** The exit status, or 128 and the signal's number, as a shell counts it. */
  readonly ended: Promise<number>;
  /** Nothing before it has started, or where it could not be. */
  pid(): number | undefined;
  /** It goes on, and this process neither waits for it nor hears of it any more. */
  detach(): void;
  kill(signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL' | 'SIGHUP'): void;
}
