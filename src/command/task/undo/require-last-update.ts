// The last update of a task, or a failure with a hint if the log has none or is damaged.

import { commandHint, Failure, usageError } from '../../../failure.ts';
import { accountHost } from '../../account-host.ts';
import type { Context } from '../../context.ts';
import { formatCommandWith } from '../../format-command.ts';
import { type LastUpdate, readLastUpdate } from '../undo-log/last-update.ts';

export const emptyLogHint =
  'Updates made on a terminal can be undone. In a script, and with --from, add --undoable.';

/** Throws a {@link Failure} if the log has no update of the task, or is damaged where the last one may be. */
export async function requireLastUpdate(context: Context, task: string): Promise<LastUpdate> {
  const last = await readLastUpdate(context.world, await accountHost(context), task);
  if (!last) {
    throw new Failure('not_found', {
      message: `The undo log has no update of ${task}`,
      hint: emptyLogHint,
    });
  }
  if (!('damaged' in last)) return last;
  const { path, line } = last.damaged;
  throw usageError(
    `The undo log has a damaged entry for ${task}; the last update is unknown`,
    commandHint(
      'Nothing was sent. Show the task as it is now: ',
      formatCommandWith(context, 'task get', [task]),
    ),
    `${path}, line ${line}, cannot be read`,
  );
}
