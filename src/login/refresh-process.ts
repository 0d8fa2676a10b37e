// The helper process that refreshes tokens, separate from the command that needs them, so that killing the command does not
// lose the response. It inherits the profile's lock, reads its input from standard input and the tokens from the store, and
// writes its result to standard output. Through that pipe passes no secret, except an access token that could not be stored:
// nothing else has it.

import { formatJson, parseJsonIfValid } from '#contract/json.ts';
import {
  number,
  object,
  optional,
  readLeniently,
  type TypeOf,
  text,
  unlessInvalid,
} from '#contract/schema.ts';
import { Failure, type FailureCode, type FailureMeaning, isFailureCode, toFailure } from '#failure.ts';
import type { World } from '#world/world.ts';
import { openProfileStore } from './open-token-store.ts';
import { findProfile, saveProfile } from './profile.ts';
import { LockLostError, refreshTokens } from './refresh.ts';
import { waitForOtherRefresh } from './refresh-marker.ts';

const helperInput = object('helper input', {
  profile: text('profile'),
  /** The value of WM_TOKEN_STORE, for a profile that does not record its store. */
  store: optional(text('token store')),
  /** The generation to refresh; if the store holds another one, it has been refreshed already. */
  generation: number('generation'),
  /** The inherited lock; without it the helper must acquire the lock itself. */
  descriptor: optional(number('descriptor')),
  lockPath: text('path'),
  /** Further certificates to trust (--ca), PEM. */
  certificates: optional(text('certificates')),
});

type ReadHelperInput = TypeOf<typeof helperInput>;

/** JSON leaves out what is undefined. */
export type HelperInput = {
  readonly [Name in keyof Required<ReadHelperInput>]: ReadHelperInput[Name] | undefined;
};

export type HelperOutput =
  | {
      readonly done: true;
      readonly warnings: readonly string[];
      /** For --verbose. */
      readonly trace?: readonly string[];
      readonly unstored?: UnstoredTokens;
    }
  /** Nothing was sent: the lock must be acquired again. */
  | { readonly lockLost: true }
  | {
      readonly code: FailureCode;
      readonly what: string;
      readonly why?: string;
      readonly hint?: string;
      readonly word?: string;
      readonly retry?: FailureMeaning['retry'];
    };

/** Tokens that could not be stored: as much of them as the command needs. */
const unstoredTokens = object('tokens', {
  accessToken: text('token'),
  host: text('host'),
  expiresAt: optional(number('milliseconds')),
});

type UnstoredTokens = TypeOf<typeof unstoredTokens>;

/** How long it waits for a lock that it could not inherit. */
const lockMs = 30_000;
const maxInputBytes = 4 * 1024 * 1024;

/** Runs the helper process: one refresh, from standard input to standard output. Never throws; see HelperOutput. */
export async function runRefreshProcess(world: World): Promise<void> {
  const input = parseInput(new TextDecoder().decode(await world.streams.input.readAll(maxInputBytes)));
  const output = input
    ? await refreshStoredTokens(world, input)
    : { code: 'internal' as const, what: 'invalid input' };
  const { redact } = world.secrets;
  // The access token must stay as it is; everything that a user may read is redacted.
  const safe =
    'done' in output
      ? JSON.stringify({
          ...output,
          warnings: output.warnings.map(redact),
          ...(output.trace && { trace: output.trace.map(redact) }),
        })
      : formatJson(output, { change: redact });
  await world.streams.output.write(safe);
}

async function refreshStoredTokens(world: World, input: ReadHelperInput): Promise<HelperOutput> {
  const held =
    input.descriptor === undefined
      ? await world.lock.acquire(input.lockPath, { timeoutMs: lockMs })
      : world.lock.adopt(input.descriptor, input.lockPath);
  if (!held) return { code: 'other', what: 'Cannot lock the sign-in' };
  const warnings: string[] = [];
  const trace: string[] = [];
  const traced = () => (trace.length > 0 ? { trace } : {});
  try {
    const profile = await findProfile(world, input.profile);
    const store = openProfileStore(world, profile, input.store);
    const readItem = async () => profile && (await store.read(profile.name));
    if (profile) await waitForOtherRefresh(world, profile.name, held.id, readItem);
    const item = await readItem();
    if (profile && item?.generation === input.generation) {
      const { certificates } = input;
      const http =
        (certificates === undefined ? undefined : await world.http.withCertificates?.(certificates)) ??
        world.http;
      const refreshWorld = { ...world, http };
      const {
        tokens: next,
        warning,
        unusableReason,
        isUnstored,
      } = await refreshTokens(refreshWorld, store, profile, item, held, (line) => trace.push(line));
      if (warning) warnings.push(warning);
      if (isUnstored && !unusableReason) {
        return { done: true, warnings, ...traced(), unstored: readLeniently(unstoredTokens, next) };
      }
      if (next.host !== profile.host) await saveProfile(world, { ...profile, host: next.host });
      if (unusableReason) throw unusableReason;
    }
    return { done: true, warnings, ...traced() };
  } catch (thrown) {
    if (thrown instanceof LockLostError) return { lockLost: true };
    const { code, message, why, hint, errorCode: word, meaning } = toFailure(thrown);
    const { retry } = meaning;
    return { code, what: message, ...(why && { why }), ...(hint && { hint }), ...(word && { word }), retry };
  } finally {
    await held.release();
  }
}

function parseInput(json: string): ReadHelperInput | undefined {
  return unlessInvalid(() => readLeniently(helperInput, parseJsonIfValid(json)));
}

export interface HelperResult {
  readonly warnings: readonly string[];
  readonly trace?: readonly string[];
  readonly unstored?: UnstoredTokens;
  readonly failure?: Failure;
}

/** Parses the helper's output; undefined if the helper was killed before it could write any. */
export function parseHelperOutput(json: string): HelperResult | undefined {
  const value = parseJsonIfValid(json);
  if (typeof value !== 'object' || value === null) return undefined;
  if ('done' in value && 'warnings' in value && Array.isArray(value.warnings)) {
    const unstored = 'unstored' in value ? parseUnstoredTokens(value.unstored) : undefined;
    const trace = 'trace' in value && Array.isArray(value.trace) ? value.trace.map(String) : [];
    return {
      warnings: value.warnings.map(String),
      ...(trace.length > 0 && { trace }),
      ...(unstored && { unstored }),
    };
  }
  const members = new Map<string, unknown>(Object.entries(value));
  const textOf = (name: string) => {
    const member = members.get(name);
    return typeof member === 'string' ? member : undefined;
  };
  const code = textOf('code');
  const message = textOf('what');
  if (code === undefined || !isFailureCode(code) || message === undefined) return undefined;
  const failure = new Failure(code, {
    message,
    why: textOf('why'),
    hint: textOf('hint'),
    errorCode: textOf('word'),
    retry: (['soon', 'later', 'never'] as const).find((retry) => retry === textOf('retry')),
  });
  return { warnings: [], failure };
}

function parseUnstoredTokens(value: unknown): UnstoredTokens | undefined {
  return unlessInvalid(() => readLeniently(unstoredTokens, value));
}
