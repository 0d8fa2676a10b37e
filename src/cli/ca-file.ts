// `--ca FILE`: trusts more certificates than Node's own, for every TLS connection of the command. Never turns verification off.

import { failWith } from '#failure.ts';
import type { World } from '#world/world.ts';
import { readFileBytes } from './file-value.ts';

/** A bundle of all public authorities has about 250 KB. */
const maxBytes = 1024 * 1024;

/** Returns a world whose http also trusts the certificates in the file. Throws a usage failure for an invalid file. */
export async function trustCaFile(world: World, path: string, flag = '--ca'): Promise<World> {
  const unreadable = 'Give a file that contains certificates in PEM format.';
  const certificates = new TextDecoder().decode(
    await readFileBytes(world, path, flag, maxBytes, { unreadable }),
  );
  const message = `${flag}: ${path} contains no certificate in PEM format`;
  const hint = 'A certificate begins with -----BEGIN CERTIFICATE-----.';
  const http = await world.http.withCertificates?.(certificates).catch(failWith('usage', message, hint));
  return http ? { ...world, http } : world;
}
