// The note that a renewal is under way, on disk before the request leaves. Whoever finds one left behind knows that an
// answer may have been lost, and for which refresh token. It holds no secret: a hash tells one token from another.

import { createHash } from 'node:crypto';
import { parseJson } from '../contract/json.ts';
import { Failure } from '../failure.ts';
import type { World } from '../world/world.ts';
import { removeLeftovers } from './leftovers.ts';
import type { TokenItem } from './store.ts';

type Place = Pick<World, 'files'>;

function pathOf({ files }: Place, profile: string): string {
  return `${files.configFolder}/renewals/${profile}.json`;
}

interface Marker {
  readonly generation: number;
  readonly refreshTokenSha256: string;
  /** The lock under which it was written. Markers of earlier versions do not name theirs. */
  readonly lock?: string;
}

function markerOf({ generation, refreshToken }: TokenItem): Marker {
  const refreshTokenSha256 = createHash('sha256')
    .update(refreshToken ?? '')
    .digest('hex');
  return { generation, refreshTokenSha256 };
}

/** Nothing has been sent yet, and without a note nothing is. */
function trouble(path: string): (error: unknown) => never {
  return (error) => {
    throw new Failure('other', {
      what: `The sign-in was not renewed: the note of it, ${path}, cannot be written`,
      why: error instanceof Error ? error.message : undefined,
      hint: 'The sign-in is kept. The folder must be yours, and there must be room; then run the command again.',
      cause: error,
    });
  };
}

/**
 * What the marker says of this very item: no refresh of it was begun (or its end is noted), the one who began it has died,
 * or, where another lock than `lock` was held then, may still be at it.
 */
export async function beginningOf(
  world: Place,
  profile: string,
  item: TokenItem,
  lock: string,
): Promise<'none' | 'died' | 'may live'> {
  const path = pathOf(world, profile);
  const bytes = await world.files.read(path).catch(trouble(path));
  const found = bytes && decode(new TextDecoder().decode(bytes));
  const expected = markerOf(item);
  if (found?.generation !== expected.generation) return 'none';
  if (found.refreshTokenSha256 !== expected.refreshTokenSha256) return 'none';
  return found.lock === undefined || found.lock === lock ? 'died' : 'may live';
}

/** Nothing for a marker that was torn: what follows it was never sent. */
function decode(text: string): Marker | undefined {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (!('generation' in value && typeof value.generation === 'number')) return undefined;
  if (!('refreshTokenSha256' in value && typeof value.refreshTokenSha256 === 'string')) return undefined;
  const { generation, refreshTokenSha256 } = value;
  const lock = 'lock' in value && typeof value.lock === 'string' ? value.lock : undefined;
  return { generation, refreshTokenSha256, ...(lock === undefined ? {} : { lock }) };
}

/** `lock`: the id of the one that is held. */
export async function noteBegin(world: Place, profile: string, item: TokenItem, lock: string): Promise<void> {
  const path = pathOf(world, profile);
  const marker: Marker = { ...markerOf(item), lock };
  await world.files.write(path, JSON.stringify(marker), { mode: 0o600 }).catch(trouble(path));
}

/** Never fails: a marker that stays says nothing of the item that is kept by now. Under the lock. */
export async function noteEnd(world: Place, profile: string): Promise<void> {
  const path = pathOf(world, profile);
  await world.files.remove(path).catch(() => false);
  await removeLeftovers(world, path);
}
