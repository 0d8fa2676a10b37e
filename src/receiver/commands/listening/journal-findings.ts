// Describes damaged journal files when the receiver starts: what was found, what it may mean, and what is kept. It claims only what wm
// can know.

import { join } from 'node:path';
import type { Context } from '#cli/context.ts';
import { countOf } from '#cli/count-of.ts';
import { formatSize } from '#cli/format-size.ts';
import type { StartReport } from '#receiver/journal/open-journal.ts';
import { describeLost } from '#receiver/journal/segment.ts';
import type { Finding } from '#receiver/journal/start-up.ts';

export async function reportFindings(
  { report }: Pick<Context, 'report'>,
  folder: string,
  { findings, shortDisk }: Pick<StartReport, 'findings' | 'shortDisk'>,
): Promise<void> {
  if (shortDisk)
    await report.warn(
      `The disk of ${folder} takes only ${formatSize(shortDisk.free)} more, and the journal may have ${formatSize(shortDisk.maxBytes)} (--max-size). Once it is full, wm removes what was forwarded, the oldest first; if nothing is left to remove, it responds with 503.`,
    );
  for (const finding of findings)
    await report.warn(`${join(folder, finding.file)} ${describeFinding(finding)}`);
}

/** Returns sentences that continue the path of the file. */
function describeFinding({ kind, bytes, lost }: Finding): string {
  switch (kind) {
    case 'torn':
      return `ended in the middle of what was written last, and ${count(bytes)} cut off. wm acknowledges only what is whole: unless the file was changed since, nothing that was acknowledged is missing.`;
    case 'damaged':
      return 'is damaged; what can be read of it is used, and nothing of it is removed.';
    case 'damaged-end':
      return `ends with what cannot be read (${countOf(bytes, 'byte')}): an unfinished write, or acknowledged deliveries; wm cannot tell which. wm keeps these bytes, and stores new deliveries in a new file.`;
    case 'unreadable':
      return `${bytes === 0 ? 'is empty' : `holds nothing that can be read (${countOf(bytes, 'byte')})`}. Either wm was ended when it began this file, and nothing is missing, or the deliveries in it are lost. The files before it are used; the start after this one removes it.`;
    case 'cut':
      return `no longer begins as wm wrote it: another program has cut it${lost ? describeLost(lost) : ''}.`;
    case 'missing':
      return 'is missing; deliveries in it that were not forwarded are lost.';
  }
}

const count = (bytes: number) => countOf(bytes, 'byte was', 'bytes were');
