// Finds the folder of the deliveries that `wm webhook listen` stores, and the URL to which it last forwarded them.

import { isAbsolute, join, resolve } from 'node:path';
import { isJsonObject, parseJsonIfValid } from '#contract/json.ts';
import { list, object, optional, readLeniently, type TypeOf, text } from '#contract/schema.ts';
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
const maxBytes = 1024 * 1024;

export async function storeLastTarget(
  { files }: Pick<World, 'files'>,
  folder: string,
  target: LastTarget,
): Promise<void> {
  await files.write(targetFile(folder), `${JSON.stringify(target)}\n`, { mode: 0o600 });
}

/** `undefined` if `listen` has not forwarded from this journal. Rejects if the file cannot be read. */
export async function readLastTarget(
  { files }: Pick<World, 'files'>,
  folder: string,
): Promise<LastTarget | undefined> {
  const bytes = await files.read(targetFile(folder), { maxBytes });
  if (bytes === undefined) return undefined;
  const parsed = parseJsonIfValid(new TextDecoder().decode(bytes));
  return isJsonObject(parsed) ? readLeniently(lastTarget, parsed) : {};
}
