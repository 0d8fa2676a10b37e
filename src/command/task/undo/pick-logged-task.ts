// `wm task undo` without an id: the user picks one of the tasks that this machine's undo log has, the last one first.

import { Failure } from '../../../failure.ts';
import { formatRelativeTime } from '../../../terminal/relative-time.ts';
import { accountHost } from '../../account-host.ts';
import type { Context } from '../../context.ts';
import { toWords } from '../../flag.ts';
import { canPick, missingTask } from '../select/missing-task.ts';
import { readLoggedTasks } from '../undo-log/logged-tasks.ts';
import { emptyLogHint } from './require-last-update.ts';

/** Throws a usage failure where there is no prompt, and `not_found` if the log is empty. */
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
