// The lines of the history as they are on the disk.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Emulated } from '#test/support/program/emulated.ts';

export function historyFolder({ folder }: Pick<Emulated, 'folder'>): string {
  return join(folder, 'config', 'state', 'history');
}

export interface RecordedLine {
  readonly [member: string]: unknown;
}

/** Of all files, in the order of their names; none if there is no history. */
export async function recordedLines(stage: Pick<Emulated, 'folder'>): Promise<readonly RecordedLine[]> {
  const folder = historyFolder(stage);
  const names = (await readdir(folder).catch(() => [])).toSorted();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return texts.flatMap((text) =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line)),
  );
}
