// The note that a renewal is under way, on disk before the request leaves. Whoever finds one left behind knows that an
// answer may have been lost, and for which refresh token. It holds no secret: a hash tells one token from another.

import { createHash } from 'node:crypto';
import { Failure } from '../failure.ts';
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

/** True where a renewal of this very item was begun, and nobody noted its end. */
export async function wasBegun(world: Place, profile: string, item: TokenItem): Promise<boolean> {
  const path = pathOf(world, profile);
  const note = await world.files.read(path).catch(trouble(path));
  return note !== undefined && new TextDecoder().decode(note) === noteOf(item);
}

export async function noteBegin(world: Place, profile: string, item: TokenItem): Promise<void> {
  const path = pathOf(world, profile);
  await world.files.write(path, noteOf(item), { mode: 0o600 }).catch(trouble(path));
}

/** Never fails: a note that stays says nothing of the item that is kept by now. */
export async function noteEnd(world: Place, profile: string): Promise<void> {
  await world.files.remove(pathOf(world, profile)).catch(() => false);
}
