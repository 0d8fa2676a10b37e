// Reads the file of --ids: ids, titles or links, one a line.

import { decodeText } from '#cli/decode-text.ts';
import { readStandardInput } from '#cli/file-value.ts';
import { readFileBytes } from '#cli/read-file-bytes.ts';
import type { World } from '#world/world.ts';

/** A million ids. */
const maxBytes = 32 * 1024 * 1024;

/** `-` is standard input. A line with tabs, as `wm task list` prints it, counts by its first cell. Throws a usage failure. */
export async function readIdLines(world: World, path: string): Promise<readonly string[]> {
  const bytes = await (path === '-'
    ? readStandardInput(world, maxBytes, '--ids')
    : readFileBytes(world, path, '--ids', maxBytes));
  return decodeText(bytes)
    .split('\n')
    .map((line) => (line.split('\t')[0] ?? '').trim())
    .filter((id) => id !== '');
}
