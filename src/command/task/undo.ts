// `wm task undo`: restores what the last update of a task changed, from the undo log of this machine, as far as the service
// has a way. Before it asks, it shows what will be restored, what cannot be, and what somebody else has changed since.

import { command } from '../command.ts';
import { booleanFlag } from '../flag.ts';
import { idFromLink } from './input/permalink.ts';
import { planUndo } from './undo/plan-undo.ts';
import { requireLastUpdate } from './undo/require-last-update.ts';
import { nothingToUndo, undoLastUpdate } from './undo/undo-last-update.ts';
import { showUndoPlan, showUndoRequests } from './undo/undo-preview.ts';

export default command({
  sendsRequests: true,
  examples: [
    { description: 'Undo the last update of a task', command: 'wm task undo IEAAAAAQKQAB5BNG' },
    { description: 'In a script', command: 'wm task undo IEAAAAAQKQAB5BNG --yes' },
    { description: 'See what would be sent', command: 'wm task undo IEAAAAAQKQAB5BNG --dry-run' },
  ],
  details: `This machine logs the updates made on a terminal without --from, or with --undoable. Undo restores what the last
of them changed and nothing else; of a bulk run, what all its rows changed of the task. Undoing is an update too, and
logged: undo it, and the task is as it was.

Some things cannot be restored, and are named before you are asked: followers that were added, the place in the list, a
move out of the recycle bin, and an effort, a work schedule or an item type where there was none before. The completion
date stays, too.

If something does not hold what your update left there, somebody else has changed it since; where no response told what
it left, somebody may have. Undo names it and asks separately; where it cannot ask, it sends nothing and exits with 2
unless --overwrite is given. --yes does not overwrite. With --dry-run it does not look at the task, and assumes that
nobody has changed it since.

Where no response tells whether an undo took effect, run it again: it looks first, and sends nothing if it did. Of several
undos at once one is made; the others send nothing. Nor is anything sent where the log is damaged and does not tell which
update was the last.`,
  arguments: { id: { help: 'the id of the task, or its link' } },
  flags: {
    overwrite: booleanFlag(
      'Overwrite what somebody else has changed, or may have changed, since your update',
    ),
  },
  async run({ arguments: { id: said }, flags }, context) {
    const id = idFromLink(said);
    const last = await requireLastUpdate(context, id);
    if (context.common.dryRun || context.common.curl) {
      const planned = planUndo(last);
      if (last.unsettled.length > 0)
        await context.report.warn(
          `The outcome of the last undo of ${id} is unknown. Without --dry-run or --curl, undo looks at the task first.`,
        );
      await showUndoPlan(context, last, planned);
      if (planned.requests.length === 0) throw nothingToUndo(last, planned);
      await showUndoRequests(context, id, planned.requests);
      return undefined;
    }
    await undoLastUpdate(context, last, flags.overwrite === true);
    return undefined;
  },
});
