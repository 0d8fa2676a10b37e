// The closed list of failures: each one's code and exit status, and what to do about it unless the place where it
// happened knows better. Nobody else maps anything to an exit status.

interface Row {
  readonly exit: number;
  /** What to do, where the one who throws has nothing better to say. */
  readonly hint?: string;
}

const rows = {
  /** Refused by us; nothing was sent. */
  usage: { exit: 2 },
  /** Refused by the service's 400; nothing was changed. */
  rejected: { exit: 2 },
  forbidden: {
    exit: 3,
    hint: 'Ask an administrator of the account for access; --profile uses another sign-in.',
  },
  sign_in_needed: { exit: 4, hint: 'Sign in: wm login' },
  not_found: { exit: 5, hint: 'Check the id, and the account: wm whoami' },
  rate_limited: { exit: 6, hint: 'Wait, then run the command again.' },
  /** No answer, and it is certain that nothing changed. */
  network: { exit: 7 },
  /** A response is larger than what wm reads, and it is certain that nothing changed. */
  too_large: { exit: 7, hint: 'No response of the service is so large. Check the host: wm doctor' },
  /** The service failed, and it is certain that nothing changed. */
  server: { exit: 7, hint: 'The service has trouble; try again later.' },
  part_failed: { exit: 8 },
  /** A change was sent, and nobody can tell whether it was made. */
  outcome_unknown: { exit: 9 },
  check_failed: { exit: 10 },
  /** By Ctrl-C, by `kill`, and by a terminal that went: each with its signal's status, as a shell counts it. */
  interrupted: { exit: 130 },
  terminated: { exit: 143 },
  hung_up: { exit: 129 },
  /** The keychain, or what stands in for it. */
  token_store: { exit: 1 },
  /** The service's answer is not what its contract says. */
  bad_response: {
    exit: 1,
    hint: 'Something between you and the service may have responded in its place (a proxy?).',
  },
  other: { exit: 1 },
  /** A fault of ours. */
  internal: { exit: 1, hint: 'This is a fault of wm. Please report it, with the command and this message.' },
} as const satisfies Record<string, Row>;

export type FailureCode = keyof typeof rows;

/** Somebody or something ended the command from outside. */
export const interruptionCodes = [
  'interrupted',
  'terminated',
  'hung_up',
] as const satisfies readonly FailureCode[];

export function exitStatus(code: FailureCode): number {
  return rows[code].exit;
}

export function isFailureCode(code: string): code is FailureCode {
  return Object.hasOwn(rows, code);
}

export interface FailureDetails {
  /** One line: what failed, with the value at fault. */
  readonly message: string;
  readonly why?: string | undefined;
  /** What to do about it. */
  readonly hint?: string | undefined;
  /** The service's own word for it. */
  readonly errorCode?: string | undefined;
  readonly httpStatus?: number | undefined;
  readonly cause?: unknown;
}

/** Anything that ends a command other than well. Everything else that is thrown is a fault of ours. */
export class Failure extends Error {
  readonly code: FailureCode;
  readonly why: string | undefined;
  readonly hint: string | undefined;
  readonly errorCode: string | undefined;
  readonly httpStatus: number | undefined;

  constructor(code: FailureCode, details: FailureDetails) {
    super(details.message, { cause: details.cause });
    const row: Row = rows[code];
    this.name = 'Failure';
    this.code = code;
    this.why = details.why;
    this.hint = details.hint ?? row.hint;
    this.errorCode = details.errorCode;
    this.httpStatus = details.httpStatus;
  }

  /** The same, with something better to do about it; with nothing better, itself. */
  withHint(hint: string | undefined): Failure {
    if (hint === undefined) return this;
    const { code, message: what, why, errorCode: word, httpStatus, cause } = this;
    return new Failure(code, { message: what, why, hint, errorCode: word, httpStatus, cause });
  }

  /** The same, with every text of it as `redact` gives it back. */
  redacted(redact: (text: string) => string): Failure {
    const of = (text: string | undefined) => (text === undefined ? undefined : redact(text));
    const { code, httpStatus, cause } = this;
    const [what, why, hint, word] = [redact(this.message), of(this.why), of(this.hint), of(this.errorCode)];
    const isSame = what === this.message && why === this.why && hint === this.hint && word === this.errorCode;
    return isSame
      ? this
      : new Failure(code, { message: what, why, hint, errorCode: word, httpStatus, cause });
  }

  get exitStatus(): number {
    return exitStatus(this.code);
  }

  /** What `--json` prints on standard error. `code` is the service's own word where there is one. */
  toJSON(): object {
    return {
      error: {
        code: this.errorCode ?? this.code,
        message: this.why ? `${this.message}: ${this.why}` : this.message,
        hint: this.hint,
        httpStatus: this.httpStatus,
      },
    };
  }
}

/** A usage error: nothing was sent. */
export function usageError(what: string, hint?: string, why?: string): Failure {
  return new Failure('usage', { message: what, hint, why });
}

/** Why the system would not, in words; the codes that are trouble of a person's disk or files, and no fault of ours. */
const systemReasons: Readonly<Record<string, string>> = {
  ENOSPC: 'there is no room left on the disk',
  EDQUOT: 'your share of the disk is used up',
  EFBIG: 'the file would be longer than the system allows',
  EROFS: 'the disk can only be read',
  EACCES: 'you are not allowed to',
  EPERM: 'the system does not allow it',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is not a folder',
  ENOENT: 'it does not exist',
  EEXIST: 'it exists already',
  EIO: 'the disk failed',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'its links lead round in a circle',
  EBUSY: 'it is in use',
  ETXTBSY: 'it is in use',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
};

const fileOperations: readonly [RegExp, string][] = [
  [/^(open|lstat|stat|fstat|realpath|access)$/, 'opened'],
  [/^(read|scandir|readlink)$/, 'read'],
  [/^(write|writev|fsync|fdatasync|ftruncate|fchmod|fchown|close)$/, 'written'],
  [/^(mkdir|mkdtemp)$/, 'made'],
  [/^(unlink|rmdir|rm)$/, 'removed'],
  [/^(rename|link|symlink)$/, 'put in its place'],
];

/** Trouble with a file, as the system tells it; nothing for every other error. */
function fileFailure(thrown: unknown): Failure | undefined {
  if (!(thrown instanceof Error) || !('syscall' in thrown) || !('code' in thrown)) return undefined;
  const { syscall, code } = thrown;
  if (typeof syscall !== 'string' || typeof code !== 'string' || !Object.hasOwn(systemReasons, code))
    return undefined;
  const done = fileOperations.find(([calls]) => calls.test(syscall))?.[1];
  if (done === undefined) return undefined;
  // A write knows no path, only the file that is open.
  const path = 'path' in thrown && typeof thrown.path === 'string' ? thrown.path : 'A file';
  return new Failure('other', {
    message: `${path} cannot be ${done}`,
    why: `${systemReasons[code]} (${code})`,
    cause: thrown,
  });
}

/** Standard output that cannot be written, as the world tells it; nothing for every other error. */
export function outputFailure(thrown: unknown): Failure | undefined {
  if (!(thrown instanceof Error) || thrown.name !== 'UnwritableOutput') return undefined;
  return new Failure('other', {
    message: 'The result could not be written',
    why: thrown.message,
    cause: thrown,
  });
}

/** Whatever was thrown, as a Failure. */
export function toFailure(thrown: unknown): Failure {
  if (thrown instanceof Failure) return thrown;
  const ofFiles = fileFailure(thrown);
  if (ofFiles) return ofFiles;
  const what = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  return new Failure('internal', { message: what, cause: thrown });
}
