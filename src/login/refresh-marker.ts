// The note that a renewal is under way, on disk before the request leaves. Whoever finds one left behind knows that an
// answer may have been lost, and for which refresh token. It holds no secret: a hash tells one token from another.

import { createHash } from 'node:crypto';
import { parseJsonIfValid } from '../contract/json.ts';
import { Failure } from '../failure.ts';
import type { World } from '../world/world.ts';
import { removeLeftovers } from './leftovers.ts';
import type { StoredTokens } from './token-store.ts';

type Place = Pick<World, 'files'>;

function markerPath({ files }: Place, profile: string): string {
  return `${files.configFolder}/renewals/${profile}.json`;
}

interface RefreshMarker {
  readonly generation: number;
  readonly refreshTokenSha256: string;
  /** The lock under which it was written. Markers of earlier versions do not name theirs. */
  readonly lock?: string;
  /** When it was written, as milliseconds since 1970. */
  readonly at?: number;
}

function createMarker({ generation, refreshToken }: StoredTokens): RefreshMarker {
  const refreshTokenSha256 = createHash('sha256')
    .update(refreshToken ?? '')
    .digest('hex');
  return { generation, refreshTokenSha256 };
}

/** Nothing has been sent yet, and without a note nothing is. */
function markerFailure(path: string): (error: unknown) => never {
  return (error) => {
    throw new Failure('other', {
      message: `The sign-in was not renewed: the note of it, ${path}, cannot be written`,
      why: error instanceof Error ? error.message : undefined,
      hint: 'The sign-in is kept. The folder must be yours, and there must be room; then run the command again.',
      cause: error,
    });
  };
}

async function readMarker(world: Place, profile: string): Promise<RefreshMarker | undefined> {
  const path = markerPath(world, profile);
  const bytes = await world.files.read(path).catch(markerFailure(path));
  return bytes && parseMarker(new TextDecoder().decode(bytes));
}

/** False where no refresh of this very item was begun, or its end is noted. */
export async function isRefreshInFlight(world: Place, profile: string, item: StoredTokens): Promise<boolean> {
  const found = await readMarker(world, profile);
  const expected = createMarker(item);
  return (
    found?.generation === expected.generation && found.refreshTokenSha256 === expected.refreshTokenSha256
  );
}

/**
 * True where a refresh was begun under another lock than the one with the id `lock`, and less than `longestMs` ago: whoever
 * began it may still be at it.
 */
export async function isRefreshInFlightElsewhere(
  world: Place & Pick<World, 'clock'>,
  profile: string,
  lock: string,
  longestMs: number,
): Promise<boolean> {
  const found = await readMarker(world, profile);
  if (found?.lock === undefined || found.lock === lock) return false;
  const ago = found.at === undefined ? 0 : world.clock.now() - found.at;
  // A time still to come is of a clock that was wrong.
  return ago < longestMs;
}

/** Nothing for a marker that was torn: what follows it was never sent. */
function parseMarker(text: string): RefreshMarker | undefined {
  const value = parseJsonIfValid(text);
  if (typeof value !== 'object' || value === null) return undefined;
  if (!('generation' in value && typeof value.generation === 'number')) return undefined;
  if (!('refreshTokenSha256' in value && typeof value.refreshTokenSha256 === 'string')) return undefined;
  const { generation, refreshTokenSha256 } = value;
  const lock = 'lock' in value && typeof value.lock === 'string' ? value.lock : undefined;
  const at = 'at' in value && typeof value.at === 'number' ? value.at : undefined;
  return {
    generation,
    refreshTokenSha256,
    ...(lock === undefined ? {} : { lock }),
    ...(at === undefined ? {} : { at }),
  };
}

/** `lock`: the id of the one that is held. */
export async function writeRefreshMarker(
  world: Place & Pick<World, 'clock'>,
  profile: string,
  item: StoredTokens,
  lock: string,
): Promise<void> {
  const path = markerPath(world, profile);
  const marker: RefreshMarker = { ...createMarker(item), lock, at: world.clock.now() };
  await world.files.write(path, JSON.stringify(marker), { mode: 0o600 }).catch(markerFailure(path));
}

/** Never fails: a marker that stays says nothing of the item that is kept by now. Under the lock. */
export async function removeRefreshMarker(world: Place, profile: string): Promise<void> {
  const path = markerPath(world, profile);
  await world.files.remove(path).catch(() => false);
  await removeLeftovers(world, path);
}
