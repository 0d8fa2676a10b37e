// The small process that makes a renewal, apart from the command that needs it: killing the command cannot lose the
// answer. It inherits the profile's lock, reads what to renew from its own standard input and the token from the store,
// and says on standard output how it went. Only an access token
// that could not be stored passes between the two, through that pipe: nobody else has it.

import { parseJson, parseJsonIfValid } from '../contract/json.ts';
import { Failure, type FailureCode, isFailureCode, toFailure } from '../failure.ts';
import type { World } from '../world/world.ts';
import { findProfile, saveProfile } from './profile.ts';
import { openProfileStore } from './profile-store.ts';
import { LockLostError, refreshTokens } from './refresh.ts';
import type { StoredTokens } from './token-store.ts';
import { waitForOtherRefresh } from './wait-for-refresh.ts';

export interface HelperInput {
  readonly profile: string;
  /** What WM_TOKEN_STORE says: for a profile that does not note its store. */
  readonly store: string | undefined;
  /** The generation that is to be renewed; another one has been renewed already. */
  readonly generation: number;
  /** The inherited lock; nothing where the helper must take it itself. */
  readonly descriptor: number | undefined;
  readonly lockPath: string;
  /** What --ca holds: more certificates to trust, PEM. */
  readonly certificates: string | undefined;
}

export type HelperOutput =
  | { readonly done: true; readonly warnings: readonly string[]; readonly unstored?: UnstoredTokens }
  /** Nothing was done: the lock is to be taken anew. */
  | { readonly lockLost: true }
  | {
      readonly code: FailureCode;
      readonly what: string;
      readonly why?: string;
      readonly hint?: string;
      readonly word?: string;
    };

/** What the command needs of tokens that no store has. */
export type UnstoredTokens = Pick<StoredTokens, 'accessToken' | 'host' | 'expiresAt'>;

/** How long the helper waits for a lock that it could not inherit. */
const lockMs = 30_000;
const maxInputBytes = 4 * 1024 * 1024;

export async function runRefreshProcess(world: World): Promise<void> {
  const order = parseInput(new TextDecoder().decode(await world.streams.input.readAll(maxInputBytes)));
  const report = order
    ? await refreshStoredTokens(world, order)
    : { code: 'internal' as const, what: 'not an order' };
  const { redact, redactJson } = world.secrets;
  // The token that nobody else has goes through as it is; everything that a person may read does not.
  const safe =
    'done' in report
      ? JSON.stringify({ ...report, warnings: report.warnings.map((warning) => redact(warning)) })
      : redactJson(report);
  await world.streams.output.write(safe);
}

async function refreshStoredTokens(world: World, order: HelperInput): Promise<HelperOutput> {
  const held =
    order.descriptor === undefined
      ? await world.lock.acquire(order.lockPath, { timeoutMs: lockMs })
      : world.lock.adopt(order.descriptor, order.lockPath);
  if (!held) return { code: 'other', what: 'The lock of the sign-in was not to be had' };
  const warnings: string[] = [];
  try {
    const profile = await findProfile(world, order.profile);
    const store = openProfileStore(world, profile, order.store);
    const readItem = async () => profile && (await store.read(profile.name));
    if (profile) await waitForOtherRefresh(world, profile.name, held.id, readItem);
    const item = await readItem();
    if (profile && item?.generation === order.generation) {
      const { certificates } = order;
      const http =
        (certificates === undefined ? undefined : await world.http.withCertificates?.(certificates)) ??
        world.http;
      const renewing = { ...world, http };
      const {
        item: next,
        warning,
        unusable,
        isUnstored,
      } = await refreshTokens(renewing, store, profile, item, held);
      if (warning) warnings.push(warning);
      if (isUnstored && !unusable) {
        const { accessToken, host, expiresAt } = next;
        return {
          done: true,
          warnings,
          unstored: { accessToken, host, ...(expiresAt === undefined ? {} : { expiresAt }) },
        };
      }
      if (next.host !== profile.host) await saveProfile(world, { ...profile, host: next.host });
      if (unusable) throw unusable;
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

/** What the helper said; nothing where it died before it could say anything. */
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
