// One task: what was said is checked, sent, and the task read back.

import { operations } from '../../contract/operation.ts';
import type { TaskUpdate } from '../../contract/task.ts';
import { Failure } from '../../failure.ts';
import type { Context } from '../context.ts';
import { send } from '../send.ts';
import { taskColumns, taskLines } from './columns.ts';
import { preflight } from './preflight.ts';
import { idOfLink } from './short/permalink.ts';
import { needsLookUp, type Said, type SaidFlags, toUpdate } from './to-update.ts';

export async function updateOne(context: Context, id: string, flags: SaidFlags): Promise<undefined> {
  const taskId = idOfLink(id);
  const said = toUpdate(flags, context.world.clock.now());
  preflight(said, flags.allowClearingDates === true);
  await showDates(context, said);
  const update = await withIds(context, said);
  const answer = await send(context, operations.updateTask, { taskId }, update).catch((error: unknown) => {
    throw howToFindOut(error, taskId);
  });
  if (!answer) return;
  const columns = context.world.streams.output.isTerminal ? taskLines : taskColumns;
  await context.report.one({ columns, records: answer.records, raw: answer.raw });
}

/** What relative dates have become, before anything is sent. */
async function showDates({ report }: Context, { dates }: Said): Promise<void> {
  for (const { flag, said, date } of dates) await report.say(`--${flag} ${said} is ${date}`);
}

/** Look-ups are GETs: they happen for --dry-run and --curl too, where a name needs one. */
async function withIds(context: Context, said: Said): Promise<TaskUpdate> {
  if (!needsLookUp(said)) return said.update;
  const [{ createDirectory }, { resolve }] = await Promise.all([
    import('./look-up/directory.ts'),
    import('./look-up/resolve.ts'),
  ]);
  return resolve(said, createDirectory(context.session), context.world.clock.now());
}

function howToFindOut(error: unknown, id: string): unknown {
  if (!(error instanceof Failure) || error.code !== 'outcome_unknown') return error;
  return new Failure('outcome_unknown', {
    what: `The update of ${id} was sent, and no answer tells whether it was made`,
    why: error.why,
    hint: `See how the task is now: wm task get ${id}\nAn update can be repeated: sending it again does no harm.`,
    cause: error,
  });
}
