// The closed list of failures. A row says everything that a failure's code means: exit status, whether anything was
// changed, what it concerns, whether a retry may help, and a default hint. Other files read the row instead of comparing
// codes, so that a new code is complete once it compiles.

export interface FailureMeaning {
  readonly exit: number;
  /** Whether the change that the command or the request was to make was made. */
  readonly changed: 'no' | 'yes' | 'unknown';
  /**
   * What the failure is about, and so what else it would happen to:
   * - `input`: what the user typed, or one row of a file
   * - `record`: the record that the request names; requests for other records may succeed
   * - `service`: the service or the network as it is now, for every request
   * - `account`: the sign-in, for every request
   * - `command`: this machine, the user, or `wm` itself: nothing more can be done
   */
  readonly concerns: 'input' | 'record' | 'service' | 'account' | 'command';
  /** Whether the same request may succeed if it is sent again: within seconds, after the cause was removed, or never. */
  readonly retry: 'soon' | 'later' | 'never';
  /** What to do, unless the code that throws the failure has a better hint. */
  readonly hint: Hint | undefined;
}

/** What each kind of command does about a failure. A single command ends, with the exit status of its row. */
export interface Reactions {
  /** `wait`: for the end of an outage, a minute at most; `end`: no further row is sent; else what becomes of the row. */
  readonly bulk: 'wait' | 'end' | 'invalid' | 'failed' | 'unknown';
  /** `webhook watch`, once it follows. `again`: says so, and reads again, later each time. */
  readonly watch: 'again' | 'end';
  /** `webhook listen`, once it listens. `again`: says so, and tries again in a minute; `once`: says so, and listens on. */
  readonly listen: 'again' | 'once' | 'end';
}

/** What to do, in words; with the command in them, where it is complete and a program can run it as it stands. */
export type Hint = string | CommandHint;

export interface CommandHint {
  readonly text: string;
  readonly next: string;
}

/** `To list them: wm webhook list` */
export function commandHint(before: string, command: string, after = ''): CommandHint {
  return { text: `${before}${command}${after}`, next: command };
}

/** One hint of several lines. The first command is the one that helps first. */
export function joinHints(hints: readonly Hint[]): Hint {
  const text = hints.map(hintText).join('\n');
  const next = hints.map(nextOf).find((command) => command !== undefined);
  return next === undefined ? text : { text, next };
}

/** What is printed of it. */
export function hintText(hint: Hint): string {
  return typeof hint === 'string' ? hint : hint.text;
}

function nextOf(hint: Hint): string | undefined {
  return typeof hint === 'string' ? undefined : hint.next;
}

const interruption = { changed: 'unknown', concerns: 'command', retry: 'later', hint: undefined } as const;

