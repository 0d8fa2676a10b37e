// The file that `wm task attach` sends: read as it is sent, never whole, and exactly as many bytes as it had at first.

import { basename } from 'node:path';
import type { FileToSend } from '#contract/file-to-send.ts';
import { errorMessage, usageError } from '#failure.ts';
import type { World } from '#world/world.ts';

/** `onBytes` is called with the number of bytes read so far, of each attempt. Throws a usage failure if it is not a regular file. */
export async function openFile(
  { files }: Pick<World, 'files'>,
  path: string,
  name: string | undefined,
  onBytes: (count: number) => void,
): Promise<FileToSend> {
  const invalid = (problem: string, hint?: string) => usageError(`FILE: ${path} ${problem}`, hint);
  let kind: Awaited<ReturnType<World['files']['kind']>>;
  try {
    kind = await files.kind(path);
  } catch (error) {
    throw usageError(`FILE: cannot read ${path}`, undefined, errorMessage(error));
  }
  if (kind === undefined) throw invalid('does not exist');
  if (kind === 'folder') throw invalid('is a folder', 'Give a file, such as an archive of the folder.');
  // The request says beforehand how long it is.
  if (kind !== 'file') throw invalid('is not a regular file', 'Write it to a file first, and attach that.');
  const size = await files.size(path);
  if (size === 0) throw invalid('is empty');
  return {
    name: name ?? basename(path),
    path,
    size,
    async open() {
      const stream = await files.stream(path);
      if (stream === undefined) throw invalid('does not exist any more');
      return exactly(stream, size, onBytes);
    },
  };
}

async function* exactly(
  stream: AsyncIterable<Uint8Array>,
  size: number,
  onBytes: (count: number) => void,
): AsyncGenerator<Uint8Array> {
  let count = 0;
  for await (const piece of stream) {
    const wanted = piece.subarray(0, size - count);
    count += wanted.length;
    onBytes(count);
    yield wanted;
    if (count === size) return;
  }
  throw new Error('the file became shorter while it was being sent');
}
