// `wm task undo`: restores what the last update of a task changed, from the undo log of this machine. Before it prompts, it
// shows what will be restored, what cannot be restored, and what others have changed since.

import { command } from '#cli/command.ts';
import { queryFlags } from '#cli/flags/common-flags.ts';
import { booleanFlag } from '#cli/flags/flag.ts';
import { printAllIfDryRun } from '#cli/send.ts';
import { taskOperations } from '#contract/task.ts';
import { planUndo, showUndoPlan } from './inverse/plan-undo.ts';
import {
  nothingToUndo,
  pickLoggedTask,
  requireLastUpdate,
  undoLastUpdate,
} from './inverse/undo-last-update.ts';
import { nameTask } from './select/named-task.ts';
import { taskArgumentHelp } from './select/task-text.ts';

export default command({
  sendsRequests: true,
  changes: 'the service',
  examples: {
    'Undo the last update of a task': 'wm task undo IEAAAAAQKQAB5BNG',
    'Undo it without a prompt, in a script': 'wm task undo IEAAAAAQKQAB5BNG --yes',
    'Show the requests without sending them': 'wm task undo IEAAAAAQKQAB5BNG --dry-run',
  },
  details: `Undo restores what the last update of the task changed, and nothing else. After a bulk run, it restores what all the
rows of that run changed in this task. The previous values come from the undo log of this machine. The log holds the updates made
on a terminal without --from, and those made with --undoable. An undo is an update too: undo it to get the update back.

The service has no way to undo some changes; undo lists them before you confirm: added followers, the place in the list, a move out
of the recycle bin, and an effort, work schedule or item type where there was none before. A task that is completed again gets a
new completion date.

If a value has changed since your update, or may have changed (because no response showed the value that your update set), undo
lists it and prompts separately. If it cannot prompt, it sends nothing and exits with status 2 unless you add --overwrite; --yes
does not overwrite. With --dry-run, undo does not read the task, and assumes that it has not changed since.

Without an id, on a terminal, undo lets you pick a task from the log; the most recently updated task comes first.

If you do not know whether an undo took effect, run it again: it checks first, and sends nothing if the undo took effect. If
several undos run at the same time, one takes effect and the others send nothing. If the log is damaged and the last update is
unknown, undo sends nothing.`,
  arguments: { id: { help: taskArgumentHelp, optional: true, completes: 'task' } },
  flags: {
    overwrite: booleanFlag('Overwrite values that have changed, or may have changed, since your update'),
    ...queryFlags,
  },
  async run({ arguments: { id: text }, flags }, context) {
    const { id } = await nameTask(context, text ?? (await pickLoggedTask(context)));
    const last = await requireLastUpdate(context, id);
    if (!context.isDryRun) {
      await undoLastUpdate(context, last, flags.overwrite === true);
      return undefined;
    }
    const { task } = last;
    const plan = planUndo(last);
    if (last.unsettled.length > 0)
      await context.report.warn(
        `The outcome of the last undo of ${task} is unknown. Without --dry-run or --curl, undo reads the task first.`,
      );
    await showUndoPlan(context, last, plan);
    if (plan.requests.length === 0) throw nothingToUndo(last, plan);
    const requests = plan.requests.map((parameters) => ({ path: { taskId: task }, parameters }));
    await printAllIfDryRun(context, taskOperations.updateTask, requests);
    return undefined;
  },
});
