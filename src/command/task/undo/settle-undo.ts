// An undo whose response was lost, but which took effect, as the task shows: its end is added to the undo log, so that it
// counts as an update that can be undone.

import { reasonOf } from '../../../bulk/outcome.ts';
import type { Task } from '../../../contract/task.ts';
import { asFailure } from '../../../failure.ts';
import type { Context } from '../../context.ts';
import { valuesAfter } from '../parts/task-after.ts';
import type { LastUpdate } from '../undo-log/last-update.ts';
import { momentNow } from '../undo-log/moment.ts';
import { writeEnds } from '../undo-log/write-log.ts';

/** `now`: the task as it is, with everything as it was before the last update. */
export async function settleUndo(
  context: Context,
  { task, unsettled }: LastUpdate,
  now: Task,
): Promise<void> {
  const { world, report } = context;
  const made = momentNow(world);
  const ends = unsettled.map(({ sent, ...named }) => ({
    ...named,
    made,
    left: valuesAfter(sent, now, 'read back'),
  }));
  await writeEnds(world, ends).catch((error: unknown) =>
    report.warn(`The undo log could not be completed. ${reasonOf(asFailure(error))}`),
  );
  await report.info(`The last undo of ${task} took effect. Nothing was sent.`);
}
