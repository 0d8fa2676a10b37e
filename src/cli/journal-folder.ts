// Finds the folder of the deliveries that `wm webhook listen` stores, and the URL to which it last forwarded them.

import { isAbsolute, join, resolve } from 'node:path';
import { list, object, optional, type TypeOf, text } from '#contract/schema.ts';
import { readRecord, writeRecord } from '#local-records/json-records.ts';
import type { World } from '#world/world.ts';
import { type Flag, textFlag } from './flags/flag.ts';
import { flagWords } from './format-command.ts';

export const journalFlag: Flag<string> = textFlag('DIR', 'The folder of the journal of deliveries');

export function journalFolder({ files }: Pick<World, 'files'>, path: string | undefined): string {
  if (path === undefined) return join(files.stateFolder, 'deliveries');
  return isAbsolute(path) ? path : resolve(files.currentFolder, path);
}

/** The flag that a command for the same journal must repeat; empty for the default folder. */
export function journalFlagOf(path: string | undefined): readonly string[] {
  return flagWords('--journal', path);
}

const lastTarget = object('last target', {
  forwardTo: optional(text('URL')),
  routes: optional(list(object('route', { events: list(text('event')), url: text('URL') }))),
});

/** The last target of deliveries, without headers, which may hold secrets. */
export type LastTarget = TypeOf<typeof lastTarget>;

const targetFile = (folder: string) => join(folder, 'target.json');

export async function storeLastTarget({ files }: Pick<World, 'files'>, folder: string, target: LastTarget) {
  await writeRecord(files, targetFile(folder), target);
}

/** Empty if `listen` has not forwarded from this journal, or the file is damaged. Rejects if the file cannot be read. */
export async function readLastTarget({ files }: Pick<World, 'files'>, folder: string): Promise<LastTarget> {
  return (await readRecord(files, targetFile(folder), lastTarget)) ?? {};
}
