// The one-time id in the samples of a verification, stored on this machine before they are sent. A receiver on this machine
// recognizes the samples by it and by the signature; a header could be forged on the way.

import { join } from 'node:path';
import { randomText } from '#random-values.ts';
import type { World } from '#world/world.ts';

type Place = Pick<World, 'files'>;

const pattern = /^IEWMVRFY[A-Z2-7]{8}$/;
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

const pathOf = ({ files }: Place, id: string): string => join(files.stateFolder, 'verifications', id);

/** The id is valid until `use` has ended. */
export async function withSampleId<T>(
  world: Place & Pick<World, 'randomBytes'>,
  use: (id: string) => Promise<T>,
): Promise<T> {
  const id = `IEWMVRFY${randomText(world, 8, letters)}`;
  // If the write fails, the receiver forwards the samples like any delivery.
  await world.files.write(pathOf(world, id), '', { mode: 0o600 }).catch(() => {});
  return use(id).finally(() => world.files.remove(pathOf(world, id)).catch(() => false));
}

/** Reads the disk only for an id of this form. */
export async function isSampleId(world: Place, id: string): Promise<boolean> {
  return pattern.test(id) && (await world.files.kind(pathOf(world, id)).catch(() => undefined)) === 'file';
}

export function findSampleId(body: Uint8Array): string | undefined {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  const index = bytes.indexOf('IEWMVRFY');
  return index === -1 ? undefined : bytes.toString('latin1', index, index + 16);
}
