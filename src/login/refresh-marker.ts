// The note on disk that a refresh is in flight, written before the request is sent. If it is still there later, the response
// may have been lost, and the refresh token may be used up. It holds no secret: a hash identifies the refresh token.

import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { parseJsonIfValid } from '#contract/json.ts';
import * as s from '#contract/schema.ts';
import { failWith } from '#failure.ts';
import type { World } from '#world/world.ts';
import type { StoredTokens } from './token-store.ts';

type MarkerWorld = Pick<World, 'files'>;

const pollMs = 200;
const noticeMs = 3000;
/** Two attempts, and the time to store the result. Shorter than a command waits for a refresh (lockLimits). */
const maxRefreshMs = 57_000;

function markerPath({ files }: MarkerWorld, profile: string): string {
  return join(files.configFolder, 'renewals', `${profile}.json`);
}

const refreshMarker = s.object('refresh marker', {
  generation: s.number('generation'),
  refreshTokenSha256: s.text('hash'),
  /** The id of the lock that its writer held. Earlier versions did not write it. */
  lock: s.optional(s.text('lock')),
  /** When it was written, in milliseconds since 1970. */
  at: s.optional(s.number('milliseconds')),
  /** True if the response arrived, and its tokens could not be stored. */
  arrived: s.optional(s.boolean),
});

type RefreshMarker = s.TypeOf<typeof refreshMarker>;

/** Tokens without a refresh token get the hash of an empty text, which matches no real marker. */
function createMarker({ generation, refreshToken = '' }: StoredTokens): RefreshMarker {
  const refreshTokenSha256 = createHash('sha256').update(refreshToken).digest('hex');
  return { generation, refreshTokenSha256 };
}

/** Without a marker nothing is sent, so the sign-in is still valid. */
const markerFailure = (path: string) =>
  failWith(
    'other',
    `Cannot refresh the sign-in: cannot write ${path}`,
    'The sign-in is unchanged. Check that the folder belongs to you and that the disk has room, then run the command again.',
  );

async function readMarker(world: MarkerWorld, profile: string): Promise<RefreshMarker | undefined> {
  const path = markerPath(world, profile);
  const bytes = await world.files.read(path).catch(markerFailure(path));
  const decoded = bytes && parseJsonIfValid(new TextDecoder().decode(bytes));
  // None for a marker that was only partly written: its request was never sent.
  return s.unlessInvalid(() => s.readLeniently(refreshMarker, decoded));
}

/** The marker of a refresh of these tokens that was started, and may not have ended. Throws `other` if it cannot be read. */
export async function findRefreshMarker(world: MarkerWorld, profile: string, tokens: StoredTokens) {
  const marker = await readMarker(world, profile);
  const expected = createMarker(tokens);
  const isSame =
    marker?.generation === expected.generation && marker.refreshTokenSha256 === expected.refreshTokenSha256;
  return isSame ? marker : undefined;
}

/**
 * Waits until no other process refreshes the stored tokens: it has stored new ones, has removed its marker, or started
 * longer ago than a refresh lasts. If the lock file was deleted, that process holds the lock on the deleted file, and this
 * one holds the lock on the new file, whose id is `lock`. `onWait` gets a line for the user, once, after three seconds.
 * @throws {Failure} `other` if the marker cannot be read.
 */
export async function waitForOtherRefresh(
  world: Pick<World, 'files' | 'clock'>,
  profile: string,
  lock: string,
  readTokens: () => Promise<StoredTokens | undefined>,
  onWait?: (line: string) => unknown,
): Promise<void> {
  const since = world.clock.now();
  for (let waited = 0; waited < maxRefreshMs; waited += pollMs) {
    if (!(await isRefreshInFlightElsewhere(world, profile, lock, since))) return;
    const tokens = await readTokens();
    if (!tokens || !(await findRefreshMarker(world, profile, tokens))) return;
    if (waited === noticeMs) onWait?.(otherRefreshMessage(world, profile));
    await world.clock.sleep(pollMs);
  }
}

export function otherRefreshMessage(world: MarkerWorld, profile: string): string {
  return `Waiting for another refresh of the sign-in ${profile}, recorded in ${markerPath(world, profile)} (up to ${maxRefreshMs / 1000} s).`;
}

/** `since`: when the wait began. A refresh that began later, by a clock that was set back, began then. */
export async function isRefreshInFlightElsewhere(
  world: Pick<World, 'files' | 'clock'>,
  profile: string,
  lock: string,
  since = world.clock.now(),
): Promise<boolean> {
  const marker = await readMarker(world, profile);
  if (marker?.lock === undefined || marker.lock === lock) return false;
  return world.clock.now() - Math.min(marker.at ?? since, since) < maxRefreshMs;
}

/** Synced to disk. `lock`: the id of the lock that the caller holds. @throws {Failure} `other` if it cannot be written. */
export async function writeRefreshMarker(
  world: MarkerWorld & Pick<World, 'clock'>,
  profile: string,
  tokens: StoredTokens,
  lock: string,
  arrived = false,
): Promise<void> {
  const path = markerPath(world, profile);
  const marker: RefreshMarker = { ...createMarker(tokens), lock, at: world.clock.now(), arrived };
  try {
    await world.files.write(path, JSON.stringify(marker), { mode: 0o600 });
    // `write` ignores it if the names cannot be synced: then a power cut could take the marker.
    for (const folder of [dirname(path), world.files.configFolder]) await world.files.syncFolder(folder);
  } catch (error) {
    markerFailure(path)(error);
  }
}

/** Never fails: a marker that stays does not match the tokens that are stored by now. The caller holds the lock of the profile. */
export async function removeRefreshMarker(world: MarkerWorld, profile: string): Promise<void> {
  const path = markerPath(world, profile);
  await world.files.remove(path).catch(() => false);
  await world.files.removeLeftovers(path);
}
