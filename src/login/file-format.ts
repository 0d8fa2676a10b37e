// The format of a file in wm's folder. A file of a newer wm is neither read in part nor overwritten: its unknown members would be
// lost.

import { formatValue } from '#contract/schema.ts';
import { usageError } from '#failure.ts';
import { version } from '#version.ts';

/** Files of versions that recorded no format have the first one. @throws {Failure} `usage` for another format. */
export function assertKnownFormat(decoded: unknown, path: string, expected: number): void {
  if (typeof decoded !== 'object' || decoded === null || !('format' in decoded)) return;
  const { format } = decoded;
  if (format === expected) return;
  const writer = 'wm' in decoded && typeof decoded.wm === 'string' ? `, written by wm ${decoded.wm}` : '';
  throw usageError(
    `Cannot read ${path}`,
    'Use the wm that wrote it, or set WM_CONFIG_DIR to another folder for this version.',
    `it has format ${formatValue(format)}${writer}; this is wm ${version}, which knows format ${expected}`,
  );
}
