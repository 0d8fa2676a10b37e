// Reads what note-running.mjs wrote: which test files have stood still, and in which of their tests.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The processes in which nothing began or ended since `before` (milliseconds since 1970), each with its `file` and the names
 * of the `tests` that were running: none where it hangs before its first test or after its last.
 */
export async function hungTests(folder, before) {
  const notes = await Promise.all(
    (await readdir(folder)).map(async (name) => {
      // It may be gone, or half written: then the process is not standing still.
      try {
        return [JSON.parse(await readFile(join(folder, name), 'utf8'))];
      } catch {
        return [];
      }
    }),
  );
  return notes.flat().filter(({ since }) => since < before);
}
