// `wm task undo`: restores what the last updates of tasks changed, or a bulk run, from the undo log of this machine. Before it prompts, it
// shows what will be restored, what cannot be restored, and what others have changed since.

import { command } from '#cli/command.ts';
import type { Context } from '#cli/context.ts';
import { queryFlags } from '#cli/flags/common-flags.ts';
import { booleanFlag, textFlag } from '#cli/flags/flag.ts';
import { printIfDryRun } from '#cli/send.ts';
import { taskOperations } from '#contract/task.ts';
import { usageError } from '#failure.ts';
import { nothingToUndo, planUndo, showUndoPlan } from './inverse/plan-undo.ts';
import { findUndoable, pickLoggedTask, type Undoable, undoTasks } from './inverse/undo-tasks.ts';
import { nameTask } from './select/named-task.ts';
import { taskArgumentHelp, tasksArgument } from './select/task-text.ts';

export default command({
  sendsRequests: true,
  changes: 'the service',
  examples: {
    'Undo the last update of a task': 'wm task undo IEAAAAAQKQAB5BNG',
    'Undo it without a prompt, in a script': 'wm task undo IEAAAAAQKQAB5BNG --yes',
    'Undo the last bulk run': 'wm task undo --run last',
    'Show the requests without sending them': 'wm task undo IEAAAAAQKQAB5BNG --dry-run',
  },
  details: `Undo restores what the last update of the task changed, and nothing else. After a bulk run, it restores what all the
rows of that run changed in this task. The previous values come from the undo log of this machine. The log holds the updates made
on a terminal, those of --from up to 1,000 rows, and those made with --undoable. An undo is an update too: undo it to get the update
back.

Several ids are undone after one plan and one question. --run JOURNAL undoes what a bulk run changed in all of its tasks, and leaves
what was changed in them later; --run last is the last bulk run of this machine. wm prints each task as it is undone, and each failure
on standard error. The exit status is 8 if a task was not undone. You can repeat --run; ids undone twice have their updates again.

The service has no way to undo some changes; undo lists them before you confirm: added followers, the place in the list, a move out
of the recycle bin, and an effort, work schedule or item type where there was none before. A task that is completed again gets a
new completion date.

If a value has changed since your update, or may have changed (because no response showed the value that your update set), undo
lists it and prompts separately. If it cannot prompt, it leaves the task and exits with status 2 unless you add --overwrite; --yes
does not overwrite. With --dry-run, undo does not read the task, and assumes that it has not changed since.

Without an id, on a terminal, undo lets you pick a task from the log; the most recently updated task comes first.

If you do not know whether an undo took effect, run it again: it checks first, and sends nothing if the undo took effect. If
several undos run at the same time, one takes effect and the others send nothing. If the log is damaged and the last update is
unknown, undo sends nothing.`,
  arguments: { id: { ...tasksArgument, help: `${taskArgumentHelp}; several are undone together` } },
  flags: {
    overwrite: booleanFlag('Overwrite values that have changed, or may have changed, since your update'),
    run: textFlag('JOURNAL', 'Undo what this bulk run changed, in all of its tasks; `last` is the last one'),
    ...queryFlags,
  },
  async run({ arguments: { id: texts }, flags: { run: journal, overwrite = false } }, context) {
    if (journal !== undefined && texts.length > 0)
      throw usageError(
        '--run cannot be combined with ids',
        'Give the ids alone to undo only some tasks of the run.',
      );
    const undoable =
      journal === undefined
        ? await findUndoable(context, await nameIds(context, texts))
        : await (await import('./inverse/bulk-run.ts')).findRun(context, journal);
    if (context.isDryRun) await showRequests(context, undoable);
    else await undoTasks(context, undoable, overwrite);
    return undefined;
  },
});

async function nameIds(context: Context, texts: readonly string[]): Promise<readonly string[]> {
  const ids = new Set<string>();
  for (const text of texts.length > 0 ? texts : [await pickLoggedTask(context)])
    ids.add((await nameTask(context, text)).id);
  return [...ids];
}

/** For --dry-run and --curl. Nothing is read, so the tasks count as the updates left them. */
async function showRequests(context: Context, { tasks, isRun, readLast }: Undoable): Promise<void> {
  const requests = [];
  for (const task of tasks) {
    const last = await readLast(task);
    const plan = planUndo(last);
    if (last.unsettled.length > 0)
      await context.report.warn(
        `The outcome of the last undo of ${task} is unknown. Without --dry-run or --curl, undo reads the task first.`,
      );
    await showUndoPlan(context, last, plan);
    if (plan.requests.length === 0) throw nothingToUndo(last, plan, isRun);
    for (const parameters of plan.requests) requests.push({ path: { taskId: task }, parameters });
  }
  await printIfDryRun(context, taskOperations.updateTask, requests);
}
