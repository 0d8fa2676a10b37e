// Sends the requests of an undo one after the other, then checks that the task is as it was before: the service may accept a
// request without restoring everything.

import type { Context } from '#cli/context.ts';
import type { Task } from '#contract/task.ts';
import { Failure, toFailure } from '#failure.ts';
import { randomUuid } from '#random-values.ts';
import { truncate } from '../display/diff.ts';
import { showTaskHint } from '../one/explain-failure.ts';
import { type LoggedResponse, sendLogged, showChange, showsChange } from '../one/logged-update.ts';
import type { Part } from '../parts/part.ts';
import { isSame, valuesAfter } from '../parts/task-after.ts';
import type { LastUpdate } from '../undo-log/last-update.ts';
import { momentNow, writeEnds } from '../undo-log/write-log.ts';
import type { UndoPlan } from './plan-undo.ts';

/** Throws `part_failed` if not everything was restored. `isOnly`: shows on a terminal what has changed, not only the task. */
export async function sendUndo(
  context: Context,
  { task: id, at: undoes }: LastUpdate,
  { requests, now, target, parts }: UndoPlan,
  isOnly: boolean,
): Promise<void> {
  /** One key for all requests, so that they are undone together. */
  const key = `undo ${randomUuid(context.world)}`;
  const sendings: LoggedResponse[] = [];
  let failure: Failure | undefined;
  let current = now;
  for (const [row, sent] of requests.entries()) {
    const bulk = requests.length > 1 ? { key, row } : undefined;
    let sending: LoggedResponse;
    try {
      sending = await sendLogged(context, { task: id, sent, before: now, undoes, bulk, readsBack: true });
    } catch (error) {
      if (sendings.length === 0 || !(error instanceof Failure) || error.meaning.changed !== 'no') throw error;
      failure = error;
      break;
    }
    sendings.push(sending);
    const { readBack, response } = sending;
    if (readBack && !(readBack instanceof Failure)) current = readBack;
    for (const updated of response.records)
      current = { ...current, ...valuesAfter(sent, updated, 'response') };
  }
  const last = sendings.at(-1);
  if (!last) return;
  if (isOnly || !showsChange(context)) await showChange(context, now, last, {});
  else await context.report.line(`Undone: ${id}  ${current.title ?? ''}`);
  // Only now: users who were not told run undo again, which would restore the update.
  for (const { logEnd } of sendings) await logEnd();
  // If the task could not be read back, there is nothing to compare.
  if (last.readBack instanceof Failure && !failure) return;
  const missing = parts.filter((part) => !isSame(part, current, target));
  if (missing.length === 0) return;
  const valueIn = (task: Task, part: Part) => truncate(part.format(task));
  const list = missing.map(
    (part) => `${part.name} (now ${valueIn(current, part)}, before ${valueIn(target, part)})`,
  );
  throw new Failure('part_failed', {
    message: `Undone only in part. Not restored: ${list.join(', ')}`,
    why: failure ? failure.message : 'the service accepted the request but did not restore it',
    hint: showTaskHint(id, context),
    cause: failure,
  });
}

/** Logs the end of undos that took effect although their response was lost: each then counts as an update. `now`: the task as it is. */
export async function settleUndo(context: Context, { task, unsettled }: LastUpdate, now: Task) {
  const { world, report } = context;
  const made = momentNow(world);
  const ends = unsettled.map(({ readAt, sent, file, bulk }) => {
    return { task, ...readAt, file, bulk, made, left: valuesAfter(sent, now, 'read back') };
  });
  // Told first, as by `sendUndo`.
  await report.info(`The last undo of ${task} had already taken effect. Nothing was sent.`);
  await writeEnds(world, ends).catch((error: unknown) =>
    report.warn(`The undo log could not be written. ${toFailure(error).sentence}`),
  );
}
