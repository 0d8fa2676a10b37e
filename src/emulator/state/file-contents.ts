// The bytes of attached files, for downloads. Only in memory, not in the data file. Above a limit, the oldest files are dropped.

import { maxStoredFileBytes } from '../http/multipart.ts';
import { sample } from './sample-ids.ts';

const maxTotalBytes = 4 * maxStoredFileBytes;

/** A picture of one pixel. */
const samplePicture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

export function createFileContents() {
  /** In the order of their upload. */
  const files = new Map<string, Uint8Array>();
  let total = 0;

  function remove(id: string): void {
    total -= files.get(id)?.length ?? 0;
    files.delete(id);
  }

  return {
    /** Undefined for a dropped file. */
    get: (id: string) => files.get(id) ?? (id === sample.attachment ? samplePicture : undefined),
    set(id: string, content: Uint8Array) {
      remove(id);
      files.set(id, content);
      total += content.length;
      for (const oldest of files.keys()) {
        if (total <= maxTotalBytes) break;
        remove(oldest);
      }
    },
    delete: remove,
    clear() {
      files.clear();
      total = 0;
    },
  };
}
