// Finds the journal that `webhook log` and `webhook replay` read: the folder that `webhook listen` writes.

import { commandHint, Failure } from '../../../failure.ts';
import type { Context } from '../../context.ts';
import { formatCommandWith } from '../../format-command.ts';
import { quoteForShell } from '../../shell-quote.ts';
import { journalFolder } from '../listen/journal-folder.ts';

/** @throws {Failure} `not_found` if there is no such folder: nothing was ever received there. */
export async function findJournal(context: Context, given: string | undefined): Promise<string> {
  const folder = journalFolder(context.world, given);
  if ((await context.world.files.kind(folder)) === 'folder') return folder;
  throw new Failure('not_found', {
    message: `No deliveries are stored in ${folder}`,
    why: 'there is no such folder',
    hint: commandHint(
      'To receive deliveries: ',
      formatCommandWith(context, 'webhook listen', [], ...journalFlagOf(context, given)),
    ),
  });
}

/** The flag as it must be repeated in a command for the same journal; none for the usual place. */
export function journalFlagOf(
  { world }: Pick<Context, 'world'>,
  given: string | undefined,
): readonly string[] {
  return given === undefined ? [] : ['--journal', quoteForShell(given, world.process.platform)];
}
