// Sends the requests of an undoing one after the other, and looks whether the task is as it was before: a service may take
// a request and still restore less than was asked for.

import { randomUUID } from 'node:crypto';
import type { Task } from '../../../contract/task.ts';
import { Failure } from '../../../failure.ts';
import { commandWith } from '../../command-line.ts';
import type { Context } from '../../context.ts';
import { changedNothing } from '../outcome.ts';
import { partsNotAs, shownAfter } from './after.ts';
import { short } from './diff.ts';
import type { Undoing } from './inverse.ts';
import type { LastUpdate } from './last-update.ts';
import { type Recorded, sendRecorded, showChange } from './recorded.ts';

/** Throws `part_failed` where not all was restored. `now`: the task as it is. */
export async function sendUndoing(
  context: Context,
  { task: id, at: undoes }: LastUpdate,
  now: Task,
  undoing: Undoing,
): Promise<void> {
  const { requests } = undoing;
  /** One name for all of them, so that they are undone as one. */
  const key = `undo ${randomUUID()}`;
  let last: Recorded | undefined;
  let failure: Failure | undefined;
  let shown = now;
  for (const [row, sent] of requests.entries()) {
    const bulk = requests.length > 1 ? { bulk: { key, row } } : {};
    try {
      last = await sendRecorded(context, { task: id, sent, before: now, undoes, ...bulk }, true);
    } catch (error) {
      if (!last || !(error instanceof Failure) || !changedNothing(error)) throw error;
      failure = error;
      break;
    }
    const { readBack, answer } = last;
    const [response] = answer.records;
    shown = {
      ...(readBack instanceof Failure || !readBack ? shown : readBack),
      ...(response ? shownAfter(sent, response, 'response') : {}),
    };
  }
  if (!last) return;
  await showChange(context, now, last, {});
  // What was not read back nobody knows.
  if (last.readBack instanceof Failure && !failure) return;
  const missing = partsNotAs(undoing.target, shown, undoing.parts);
  if (missing.length === 0) return;
  const list = missing
    .map(
      (part) =>
        `${part.name} (now ${short(part.format(shown))}, before ${short(part.format(undoing.target))})`,
    )
    .join(', ');
  throw new Failure('part_failed', {
    what: `Undone in part. Not as before: ${list}`,
    why: failure ? failure.message : 'the service accepted the request and did not restore it',
    hint: `See how the task is now: ${commandWith(context, 'task get', [id])}`,
    cause: failure,
  });
}
