// The closed list of failures. The row of a code has its exit status, what it changed and concerns, whether a retry may help, and a
// hint. Other files read the row instead of comparing codes, so a new code is complete once it compiles.

export interface FailureMeaning {
  readonly exit: number;
  /** Whether the change of the command or request was made. */
  readonly changed: 'no' | 'yes' | 'unknown';
  /**
   * What else would fail: only this `input` (typed, or a row of a file), only requests for this `record`, all requests to the
   * `service` for now, all requests of this `account`, or the whole `command`, because of this machine, the user or `wm`.
   */
  readonly concerns: 'input' | 'record' | 'service' | 'account' | 'command';
  /** Whether the same request may succeed later: within seconds, after the cause is removed, or never. */
  readonly retry: 'soon' | 'later' | 'never';
  /** What to do, unless the thrown failure has a better hint. */
  readonly hint: Hint | undefined;
}

/** How each kind of command reacts to a failure. A single command ends with the exit status of the row. */
interface Reactions {
  /** `wait`: until the outage ends, at most a minute. `end`: sends no further row. The others: the outcome of the row. */
  readonly bulk: 'wait' | 'end' | 'invalid' | 'failed' | 'unknown';
  /** `webhook watch`, while it follows. `again`: reports it and reads again, each time later. */
  readonly watch: 'again' | 'end';
  /** `webhook listen`, while it listens. `again`: reports it and retries in a minute. `once`: reports it and keeps listening. */
  readonly listen: 'again' | 'once' | 'end';
}

/** What to do; with the command, if a program can run it as it stands. */
export type Hint = string | CommandHint;

export interface CommandHint {
  readonly text: string;
  readonly next: string;
}

/** Returns `To list them: wm webhook list`. */
export function commandHint(before: string, command: string, after = ''): CommandHint {
  return { text: `${before}${command}${after}`, next: command };
}

/** Joins hints into lines. The first command is the one that helps first. */
export function joinHints(hints: readonly Hint[]): Hint {
  const text = hints.map(hintText).join('\n');
  const next = hints.map(nextOf).find((command) => command !== undefined);
  return next === undefined ? text : { text, next };
}

export function hintText(hint: Hint): string {
  return typeof hint === 'string' ? hint : hint.text;
}

function nextOf(hint: Hint): string | undefined {
  return typeof hint === 'string' ? undefined : hint.next;
}

const interruption = { changed: 'unknown', concerns: 'command', retry: 'later', hint: undefined } as const;

const rows = {
  /** Invalid; nothing was sent. */
  usage: { exit: 2, changed: 'no', concerns: 'input', retry: 'never', hint: undefined },
  /** A change that --read-only, WM_READ_ONLY or the profile forbids. */
  read_only: { exit: 2, changed: 'no', concerns: 'command', retry: 'never', hint: undefined },
  /** Rejected by the service with 400. */
  rejected: { exit: 2, changed: 'no', concerns: 'record', retry: 'never', hint: undefined },
  forbidden: {
    exit: 3,
    changed: 'no',
    concerns: 'record',
    retry: 'never',
    hint: 'Ask an administrator of the account for access; --profile uses another sign-in.',
  },
  sign_in_needed: {
    exit: 4,
    changed: 'no',
    concerns: 'account',
    retry: 'later',
    hint: commandHint('To sign in: ', 'wm login'),
  },
  not_found: {
    exit: 5,
    changed: 'no',
    concerns: 'record',
    retry: 'never',
    hint: commandHint('Check the id, and the account: ', 'wm whoami'),
  },
  rate_limited: {
    exit: 6,
    changed: 'no',
    concerns: 'service',
    retry: 'later',
    hint: 'Wait, then run the command again.',
  },
  /** No response, but certainly nothing changed. */
  network: { exit: 7, changed: 'no', concerns: 'service', retry: 'soon', hint: undefined },
  /** A response larger than `wm` reads, but certainly nothing changed. */
  too_large: {
    exit: 7,
    changed: 'no',
    concerns: 'record',
    retry: 'never',
    hint: commandHint('The service never sends such a large response. Check the host: ', 'wm doctor'),
  },
  /** The service failed, but certainly nothing changed. */
  server: {
    exit: 7,
    changed: 'no',
    concerns: 'service',
    retry: 'soon',
    hint: 'The service is having problems; try again later.',
  },
  /** Some of several changes were made. */
  part_failed: { exit: 8, changed: 'yes', concerns: 'command', retry: 'later', hint: undefined },
  /** A change was sent, but no response says whether it was made. */
  outcome_unknown: { exit: 9, changed: 'unknown', concerns: 'record', retry: 'never', hint: undefined },
  /** A command that checks something found a problem. */
  check_failed: { exit: 10, changed: 'no', concerns: 'command', retry: 'never', hint: undefined },
  /** By Ctrl-C. For these three, the exit status is 128 plus the number of the signal, as in a shell. */
  interrupted: { exit: 130, ...interruption },
  /** By SIGTERM. */
  terminated: { exit: 143, ...interruption },
  /** By SIGHUP: the terminal was closed. */
  hung_up: { exit: 129, ...interruption },
  /** The token store (the keychain, or the file that replaces it) failed before anything was sent. */
  token_store: { exit: 1, changed: 'no', concerns: 'command', retry: 'later', hint: undefined },
  /** A response breaks the contract, but certainly nothing changed. */
  bad_response: {
    exit: 1,
    changed: 'no',
    concerns: 'service',
    retry: 'never',
    hint: 'A proxy may have responded instead of the service.',
  },
  /** Usually a file error. The change may have been made although its result was lost. */
  other: { exit: 1, changed: 'unknown', concerns: 'command', retry: 'never', hint: undefined },
  /** A bug in `wm`. */
  internal: {
    exit: 1,
    changed: 'unknown',
    concerns: 'command',
    retry: 'never',
    hint: 'This is a bug in wm. Please report it, with the command and this message.',
  },
} as const satisfies Record<string, FailureMeaning>;

