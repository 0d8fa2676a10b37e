// `wm task undo`: puts the last update of a task back, from the local record of what it was before, as far as the service
// has a way for that.

import { timestamp } from '../../contract/date.ts';
import { operations } from '../../contract/operation.ts';
import { changesSomething } from '../../contract/task-rules.ts';
import { Failure, usage } from '../../failure.ts';
import { command } from '../command.ts';
import type { Context } from '../context.ts';
import { showInstead } from '../send.ts';
import { wayBack } from './history/back.ts';
import { readTask } from './history/read.ts';
import { type Kept, type LastUpdate, lastOf } from './history/record.ts';
import { hostOf, updateAndShow } from './history/recorded.ts';
import { idOfLink } from './short/permalink.ts';

export default command({
  showsRequests: true,
  examples: [
    { does: 'Put the last update of a task back', line: 'wm task undo IEAAAAAQKQAB5BNG' },
    { does: 'See what would be sent', line: 'wm task undo IEAAAAAQKQAB5BNG --dry-run' },
  ],
  details: `Updates made on a terminal without --from, or with --undoable, are on record on this machine. Undoing is an update
too, and on record: undo it, and the task is as it was. Of a bulk, all that its rows changed of the task is put back at
once. Followers, the place in the list and a restored task cannot be put back.`,
  arguments: { id: { help: 'the id of the task, or its link' } },
  flags: {},
  async run({ arguments: { id: said } }, context) {
    const id = idOfLink(said);
    const kept = await lastKept(context, id);
    const { update, cannot } = wayBack(kept.sent, kept.before);
    for (const one of cannot) await context.report.warn(`Cannot be undone: ${one}`);
    if (!changesSomething(update)) throw nothingToDo(id, kept);
    if (kept.rows > 1)
      await context.report.say(
        `The last update was a bulk: its ${kept.rows} rows of ${id} are undone at once.`,
      );
    if (await showInstead(context, operations.updateTask, { taskId: id }, update)) return undefined;
    const session = await context.session();
    let now = await readTask(session, id);
    const changed = kept.before.updatedDate !== undefined && later(now.updatedDate, kept.at);
    if (changed) {
      await context.report.warn(
        `Since the update of ${when(kept)} the task was changed again, last at ${now.updatedDate}.`,
      );
      await context.confirm(`Put back all the same what the update had changed?`);
      // While somebody was asked, another may have changed it once more.
      now = await readTask(session, id);
    }
    // Of several rows some may have been refused, or overwritten.
    const left = kept.rows > 1 ? wayBack(kept.sent, kept.before, now).update : update;
    if (!changesSomething(left)) throw nothingToDo(id, kept);
    await updateAndShow(context, id, left, now);
    return undefined;
  },
});

async function lastKept(context: Context, id: string): Promise<LastUpdate> {
  const kept = await lastOf(context.world, await hostOf(context), id);
  if (kept) return kept;
  throw new Failure('not_found', {
    what: `No update of ${id} is on record here`,
    hint: 'Updates made on a terminal without --from, or with --undoable, are: with this account, on this machine.',
  });
}

function nothingToDo(id: string, kept: Kept): Failure {
  return usage(`Nothing of the last update of ${id} can be put back`, undefined, `it was made ${when(kept)}`);
}

function when({ at }: Kept): string {
  return timestamp(at);
}

/** By more than the clocks may differ, and the update itself may take. */
const slackMs = 60_000;

function later(updated: string | undefined, at: number): boolean {
  return updated !== undefined && Date.parse(updated) > at + slackMs;
}
