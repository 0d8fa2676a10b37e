// `wm task undo`: restores what the last update of a task changed, from the undo log of this machine, as far as the service
// has a way. Before it asks, it shows what will be restored, what cannot be, and what somebody else has changed since.

import { timestamp } from '../../contract/date.ts';
import { Failure, usage } from '../../failure.ts';
import { command } from '../command.ts';
import type { Context } from '../context.ts';
import { toggle } from '../flag.ts';
import { and } from '../missing.ts';
import { type Undoing, undoing } from './history/inverse.ts';
import { type LastUpdate, lastOf } from './history/last-update.ts';
import { showUndoing, showUndoRequests } from './history/preview.ts';
import { readTask } from './history/read.ts';
import { hostOf } from './history/recorded.ts';
import { sendUndoing } from './history/send-undoing.ts';
import { settle } from './history/settle.ts';
import { idOfLink } from './short/permalink.ts';

export default command({
  showsRequests: true,
  examples: [
    { does: 'Undo the last update of a task', line: 'wm task undo IEAAAAAQKQAB5BNG' },
    { does: 'In a script', line: 'wm task undo IEAAAAAQKQAB5BNG --yes' },
    { does: 'See what would be sent', line: 'wm task undo IEAAAAAQKQAB5BNG --dry-run' },
  ],
  details: `This machine logs the updates made on a terminal without --from, or with --undoable. Undo restores what the last
of them changed and nothing else; of a bulk run, what all its rows changed of the task. Undoing is an update too, and
logged: undo it, and the task is as it was.

Some things cannot be restored, and are named before you are asked: followers that were added, the place in the list, a
move out of the recycle bin, and an effort, a work schedule or an item type where there was none before. The completion
date stays, too.

If something does not hold what your update left there, somebody else has changed it since. Undo names it and asks
separately; where it cannot ask, it sends nothing and exits with 2 unless --overwrite is given. --yes does not
overwrite. Where no response tells whether an undo took effect, run it again: it looks first, and sends nothing if it
did. With --dry-run it does not look at the task, and assumes that nobody has changed it since.`,
  arguments: { id: { help: 'the id of the task, or its link' } },
  flags: {
    overwrite: toggle('Overwrite what somebody else has changed since your update'),
  },
  async run({ arguments: { id: said }, flags }, context) {
    const id = idOfLink(said);
    const last = await lastUpdate(context, id);
    if (context.common.dryRun || context.common.curl) {
      const planned = undoing(last);
      if (last.unsettled.length > 0)
        await context.report.warn(
          `The outcome of the last undo of ${id} is unknown. Without --dry-run or --curl, undo looks at the task first.`,
        );
      await showUndoing(context, last, planned);
      if (planned.requests.length === 0) throw nothingToUndo(last, planned);
      await showUndoRequests(context, id, planned.requests);
      return undefined;
    }
    const session = await context.session();
    let now = await readTask(session, id);
    let planned = undoing(last, now);
    for (;;) {
      if (last.unsettled.length > 0 && planned.requests.length === 0) {
        await settle(context, last, now);
        return undefined;
      }
      await showUndoing(context, last, planned, now);
      if (planned.requests.length === 0) throw nothingToUndo(last, planned);
      const hasAsked = await confirm(context, last, planned, flags.overwrite === true);
      if (!hasAsked) break;
      // While somebody was asked, another may have changed it once more.
      now = await readTask(session, id);
      const next = undoing(last, now);
      const isAsShown = JSON.stringify([next.requests, next.conflicts]) === asText(planned);
      planned = next;
      if (isAsShown) break;
      await context.report.warn('The task was changed while you were asked.');
    }
    await sendUndoing(context, last, now, planned);
    return undefined;
  },
});

function asText({ requests, conflicts }: Undoing): string {
  return JSON.stringify([requests, conflicts]);
}

async function lastUpdate(context: Context, id: string): Promise<LastUpdate> {
  const last = await lastOf(context.world, await hostOf(context), id);
  if (last) return last;
  throw new Failure('not_found', {
    what: `The undo log has no update of ${id}`,
    hint: 'It has the updates made on a terminal without --from, or with --undoable, on this machine and with this account.',
  });
}

function nothingToUndo({ task, at }: LastUpdate, { cannot }: Undoing): Failure {
  return cannot.length > 0
    ? usage(`Nothing of the last update of ${task} can be undone`, undefined, `It was made ${timestamp(at)}.`)
    : usage(
        `Nothing to undo: ${task} is as it was before its last update`,
        undefined,
        `That was made ${timestamp(at)}.`,
      );
}

/** True where somebody was asked. --yes says yes to the undoing, and --overwrite to the loss of another's change. */
async function confirm(
  context: Context,
  { task }: LastUpdate,
  { conflicts }: Undoing,
  overwrites: boolean,
): Promise<boolean> {
  const names = and(conflicts.map(({ name }) => name));
  const isContested = conflicts.length > 0 && !overwrites;
  if (isContested) {
    if (!context.mayAsk)
      throw usage(
        `Not undone: somebody else has changed ${names} of ${task} since`,
        'Nothing was sent. To overwrite that, add --overwrite.',
        conflicts
          .map(({ name, ours, now }) => `${name}: ${ours ?? 'unknown'} after your update, ${now} now`)
          .join('; '),
      );
    const yes = await context.ask('--overwrite', (prompt) =>
      prompt.confirm(`Overwrite what somebody else has changed (${names})?`),
    );
    if (!yes) throw usage('Not confirmed, so nothing was undone');
  }
  await context.confirm(`Undo the last update of ${task}?`);
  return isContested || !context.common.yes;
}