const rows = {
  /** Rejected by `wm`; nothing was sent. */
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
  /** No response, and it is certain that nothing changed. */
  network: { exit: 7, changed: 'no', concerns: 'service', retry: 'soon', hint: undefined },
  /** A response is larger than `wm` reads, and it is certain that nothing changed. */
  too_large: {
    exit: 7,
    changed: 'no',
    concerns: 'record',
    retry: 'never',
    hint: commandHint('The service never sends such a large response. Check the host: ', 'wm doctor'),
  },
  /** The service failed, and it is certain that nothing changed. */
  server: {
    exit: 7,
    changed: 'no',
    concerns: 'service',
    retry: 'soon',
    hint: 'The service is having problems; try again later.',
  },
  /** Some of several changes were made. */
  part_failed: { exit: 8, changed: 'yes', concerns: 'command', retry: 'later', hint: undefined },
  /** A change was sent, and no response says whether it was made. */
  outcome_unknown: { exit: 9, changed: 'unknown', concerns: 'record', retry: 'never', hint: undefined },
  /** A command whose purpose is to check something found a problem. */
  check_failed: { exit: 10, changed: 'no', concerns: 'command', retry: 'never', hint: undefined },
  /** By Ctrl-C. The exit status of these three is 128 and the number of the signal, as a shell reports it. */
  interrupted: { exit: 130, ...interruption },
  /** By SIGTERM. */
  terminated: { exit: 143, ...interruption },
  /** By SIGHUP: the terminal was closed. */
  hung_up: { exit: 129, ...interruption },
  /** The token store (the keychain, or a file in its place) failed, before anything was sent. */
  token_store: { exit: 1, changed: 'no', concerns: 'command', retry: 'later', hint: undefined },
  /** A response does not follow the contract, and it is certain that nothing changed. */
  bad_response: {
    exit: 1,
    changed: 'no',
    concerns: 'service',
    retry: 'never',
    hint: 'Perhaps a proxy responded instead of the service.',
  },
  /** Mostly trouble with a file. A result may have been lost after the change. */
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

/** 0 is success. */
export type ExitStatus = 0 | (typeof rows)[FailureCode]['exit'];

export const failureMeanings: Readonly<Record<FailureCode, FailureMeaning>> = rows;

/** True where a signal ended the command: its exit status is then 128 and the signal's number. */
export function isInterruption(code: FailureCode): boolean {
  return rows[code].exit > 128;
}

/** True for the exit status of a command that a signal ended. */
export function isInterruptionStatus(status: number): boolean {
  return Object.values(rows).some(({ exit }) => exit > 128 && exit === status);
}

/** True for a code of this list, as opposed to an error code of the service. */
export function isFailureCode(code: string): code is FailureCode {
  return Object.hasOwn(rows, code);
}

export interface FailureDetails {
  /** One line: what failed, with the value at fault. */
  readonly message: string;
  readonly why?: string | undefined;
  /** What to do about it; by default the hint of the code's row. */
  readonly hint?: Hint | undefined;
  /** The service's own error code. */
  readonly errorCode?: string | undefined;
  readonly httpStatus?: number | undefined;
  /** Where waiting does not cure this one, as it does others of its code. */
  readonly retry?: FailureMeaning['retry'] | undefined;
  readonly cause?: unknown;
}

/** Ends a command without success. Everything else that is thrown is a bug in `wm`. */
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

  /** A copy with these details instead; a detail that is `undefined` stays as it is. */
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

  /** A copy with `redact` applied to every text; the same object where that changes nothing. */
  redacted(redact: (text: string) => string): Failure {
    const optional = (text: string | undefined) => (text === undefined ? undefined : redact(text));
    const texts = {
      message: redact(this.message),
      why: optional(this.why),
      hint: optional(this.hint),
      next: optional(this.next),
      errorCode: optional(this.errorCode),
    };
    const isSame =
      texts.message === this.message &&
      texts.why === this.why &&
      texts.hint === this.hint &&
      texts.next === this.next &&
      texts.errorCode === this.errorCode;
    return isSame ? this : this.with({ ...texts, hint: joinParts(texts) });
  }

  /** The hint with its command, to add to it. */
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

  /** What `--json` prints on standard error. `code` is the service's own error code where there is one. */
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
  // A rate limit comes here only after it was waited for as long as allowed.
  return retry === 'later' ? 'end' : 'failed';
}

function joinParts({ hint, next }: Pick<Failure, 'hint' | 'next'>): Hint | undefined {
  return hint === undefined || next === undefined ? hint : { text: hint, next };
}

/** What the user typed is wrong: nothing was sent. */
export function usageError(message: string, hint?: Hint, why?: string): Failure {
  return new Failure('usage', { message, hint, why });
}

/** System errors with a cause on the user's disk, as opposed to a bug in `wm`, and what they mean. */
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

/** A failed file operation, or `undefined` for every other error. */
function fileFailure(thrown: unknown): Failure | undefined {
  if (!(thrown instanceof Error) || !('syscall' in thrown) || !('code' in thrown)) return undefined;
  const { syscall, code } = thrown;
  if (typeof syscall !== 'string' || typeof code !== 'string' || !Object.hasOwn(systemReasons, code))
    return undefined;
  const verb = fileOperations.find(([systemCalls]) => systemCalls.test(syscall))?.[1];
  if (verb === undefined) return undefined;
  // The error of a write has no path, since the file is open already.
  const path = 'path' in thrown && typeof thrown.path === 'string' ? thrown.path : 'a file';
  return new Failure('other', {
    message: `Cannot ${verb} ${path}`,
    why: `${systemReasons[code]} (${code})`,
    cause: thrown,
  });
}

/** Standard output that cannot be written (world/), or `undefined` for every other error. */
export function outputFailure(thrown: unknown): Failure | undefined {
  if (!(thrown instanceof Error) || thrown.name !== 'UnwritableOutput') return undefined;
  return new Failure('other', {
    message: 'Cannot write the result',
    why: thrown.message,
    cause: thrown,
  });
}

/** The message of an error, or whatever else was thrown as text. */
export function errorMessage(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Turns anything that was thrown into a Failure: an error that nobody expected is `internal`. */
export function toFailure(thrown: unknown): Failure {
  if (thrown instanceof Failure) return thrown;
  const expected = outputFailure(thrown) ?? fileFailure(thrown);
  if (expected) return expected;
  const message = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  return new Failure('internal', { message, cause: thrown });
}
