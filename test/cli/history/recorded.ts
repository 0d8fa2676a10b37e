// The lines of the history as they are on the disk.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Emulated } from '#test/app/emulated.ts';

export function historyFolder({ folder }: Pick<Emulated, 'folder'>): string {
  return join(folder, 'config', 'state', 'history');
}

export interface RecordedLine {
  readonly [member: string]: unknown;
}

/** Of all files, in the order of their names; none if there is no history. Then those of the undo log. */
export async function recordedLines(stage: Pick<Emulated, 'folder'>): Promise<readonly RecordedLine[]> {
  const undoable = await linesIn(join(stage.folder, 'config', 'state', 'undo'));
  const ofUndoable = undoable.flatMap(({ history }) => (history ? [history as RecordedLine] : []));
  return [...(await linesIn(historyFolder(stage))), ...ofUndoable];
}

async function linesIn(folder: string): Promise<readonly RecordedLine[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.ndjson')).toSorted();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return texts.flatMap((text) =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line)),
  );
}
