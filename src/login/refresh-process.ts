// The helper process that refreshes tokens, separate from the command that needs them, so that killing the command does not
// lose the response. It inherits the profile's lock, reads its input from standard input and the tokens from the store, and
// writes its result to standard output. Through that pipe passes no secret, except an access token that could not be stored:
// nothing else has it.

import { formatJson, parseJsonIfValid } from '#contract/json.ts';
import * as s from '#contract/schema.ts';
import { Failure, isFailureCode, toFailure } from '#failure.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { HeldLock, World } from '#world/world.ts';
import { openProfileStore } from './open-token-store.ts';
import { findProfile, saveProfile } from './profile.ts';
import { LockLostError, refreshTokens } from './refresh.ts';
import { waitForOtherRefresh } from './refresh-marker.ts';

const helperInput = s.object('helper input', {
  profile: s.text('profile'),
  /** The value of WM_TOKEN_STORE, for a profile that does not record its store. */
  store: s.optional(s.text('token store')),
  /** The generation to refresh; if the store holds another one, it has been refreshed already. */
  generation: s.number('generation'),
  /** The inherited lock; without it the helper must acquire the lock itself. */
  descriptor: s.optional(s.number('descriptor')),
  lockPath: s.text('path'),
  /** Further certificates to trust (--ca), PEM. */
  certificates: s.optional(s.text('certificates')),
});

export type HelperInput = s.TypeOf<typeof helperInput>;

/** Tokens that could not be stored: as much of them as the command needs. */
const unstoredTokens = s.object('tokens', {
  accessToken: s.text('token'),
  host: s.text('host'),
  expiresAt: s.optional(s.number('milliseconds')),
});

/** Never invalid: a result may hold the only copy of the tokens. */
const line = { ...s.text('line'), readLeniently: String };

const helperResult = s.object('helper result', {
  done: s.boolean,
  warnings: s.list(line),
  trace: s.optional(s.list(line)),
  unstored: s.optional(unstoredTokens),
});

const helperFailure = s.object('helper failure', {
  code: s.text('failure code'),
  message: s.text('message'),
  why: s.optional(s.text('reason')),
  hint: s.optional(s.text('hint')),
  errorCode: s.optional(s.text('error code')),
  retry: s.optional(s.choice('retry', ['soon', 'later', 'never'])),
});

/** `lockLost`: nothing was sent, and the lock must be acquired again. */
type HelperOutput =
  | s.TypeOf<typeof helperResult>
  | { readonly lockLost: true }
  | s.TypeOf<typeof helperFailure>;

const lockMs = 30_000;
const maxInputBytes = 4 * 1024 * 1024;

/** Runs the helper process: one refresh, from standard input to standard output. Never throws. */
export async function runRefreshProcess(world: World): Promise<void> {
  const json = new TextDecoder().decode(await world.streams.input.readAll(maxInputBytes));
  const input = s.unlessInvalid(() => s.readLeniently(helperInput, parseJsonIfValid(json)));
  if (input) await refreshStoredTokens(world, input);
  else await writeOutput(world, { code: 'internal', message: 'invalid input' });
}

async function writeOutput(world: World, output: HelperOutput, end = ''): Promise<void> {
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
  await world.streams.output.write(safe + end);
}

async function refreshStoredTokens(world: World, input: HelperInput): Promise<void> {
  const held =
    input.descriptor === undefined
      ? await world.lock.acquire(input.lockPath, { timeoutMs: lockMs })
      : await world.lock.adopt(input.descriptor, input.lockPath);
  if (!held) return writeOutput(world, { code: 'other', message: 'Cannot lock the sign-in' });
  try {
    const { output, storing } = await refreshUnderLock(world, input, held);
    // The line break lets the command go on before this process has ended.
    await writeOutput(world, output, storing && '\n');
    await storing;
  } finally {
    await held.release();
  }
}

/** `storing`: what this process still does once the command has the output. */
async function refreshUnderLock(
  world: World,
  input: HelperInput,
  held: HeldLock,
): Promise<{ readonly output: HelperOutput; readonly storing?: Promise<void> | undefined }> {
  let storing: Promise<void> | undefined;
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
      const result = await refreshTokens(refreshWorld, store, profile, item, held, (line) =>
        trace.push(line),
      );
      const { tokens: next, warning, unusableReason } = result;
      if (warning) warnings.push(warning);
      storing = result.storing;
      if (result.isUnstored && !unusableReason) {
        const unstored = s.readLeniently(unstoredTokens, next);
        return { output: { done: true, warnings, ...traced(), unstored }, storing };
      }
      if (next.host !== profile.host) await saveProfile(world, { ...profile, host: next.host });
      if (unusableReason) throw unusableReason;
    }
    return { output: { done: true, warnings, ...traced() } };
  } catch (thrown) {
    if (thrown instanceof LockLostError) return { output: { lockLost: true } };
    const { code, message, why, hint, errorCode, meaning } = toFailure(thrown);
    const failure = { code, message, ...omitUndefined({ why, hint, errorCode }), retry: meaning.retry };
    return { output: failure, storing };
  }
}

type HelperResult = Partial<Omit<s.TypeOf<typeof helperResult>, 'done'>> & { readonly failure?: Failure };

/** Parses the helper's output; undefined if the helper was killed before it could write any. */
export function parseHelperOutput(json: string): HelperResult | undefined {
  const value = parseJsonIfValid(json);
  const result = s.unlessInvalid(() => s.readLeniently(helperResult, value));
  if (result) {
    const { done: _, ...rest } = result;
    return rest;
  }
  const failed = s.unlessInvalid(() => s.readLeniently(helperFailure, value));
  if (!failed || !isFailureCode(failed.code)) return undefined;
  return { failure: new Failure(failed.code, failed) };
}
