// Reads a file at any position, such as a segment of a journal, even while another process appends to it.

import { hasCode, throwWithPath, withPath } from './file-error.ts';
import type { FileSystem } from './file-system.ts';
import type { ReadFile } from './world.ts';

/** Returns `undefined` if the file does not exist. Throws the system's own error, with the path. */
export async function openForReading(system: FileSystem, path: string): Promise<ReadFile | undefined> {
  try {
    const file = await system.promises.open(path, 'r');
    return {
      async read(position, length) {
        const bytes = Buffer.allocUnsafe(length);
        let end = 0;
        while (end < length) {
          const { bytesRead } = await file
            .read(bytes, end, length - end, position + end)
            .catch(throwWithPath(path));
          if (bytesRead === 0) break;
          end += bytesRead;
        }
        return bytes.subarray(0, end);
      },
      close: () => file.close(),
    };
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw withPath(error, path);
  }
}
