// Finds the journal that `webhook log` and `webhook replay` read: the folder that `webhook listen` writes.

import { commandHint, Failure } from '../../../failure.ts';
import type { Context } from '../../context.ts';
import { formatCommandWith } from '../../format-command.ts';
import { journalFlagOf, journalFolder } from '../listen/journal-folder.ts';

/** @throws {Failure} `not_found` if there is no such folder: nothing was ever received there. */
export async function findJournal(context: Context, given: string | undefined): Promise<string> {
  const folder = journalFolder(context.world, given);
  const kind = await context.world.files.kind(folder);
  if (kind === 'folder') return folder;
  if (kind !== undefined)
    throw new Failure('not_found', {
      message: `No deliveries are stored in ${folder}`,
      why: 'it is not a folder',
      hint: 'Give the folder that wm webhook listen writes to: --journal DIR',
    });
  throw new Failure('not_found', {
    message: `No deliveries are stored in ${folder}`,
    why: 'there is no such folder',
    hint: commandHint(
      'To receive deliveries: ',
      formatCommandWith(context, 'webhook listen', [], ...journalFlagOf(context, given)),
    ),
  });
}
