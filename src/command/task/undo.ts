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
import { type Kept, lastOf } from './history/record.ts';
import { hostOf, updateAndShow } from './history/recorded.ts';
import { idOfLink } from './short/permalink.ts';

export default command({
  showsRequests: true,
  examples: [
    { does: 'Put the last update of a task back', line: 'wm task undo IEAAAAAQKQAB5BNG' },
    { does: 'See what would be sent', line: 'wm task undo IEAAAAAQKQAB5BNG --dry-run' },
  ],
  details: `Updates made on a terminal, or with --undoable, are on record on this machine. Undoing is an update too, and on record:
undo it, and the task is as it was. Followers, the place in the list and a restored task cannot be put back.`,
  arguments: { id: { help: 'the id of the task, or its link' } },
  flags: {},
  async run({ arguments: { id: said } }, context) {
    const id = idOfLink(said);
    const kept = await lastKept(context, id);
    const { update, cannot } = wayBack(kept.sent, kept.before);
    for (const one of cannot) await context.report.warn(`Cannot be undone: ${one}`);
    if (!changesSomething(update)) {
      throw usage(
        `Nothing of the last update of ${id} can be put back`,
        undefined,
        `it was made ${when(kept)}`,
      );
    }
    if (await showInstead(context, operations.updateTask, { taskId: id }, update)) return undefined;
    const session = await context.session();
    const now = await readTask(session, id);
    const changed = kept.before.updatedDate !== undefined && later(now.updatedDate, kept.at);
    if (changed) {
      await context.report.warn(
        `Since the update of ${when(kept)} the task was changed again, last at ${now.updatedDate}.`,
      );
      await context.confirm(`Put back all the same what the update had changed?`);
    }
    await updateAndShow(context, id, update, now);
    return undefined;
  },
});

async function lastKept(context: Context, id: string): Promise<Kept> {
  const kept = await lastOf(context.world, await hostOf(context), id);
  if (kept) return kept;
  throw new Failure('not_found', {
    what: `No update of ${id} is on record here`,
    hint: 'Updates made on a terminal, or with --undoable, are: with this account, on this machine.',
  });
}

function when({ at }: Kept): string {
  return timestamp(at);
}

/** By more than the clocks may differ, and the update itself may take. */
const slackMs = 60_000;

function later(updated: string | undefined, at: number): boolean {
  return updated !== undefined && Date.parse(updated) > at + slackMs;
}
