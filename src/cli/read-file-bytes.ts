// Reads all bytes of the file that a flag or an argument names: a regular file, a pipe or a device.

import { errorMessage, usageError } from '#failure.ts';
import type { World } from '#world/world.ts';

/**
 * Throws a usage failure if the file cannot be read or is too large. `name` begins the message: `--secret-file`; empty for
 * an argument that needs none.
 */
export async function readFileBytes(
  { files }: Pick<World, 'files'>,
  path: string,
  name: string,
  most: number,
  hints: { readonly missing?: string; readonly unreadable?: string } = {},
): Promise<Uint8Array> {
  const of = name === '' ? '' : `${name}: `;
  if (path === '')
    throw usageError(`${of}${name === '' ? 'The' : 'the'} path of the file is empty`, hints.missing);
  let bytes: Uint8Array | undefined;
  try {
    const stream = await files.stream(path);
    bytes = stream && (await readUpTo(stream, most + 1));
  } catch (error) {
    throw usageError(
      `${of}${name === '' ? 'Cannot' : 'cannot'} read ${path}`,
      hints.unreadable,
      errorMessage(error),
    );
  }
  if (bytes === undefined) throw usageError(`${of}${path} does not exist`, hints.missing);
  if (bytes.length > most) throw usageError(`${of}${path} is larger than ${most} bytes`);
  return bytes;
}

/** Reads only the first bytes: a device or a pipe may never end. */
async function readUpTo(stream: AsyncIterable<Uint8Array>, most: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of stream) {
    pieces.push(piece);
    length += piece.length;
    if (length >= most) break;
  }
  return Buffer.concat(pieces);
}