export type FailureCode = keyof typeof rows;

/** 0 means success. */
export type ExitStatus = 0 | (typeof rows)[FailureCode]['exit'];

export const failureMeanings: Readonly<Record<FailureCode, FailureMeaning>> = rows;

/** True if a signal ended the command: the exit status is then 128 plus the number of the signal. */
export function isInterruption(code: FailureCode): boolean {
  return rows[code].exit > 128;
}

/** True for the exit status of a command that a signal ended, whose work may still be running. */
export function isInterruptionStatus(status: number): boolean {
  return status > 128 && Object.values(rows).some(({ exit }) => exit === status);
}

/** True for a code of this list, but not for an error code of the service. */
export function isFailureCode(code: string): code is FailureCode {
  return Object.hasOwn(rows, code);
}

interface FailureDetails {
  /** What failed, in one line, with the invalid value. */
  readonly message: string;
  readonly why?: string | undefined;
  /** What to do; by default the hint of the code's row. */
  readonly hint?: Hint | undefined;
  /** The service's own error code. */
  readonly errorCode?: string | undefined;
  readonly httpStatus?: number | undefined;
  /** Set if waiting does not help, although it helps for other failures with this code. */
  readonly retry?: FailureMeaning['retry'] | undefined;
  readonly cause?: unknown;
}

/** Ends a command without success. Any other thrown error is a bug in `wm`. */
export class Failure extends Error {
  readonly code: FailureCode;
  readonly why: string | undefined;
  readonly hint: string | undefined;
  /** The command in the hint, if a program can run it as it stands. */
  readonly next: string | undefined;
  readonly errorCode: string | undefined;
  readonly httpStatus: number | undefined;
  readonly #retry: FailureMeaning['retry'] | undefined;

  constructor(code: FailureCode, details: FailureDetails) {
    super(details.message, { cause: details.cause });
    this.name = 'Failure';
    this.code = code;
    this.why = details.why;
    const hint: Hint | undefined = details.hint ?? rows[code].hint;
    this.hint = hint === undefined ? undefined : hintText(hint);
    this.next = hint === undefined ? undefined : nextOf(hint);
    this.errorCode = details.errorCode;
    this.httpStatus = details.httpStatus;
    this.#retry = details.retry;
  }

