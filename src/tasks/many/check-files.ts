// Checks the files on the command line before anything is sent: a run that cannot write its results, or overwrites its input,
// must not start.

import { dirname } from 'node:path';
import { type Failure, failWith, usageError } from '#failure.ts';
import type { World } from '#world/world.ts';
import { lockOf, oldJournalOf } from './bulk-journal-place.ts';
import type { BulkFlags } from './flags.ts';

/** Throws a usage failure for a file that cannot be used. */
export async function checkFiles(
  { files }: Pick<World, 'files'>,
  { errors, from, journal, resume }: BulkFlags,
): Promise<void> {
  if (from !== undefined && from !== '-') {
    const kind = await files.kind(from).catch(failUnreadable(from));
    if (kind === 'folder') throw folderFailure('--from', from);
  }
  if (errors === '-')
    throw usageError('--errors needs a file', 'Standard output has the results, also of invalid rows.');
  if (journal !== undefined) await checkFile(files, '--journal', journal);
  const isSame = async (path: string | undefined, other: string) =>
    path !== undefined && path !== '-' && (await files.isSameFile(path, other));
  if (journal !== undefined && resume) {
    const old = oldJournalOf(journal);
    for (const [flag, path] of Object.entries({ '--from': from, '--errors': errors }))
      if (await isSame(path, old))
        throw usageError(
          `${flag} names ${old}, which --journal keeps for an earlier journal`,
          'Name another file.',
        );
  }
  if (errors === undefined) return;
  await checkFile(files, '--errors', errors);
  for (const [flag, path] of Object.entries({ '--from': from, '--journal': journal }))
    if (await isSame(path, errors)) throw sameFileFailure(flag);
}

/** For `catch`: the file of --from is there, but cannot be read. */
export const failUnreadable = (path: string) => failWith('usage', `--from: cannot read ${path}`);

/** Once the journal exists: only the file system knows whether two names are one file. Throws a usage failure. */
export async function checkErrorsFile({ files }: Pick<World, 'files'>, errors: string, journal: string) {
  if (await files.isSameFile(journal, errors)) throw sameFileFailure('--journal');
  if (await files.isSameFile(lockOf(journal), errors))
    throw usageError('--errors names the lock of the journal', 'Give --errors a file of its own.');
}

/** A missing folder is usually a typing error, so it is not created. */
async function checkFile(files: World['files'], flag: string, path: string): Promise<void> {
  const kind = await files.kind(path);
  if (kind === 'folder') throw folderFailure(flag, path);
  // Writing to a pipe waits for a reader, and a pipe cannot be synced to disk.
  if (kind === 'pipe')
    throw usageError(
      `${flag}: ${path} is a pipe`,
      'Use a regular file; you can read it when the update has finished.',
    );
  const folder = dirname(path);
  if ((await files.kind(folder)) !== 'folder')
    throw usageError(`${flag}: folder not found: ${folder}`, 'Create it, or name a file elsewhere.');
}

function sameFileFailure(flag: string): Failure {
  return usageError(
    `--errors and ${flag} name the same file`,
    'It would be overwritten. Give --errors a file of its own.',
  );
}

function folderFailure(flag: string, path: string): Failure {
  return usageError(`${flag}: ${path} is a folder`, 'Name a file in it.');
}
