// Reads all bytes of the file that a flag or an argument names: a regular file, a pipe or a device.

import { errorMessage, usageError } from '#failure.ts';
import type { World } from '#world/world.ts';

export interface FileHints {
  readonly missing?: string;
  readonly unreadable?: string;
}

/**
 * Throws a usage failure if the file cannot be read or is too large. `name` begins the message: `--secret-file`; empty for
 * an argument that needs none.
 */
export async function readFileBytes(
  { files }: Pick<World, 'files'>,
  path: string,
  name: string,
  maxBytes: number,
  hints: FileHints = {},
): Promise<Uint8Array> {
  const prefix = name === '' ? '' : `${name}: `;
  if (path === '')
    throw usageError(`${prefix}${name === '' ? 'The' : 'the'} path of the file is empty`, hints.missing);
  let bytes: Uint8Array | undefined;
  try {
    const stream = await files.stream(path);
    bytes = stream && (await readUpTo(stream, maxBytes + 1));
  } catch (error) {
    throw usageError(
      `${name === '' ? 'Cannot' : `${prefix}cannot`} read ${path}`,
      hints.unreadable,
      errorMessage(error),
    );
  }
  if (bytes === undefined) throw usageError(`${prefix}${path} does not exist`, hints.missing);
  if (bytes.length > maxBytes) throw usageError(`${prefix}${path} is larger than ${maxBytes} bytes`);
  return bytes;
}

/** Reads only the first bytes: a device or a pipe may never end. */
async function readUpTo(stream: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of stream) {
    pieces.push(piece);
    length += piece.length;
    if (length >= maxBytes) break;
  }
  return Buffer.concat(pieces);
}
