// The note that a renewal is under way, on disk before the request leaves. Whoever finds one left behind knows that an
// answer may have been lost, and for which refresh token. It holds no secret: a hash tells one token from another.

import { createHash } from 'node:crypto';
import type { World } from '../world/world.ts';
import type { TokenItem } from './store.ts';

type Place = Pick<World, 'files'>;

function pathOf({ files }: Place, profile: string): string {
  return `${files.configFolder}/renewals/${profile}.json`;
}

function noteOf(item: TokenItem): string {
  const token = createHash('sha256')
    .update(item.refreshToken ?? '')
    .digest('hex');
  return JSON.stringify({ generation: item.generation, refreshTokenSha256: token });
}

/** True where a renewal of this very item was begun, and nobody noted its end. */
export async function wasBegun(world: Place, profile: string, item: TokenItem): Promise<boolean> {
  const note = await world.files.read(pathOf(world, profile));
  return note !== undefined && new TextDecoder().decode(note) === noteOf(item);
}

export async function noteBegin(world: Place, profile: string, item: TokenItem): Promise<void> {
  await world.files.write(pathOf(world, profile), noteOf(item), { mode: 0o600 });
}

export async function noteEnd(world: Place, profile: string): Promise<void> {
  await world.files.remove(pathOf(world, profile));
}
