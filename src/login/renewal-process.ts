// The small process that makes a renewal, apart from the command that needs it: killing the command cannot lose the
// answer. It inherits the profile's lock, reads what to renew from its own standard input and the token from the store,
// and says on standard output how it went. No secret passes between the two.

import { parseJson } from '../contract/json.ts';
import { asFailure, Failure, type FailureCode, isFailureCode } from '../failure.ts';
import type { World } from '../world/world.ts';
import { findProfile, saveProfile } from './profile.ts';
import { renew } from './renewal.ts';
import { storeOf } from './stored-where.ts';

export interface Order {
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

export type Report =
  | { readonly done: true; readonly warnings: readonly string[] }
  | {
      readonly code: FailureCode;
      readonly what: string;
      readonly why?: string;
      readonly hint?: string;
      readonly word?: string;
    };

/** How long the helper waits for a lock that it could not inherit. */
const lockMs = 30_000;
const orderBytes = 4 * 1024 * 1024;

export async function renewalHelper(world: World): Promise<void> {
  const order = readOrder(new TextDecoder().decode(await world.streams.input.readAll(orderBytes)));
  const report = order ? await carryOut(world, order) : { code: 'internal' as const, what: 'not an order' };
  await world.streams.output.write(JSON.stringify(report));
}

async function carryOut(world: World, order: Order): Promise<Report> {
  const held =
    order.descriptor === undefined
      ? await world.lock.take(order.lockPath, { timeoutMs: lockMs })
      : world.lock.adopt(order.descriptor);
  if (!held) return { code: 'other', what: 'The lock of the sign-in was not to be had' };
  const warnings: string[] = [];
  try {
    const profile = await findProfile(world, order.profile);
    const store = storeOf(world, profile, order.store);
    const item = profile && (await store.read(profile.name));
    if (profile && item?.generation === order.generation) {
      const { certificates } = order;
      const http =
        (certificates === undefined ? undefined : await world.http.trusting?.(certificates)) ?? world.http;
      const { item: next, warning, unusable } = await renew({ ...world, http }, store, profile, item);
      if (next.host !== profile.host) await saveProfile(world, { ...profile, host: next.host });
      if (unusable) throw unusable;
      if (warning) warnings.push(warning);
    }
    return { done: true, warnings };
  } catch (thrown) {
    const { code, message, why, hint, word } = asFailure(thrown);
    return { code, what: message, ...(why && { why }), ...(hint && { hint }), ...(word && { word }) };
  } finally {
    await held.release();
  }
}

function readOrder(text: string): Order | undefined {
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

export interface Said {
  readonly warnings: readonly string[];
  readonly failure?: Failure;
}

/** What the helper said; nothing where it died before it could say anything. */
export function readReport(text: string): Said | undefined {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if ('done' in value && 'warnings' in value && Array.isArray(value.warnings)) {
    return { warnings: value.warnings.map(String) };
  }
  const members = new Map<string, unknown>(Object.entries(value));
  const textOf = (name: string) => {
    const member = members.get(name);
    return typeof member === 'string' ? member : undefined;
  };
  const code = textOf('code');
  if (code === undefined || !isFailureCode(code)) return undefined;
  const failure = new Failure(code, {
    what: textOf('what') ?? code,
    why: textOf('why'),
    hint: textOf('hint'),
    word: textOf('word'),
  });
  return { warnings: [], failure };
}
