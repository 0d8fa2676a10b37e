// Describes damaged journal files at the start: what was found, what it may mean, and what is kept. It claims only what wm knows.

import { join } from 'node:path';
import type { Context } from '#cli/context.ts';
import { countOf, formatSize } from '#cli/count-of.ts';
import type { StartReport } from '../core/journal/open-journal.ts';
import { describeLost } from '../core/journal/segment.ts';
import type { Finding } from '../core/journal/start-up.ts';

export async function reportFindings(
  { report }: Pick<Context, 'report'>,
  folder: string,
  { findings, shortDisk }: StartReport,
): Promise<void> {
  if (shortDisk)
    await report.warn(
      `The disk of ${folder} has only ${formatSize(shortDisk.free)} free, and the journal may grow to ${formatSize(shortDisk.maxBytes)} (--max-size). Once the disk is full, wm removes the oldest forwarded deliveries; if none is left, it responds with 503.`,
    );
  for (const finding of findings)
    await report.warn(`${join(folder, finding.file)} ${describeFinding(finding)}`);
}

/** Returns sentences that continue the path of the file. */
function describeFinding({ kind, bytes, lost }: Finding): string {
  switch (kind) {
    case 'torn':
      return `ended in an incomplete write, and ${count(bytes)} cut off. wm acknowledges only complete writes: unless another program changed the file, no acknowledged delivery is missing.`;
    case 'damaged':
      return 'is damaged. wm uses what it can read of it, and removes nothing.';
    case 'damaged-end':
      return `ends with ${countOf(bytes, 'byte')} that cannot be read: an unfinished write, or acknowledged deliveries; wm cannot tell which. It keeps these bytes, and stores new deliveries in a new file.`;
    case 'unreadable':
      return `${bytes === 0 ? 'is empty' : `has ${countOf(bytes, 'byte')}, none of which can be read`}. Either wm was ended when it began this file, and nothing is missing, or the deliveries in it are lost. wm uses the files before it, and removes this one at its next start.`;
    case 'cut':
      return `no longer begins as wm wrote it: another program has cut it${lost ? describeLost(lost) : ''}.`;
    case 'missing':
      return 'is missing; deliveries in it that were not forwarded are lost.';
  }
}

const count = (bytes: number) => countOf(bytes, 'byte was', 'bytes were');
