// The helper process that refreshes tokens, separate from the command that needs them, so that killing the command does not
// lose the response. It inherits the profile's lock, reads its input from standard input and the tokens from the store, and
// writes its result to standard output. Through that pipe passes no secret, except an access token that could not be stored:
// nothing else has it.

import { parseJson, parseJsonIfValid } from '../contract/json.ts';
import { Failure, type FailureCode, isFailureCode, toFailure } from '../failure.ts';
import type { World } from '../world/world.ts';
import { openProfileStore } from './open-token-store.ts';
import { findProfile, saveProfile } from './profile.ts';
import { LockLostError, refreshTokens } from './refresh.ts';
import { waitForOtherRefresh } from './refresh-marker.ts';
import type { StoredTokens } from './token-store.ts';

export interface HelperInput {
  readonly profile: string;
  /** The value of WM_TOKEN_STORE, for a profile that does not record its store. */
  readonly store: string | undefined;
  /** The generation to refresh; if the store holds another one, it has been refreshed already. */
  readonly generation: number;
  /** The inherited lock; undefined if the helper must acquire it itself. */
  readonly descriptor: number | undefined;
  readonly lockPath: string;
  /** Further certificates to trust (--ca), PEM. */
  readonly certificates: string | undefined;
}

export type HelperOutput =
  | { readonly done: true; readonly warnings: readonly string[]; readonly unstored?: UnstoredTokens }
  /** Nothing was sent: the lock must be acquired again. */
  | { readonly lockLost: true }
  | {
      readonly code: FailureCode;
      readonly what: string;
      readonly why?: string;
      readonly hint?: string;
      readonly word?: string;
    };

/** Tokens that could not be stored: as much of them as the command needs. */
export type UnstoredTokens = Pick<StoredTokens, 'accessToken' | 'host' | 'expiresAt'>;

/** How long it waits for a lock that it could not inherit. */
const lockMs = 30_000;
const maxInputBytes = 4 * 1024 * 1024;

/** Runs the helper process: one refresh, from standard input to standard output. Never throws; see HelperOutput. */
export async function runRefreshProcess(world: World): Promise<void> {
  const input = parseInput(new TextDecoder().decode(await world.streams.input.readAll(maxInputBytes)));
  const output = input
    ? await refreshStoredTokens(world, input)
    : { code: 'internal' as const, what: 'invalid input' };
  const { redact, redactJson } = world.secrets;
  // The access token must stay as it is; everything that a user may read is redacted.
  const safe =
    'done' in output
      ? JSON.stringify({ ...output, warnings: output.warnings.map((warning) => redact(warning)) })
      : redactJson(output);
  await world.streams.output.write(safe);
}

async function refreshStoredTokens(world: World, input: HelperInput): Promise<HelperOutput> {
  const held =
    input.descriptor === undefined
      ? await world.lock.acquire(input.lockPath, { timeoutMs: lockMs })
      : world.lock.adopt(input.descriptor, input.lockPath);
  if (!held) return { code: 'other', what: 'Cannot lock the sign-in' };
  const warnings: string[] = [];
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
      const renewing = { ...world, http };
      const {
        tokens: next,
        warning,
        unusableReason,
        isUnstored,
      } = await refreshTokens(renewing, store, profile, item, held);
      if (warning) warnings.push(warning);
      if (isUnstored && !unusableReason) {
        const { accessToken, host, expiresAt } = next;
        return {
          done: true,
          warnings,
          unstored: { accessToken, host, ...(expiresAt === undefined ? {} : { expiresAt }) },
        };
      }
      if (next.host !== profile.host) await saveProfile(world, { ...profile, host: next.host });
      if (unusableReason) throw unusableReason;
    }
    return { done: true, warnings };
  } catch (thrown) {
    if (thrown instanceof LockLostError) return { lockLost: true };
    const { code, message, why, hint, errorCode: word } = toFailure(thrown);
    return { code, what: message, ...(why && { why }), ...(hint && { hint }), ...(word && { word }) };
  } finally {
    await held.release();
  }
}

function parseInput(text: string): HelperInput | undefined {
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null) return undefined;
  if (!('profile' in value && typeof value.profile === 'string')) return undefined;
  if (!('lockPath' in value && typeof value.lockPath === 'string')) return undefined;
  if (!('generation' in value && typeof value.generation === 'number')) return undefined;
  const { profile, lockPath, generation } = value;
  const store = 'store' in value && typeof value.store === 'string' ? value.store : undefined;
  const descriptor =
    'descriptor' in value && typeof value.descriptor === 'number' ? value.descriptor : undefined;
  const certificates =
    'certificates' in value && typeof value.certificates === 'string' ? value.certificates : undefined;
  return { profile, store, generation, descriptor, lockPath, certificates };
}

export interface HelperResult {
  readonly warnings: readonly string[];
  readonly unstored?: UnstoredTokens;
  readonly failure?: Failure;
}

/** Parses the helper's output; undefined if the helper was killed before it could write any. */
export function parseHelperOutput(text: string): HelperResult | undefined {
  const value = parseJsonIfValid(text);
  if (typeof value !== 'object' || value === null) return undefined;
  if ('done' in value && 'warnings' in value && Array.isArray(value.warnings)) {
    const unstored = 'unstored' in value ? parseUnstoredTokens(value.unstored) : undefined;
    return { warnings: value.warnings.map(String), ...(unstored && { unstored }) };
  }
  const members = new Map<string, unknown>(Object.entries(value));
  const textOf = (name: string) => {
    const member = members.get(name);
    return typeof member === 'string' ? member : undefined;
  };
  const code = textOf('code');
  if (code === undefined || !isFailureCode(code)) return undefined;
  const failure = new Failure(code, {
    message: textOf('what') ?? code,
    why: textOf('why'),
    hint: textOf('hint'),
    errorCode: textOf('word'),
  });
  return { warnings: [], failure };
}

function parseUnstoredTokens(value: unknown): UnstoredTokens | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!('accessToken' in value && typeof value.accessToken === 'string')) return undefined;
  if (!('host' in value && typeof value.host === 'string')) return undefined;
  const { accessToken, host } = value;
  const expiresAt = 'expiresAt' in value && typeof value.expiresAt === 'number' ? value.expiresAt : undefined;
  return { accessToken, host, ...(expiresAt === undefined ? {} : { expiresAt }) };
}
