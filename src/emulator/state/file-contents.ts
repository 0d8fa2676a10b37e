// The bytes of the files that were attached, so that a download returns what was uploaded. In memory alone, up to a limit: the
// oldest go first. The data file does not hold them.

import { maxStoredFileBytes } from '../http/multipart.ts';
import { sample } from './sample-ids.ts';

const maxTotalBytes = 4 * maxStoredFileBytes;

/** A picture of one pixel. */
const samplePicture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

export type FileContents = ReturnType<typeof createFileContents>;

export function createFileContents() {
  // In the order in which they came.
  const kept = new Map<string, Uint8Array>();
  let total = 0;

  function remove(id: string): void {
    total -= kept.get(id)?.length ?? 0;
    kept.delete(id);
  }

  return {
    /** Undefined if it was not kept. */
    get: (id: string) => kept.get(id) ?? (id === sample.attachment ? samplePicture : undefined),
    set(id: string, content: Uint8Array) {
      remove(id);
      kept.set(id, content);
      total += content.length;
      for (const oldest of kept.keys()) {
        if (total <= maxTotalBytes) break;
        remove(oldest);
      }
    },
    delete: remove,
    clear() {
      kept.clear();
      total = 0;
    },
  };
}
