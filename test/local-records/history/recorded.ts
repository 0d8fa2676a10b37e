// The history: its lines as they are on the disk, and what is shown of a task's updates.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sample } from '#emulator/state/sample-ids.ts';
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

export const updateTask = (title: string) => ['task', 'update', sample.task, '--title', title, '--json'];

/** As `wm history` shows them, oldest first. */
export async function outcomes(stage: Emulated, environment: Readonly<Record<string, string>> = {}) {
  const ran = await stage.wm(['history', '--json'], { exit: 0, environment });
  const entries: readonly { outcome: string }[] = JSON.parse(ran.output);
  return entries.map(({ outcome }) => outcome);
}
