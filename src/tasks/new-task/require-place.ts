// What every creation needs: a title, and the folder, project or space that the new record belongs in.

import type { Context } from '#cli/context.ts';
import { formatCommand } from '#cli/format-command.ts';
import { resolvePlace } from '#cli/resolve/resolve-place.ts';
import { replaceError, ValidationError } from '#contract/schema.ts';
import { title as titleSchema } from '#contract/task.ts';
import { usageError } from '#failure.ts';

/** Throws a usage failure. */
export function assertTitle(title: string): void {
  replaceError(
    ValidationError,
    () => titleSchema.validate(title),
    ({ message }) => usageError(`TITLE: ${message}`),
  );
}

/** The value of --folder. Throws a usage failure if it is missing, before anything is looked up. */
export function requireFolderFlag(context: Context, folder: string | undefined): string {
  if (folder !== undefined) return folder;
  throw usageError(
    'Missing: --folder',
    `Give the folder, project or space that it belongs in, by its title or id. To see them: ${formatCommand(context, 'folder list')}`,
  );
}

/** Its id. */
export function resolveFolder(context: Context, folder: string): Promise<string> {
  return resolvePlace(context, folder, 'folder', ['folder', 'space']);
}
