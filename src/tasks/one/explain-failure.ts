// Explains a failed update: why the service rejected it, or what to do if the outcome is unknown.

import type { Context } from '#cli/context.ts';
import {
  type FormatContext,
  formatCommandWith,
  formatRepeatedCommand,
  type RepeatContext,
} from '#cli/format-command.ts';
import { taskOperations } from '#contract/task.ts';
import { commandHint, Failure, type Hint, joinHints, toFailure } from '#failure.ts';

/** After an update of unknown outcome. */
export const retryUpdateHint = 'It is safe to send the update again.';

export function showTaskHint(id: string, context: FormatContext, before = ''): Hint {
  return commandHint(`${before}Show the task as it is now: `, formatCommandWith(context, 'task get', [id]));
}

/** After an undo of unknown outcome: sending it again unchecked could restore the update. */
export function retryUndoHint(id: string, context: RepeatContext): Hint {
  return commandHint(
    'Run undo again; it first checks whether this one took effect: ',
    formatRepeatedCommand(context, 'task undo', [id]),
  );
}

/** The error of an update, explained if possible. May read the task to find out why it was rejected. `retryHint`: for an unknown outcome. */
export async function explainFailure(
  id: string,
  error: unknown,
  context: Pick<Context, 'session' | 'common' | 'world'>,
  retryHint: Hint = retryUpdateHint,
): Promise<unknown> {
  const failure = toFailure(error);
  // The service may reject a change to a deleted task with 403 or 400.
  if (failure.code === 'forbidden' || failure.code === 'rejected')
    return failure.with({ hint: await recycleBinHint(id, context) });
  if (failure.code !== 'outcome_unknown') return error;
  return new Failure('outcome_unknown', {
    message: `The outcome of updating ${id} is unknown: the request was sent, but no usable response came`,
    why: failure.why,
    hint: joinHints([showTaskHint(id, context), retryHint]),
    cause: failure,
  });
}

/** Undefined if the task is not in the recycle bin, or cannot be read. */
async function recycleBinHint(id: string, context: Pick<Context, 'session' | 'common' | 'world'>) {
  try {
    const { records } = await (await context.session()).send(taskOperations.getTasks, { taskIds: id }, {});
    if (records[0]?.scope !== 'RbTask') return undefined;
    return commandHint(
      'The task is in the recycle bin. Add --restore, or restore it first: ',
      formatCommandWith(context, 'task update', [id], '--restore'),
    );
  } catch {
    return undefined;
  }
}
