// Finds the last update of a task in the undo log, or fails with a hint if there is none or the log is damaged. Without a task
// on the command line, lets the user pick one from the log.

import { accountHost } from '#cli/account-host.ts';
import type { Context } from '#cli/context.ts';
import { toWords } from '#cli/flags/flag.ts';
import { Failure, usageError } from '#failure.ts';
import { formatRelativeTime } from '#terminal/relative-time.ts';
import { showTaskHint } from '../one/explain-failure.ts';
import { canPick, missingTask } from '../select/task-text.ts';
import { type LastUpdate, readLastUpdate } from '../undo-log/last-update.ts';
import { readLoggedTasks } from '../undo-log/logged-tasks.ts';

const emptyLogHint =
  'Updates made on a terminal can be undone. In a script, and with --from, add --undoable.';

/** Throws a {@link Failure} if the log has no update of the task, or is damaged where the last one may be. */
export async function requireLastUpdate(context: Context, task: string): Promise<LastUpdate> {
  const last = await readLastUpdate(context.world, await accountHost(context), task);
  if (!last)
    throw new Failure('not_found', {
      message: `The undo log has no update of ${task}`,
      hint: emptyLogHint,
    });
  if (!('damaged' in last)) return last;
  const { path, line } = last.damaged;
  throw usageError(
    `The undo log has a damaged entry for ${task}; the last update is unknown`,
    showTaskHint(task, context, 'Nothing was sent. '),
    `${path}, line ${line}, cannot be read`,
  );
}

/** Throws a usage failure if the user cannot be prompted, and `not_found` if the log is empty. */
export async function pickLoggedTask(context: Context): Promise<string> {
  if (!canPick(context)) throw missingTask(context, 'undo');
  const tasks = await readLoggedTasks(context.world, await accountHost(context));
  if (tasks.length === 0)
    throw new Failure('not_found', { message: 'The undo log has no update', hint: emptyLogHint });
  const now = context.world.clock.now();
  const entries = tasks.map(({ id, title, at, changed }) => ({
    title: title ?? id,
    details: [`updated ${formatRelativeTime(at, now)}`, changed.map(toWords).join(', ')],
    search: [id],
    value: id,
  }));
  return context.prompt('ID', (prompt) => prompt.pick('Undo the last update of which task?', entries));
}