  /** Returns a copy with these details. A detail that is `undefined` stays as it is. */
  with({ code = this.code, ...changes }: Partial<FailureDetails> & { readonly code?: FailureCode }): Failure {
    return new Failure(code, {
      message: changes.message ?? this.message,
      why: changes.why ?? this.why,
      hint: changes.hint ?? this.wholeHint,
      errorCode: changes.errorCode ?? this.errorCode,
      httpStatus: changes.httpStatus ?? this.httpStatus,
      retry: changes.retry ?? (code === this.code ? this.#retry : undefined),
      cause: changes.cause ?? this.cause,
    });
  }

  /** Returns a copy with `redact` applied to every text, or this object if nothing changes. */
  redacted(redact: (text: string) => string): Failure {
    const texts = [this.message, this.why, this.hint, this.next, this.errorCode];
    const redacted = texts.map((text) => text && redact(text));
    if (redacted.every((text, index) => text === texts[index])) return this;
    const [message = this.message, why, hint, next, errorCode] = redacted;
    return this.with({ message, why, hint: joinParts({ hint, next }), errorCode });
  }

  /** The hint and its command, to extend it. */
  get wholeHint(): Hint | undefined {
    return joinParts(this);
  }

  get meaning(): FailureMeaning {
    const row = rows[this.code];
    return this.#retry === undefined ? row : { ...row, retry: this.#retry };
  }

  get reactions(): Reactions {
    const { concerns, retry } = this.meaning;
    const isBug = this.code === 'internal';
    const mayPass = concerns === 'service' && retry !== 'never';
    return {
      bulk: bulkReaction(this.meaning),
      watch: isBug ? 'end' : 'again',
      listen: isBug ? 'end' : mayPass ? 'again' : 'once',
    };
  }

  get exitStatus(): number {
    return rows[this.code].exit;
  }

  /** What failed and why, in one line, without the hint. */
  get sentence(): string {
    return this.why ? `${this.message}: ${this.why}` : this.message;
  }

  /** What `--json` prints on standard error. `code` is the service's own error code if it sent one. */
  toJSON(): object {
    return {
      error: {
        code: this.errorCode ?? this.code,
        message: this.sentence,
        hint: this.hint,
        httpStatus: this.httpStatus,
        next: this.next,
      },
    };
  }
}

function bulkReaction({ changed, concerns, retry }: FailureMeaning): Reactions['bulk'] {
  if (concerns === 'account' || concerns === 'command') return 'end';
  if (concerns === 'input') return 'invalid';
  if (changed === 'unknown') return 'unknown';
  if (retry === 'soon') return 'wait';
  // A rate limit ends up here only after the longest allowed wait.
  return retry === 'later' ? 'end' : 'failed';
}

function joinParts({ hint, next }: Pick<Failure, 'hint' | 'next'>): Hint | undefined {
  return hint === undefined || next === undefined ? hint : { text: hint, next };
}

/** Creates the failure for a mistake of the user: nothing was sent. */
export function usageError(message: string, hint?: Hint, why?: string): Failure {
  return new Failure('usage', { message, hint, why });
}

/** System errors caused by the user's disk, not by a bug in `wm`, and their meanings. */
const systemReasons: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left on the disk',
  EDQUOT: 'your disk quota is exceeded',
  EFBIG: 'the file is too large',
  EROFS: 'the file system is read-only',
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is not a folder',
  ENOENT: 'it does not exist',
  EEXIST: 'it already exists',
  EIO: 'input/output error',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'its symbolic links form a loop',
  EAGAIN: 'it has no more to read now, and does not end',
  EBUSY: 'it is in use',
  ETXTBSY: 'it is in use',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
};

const fileOperations: readonly [RegExp, string][] = [
  [/^(open|lstat|stat|fstat|realpath|access)$/, 'open'],
  [/^(read|scandir|readlink)$/, 'read'],
  [/^(write|writev|fsync|fdatasync|ftruncate|fchmod|fchown|close)$/, 'write'],
  [/^(mkdir|mkdtemp)$/, 'create'],
  [/^(unlink|rmdir|rm)$/, 'remove'],
  [/^(rename|link|symlink)$/, 'move'],
];

/** Returns the failure for a file operation; `undefined` for any other error. */
function fileFailure(thrown: unknown): Failure | undefined {
  if (!(thrown instanceof Error)) return undefined;
  // The error of a write has no path, because the file is already open.
  const { syscall = '', code = '', path = 'a file' }: NodeJS.ErrnoException = thrown;
  if (!Object.hasOwn(systemReasons, code)) return undefined;
  const verb = fileOperations.find(([systemCalls]) => systemCalls.test(syscall))?.[1];
  if (verb === undefined) return undefined;
  return new Failure('other', {
    message: `Cannot ${verb} ${path}`,
    why: `${systemReasons[code]} (${code})`,
    cause: thrown,
  });
}

/** Returns the failure for a native library that a single executable cannot unpack (scripts/executable/main.cjs). */
function libraryFailure(thrown: unknown): Failure | undefined {
  if (!(thrown instanceof Error) || thrown.name !== 'UnloadableLibrary') return undefined;
  return new Failure('other', {
    message: 'wm cannot unpack and load a library that this needs',
    why: thrown.message,
    hint: 'Let XDG_CACHE_HOME (LOCALAPPDATA on Windows) name a folder of yours on a disk that may hold programs.',
    cause: thrown,
  });
}

/** Returns the failure for unwritable standard output (world/); `undefined` for any other error. */
export function outputFailure(thrown: unknown): Failure | undefined {
  if (!(thrown instanceof Error) || thrown.name !== 'UnwritableOutput') return undefined;
  return new Failure('other', {
    message: 'Cannot write the result',
    why: thrown.message,
    cause: thrown,
  });
}

/** Returns the reason of a file's error in words, the message of another error, or any other thrown value as text. */
export function errorMessage(thrown: unknown): string {
  return fileFailure(thrown)?.why ?? (thrown instanceof Error ? thrown.message : String(thrown));
}

/** For `catch`: throws a failure with this message. Why is what was caught. */
export function failWith(code: FailureCode, message: string, hint?: Hint): (caught: unknown) => never {
  return (cause) => {
    throw new Failure(code, { message, why: errorMessage(cause), hint, cause });
  };
}

/** Turns any thrown value into a Failure: an unexpected error becomes `internal`. */
export function toFailure(thrown: unknown): Failure {
  if (thrown instanceof Failure) return thrown;
  const expected = outputFailure(thrown) ?? libraryFailure(thrown) ?? fileFailure(thrown);
  if (expected) return expected;
  const message = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  return new Failure('internal', { message, cause: thrown });
}
