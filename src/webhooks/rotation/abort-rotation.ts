// Aborts a rotation: deletes the successor, and lets the old webhook deliver as before.

import type { Context } from '#cli/context.ts';
import { formatCommandWith, formatConfirmedCommand } from '#cli/format-command.ts';
import { commandHint, type Failure, joinHints, usageError } from '#failure.ts';
import { deleteOne } from '../change/delete-one.ts';
import { toReported } from '../columns.ts';
import { printRequests } from '../new-webhook/create-request.ts';
import type { Hook } from '../records/hook.ts';
import { matchStatus, removeStored } from './complete-rotation.ts';
import { awaitSuccessor, findSuccessor } from './create-successor.ts';
import { pendingName } from './new-secret.ts';
import { recordAbort } from './record-rotation.ts';

export async function abortRotation(context: Context, old: Hook): Promise<undefined> {
  const { id } = old.record;
  const state = old.local?.rotation;
  if (!state) throw notUnderWay(context, old);
  if (!old.raw)
    throw usageError(
      `The rotation of webhook ${id} cannot be aborted: the old webhook no longer exists`,
      commandHint('To complete it: ', formatCommandWith(context, 'webhook rotate-secret', [id])),
    );
  const isStopped = state.wasActive && old.record.status === 'Suspended' && state.successor !== undefined;
  if (context.isDryRun) {
    const found = await findSuccessor(context, state);
    return printRequests(context, ({ setStatus, remove }) => [
      ...(isStopped ? [setStatus(id, 'Active')] : []),
      ...(found ? [remove(found.record.id)] : []),
    ]);
  }
  // Waits until no request in flight can still create one.
  const successor = await awaitSuccessor(context, state);
  await context.report.warn(
    successor
      ? `The successor ${successor.record.id} is deleted for good${isStopped ? `, and webhook ${id} is resumed first` : ''}. The receiver must still know the old secret.`
      : 'The rotation has no successor yet: nothing changes at the service.',
  );
  await context.confirm(`Abort the rotation of webhook ${id}?`);
  // Resume first, so that one of the two always delivers.
  const resumed = isStopped ? await matchStatus(context, old, 'Active') : old;
  if (successor) await deleteOne(context, successor);
  const gone = successor?.record.id ?? state.successor;
  if (gone !== undefined) await removeStored(context, gone);
  await removeStored(context, pendingName(id));
  await recordAbort(context, id, gone);
  await context.report.info(`Aborted: webhook ${id} has the secret that it had.`);
  await context.report.one(await toReported(context, [resumed]));
}

function notUnderWay(context: Context, { record: { id }, local }: Hook): Failure {
  const { replacedBy } = local ?? {};
  return usageError(
    `No rotation of the secret of webhook ${id} is under way`,
    replacedBy
      ? joinHints([
          commandHint(
            'It is complete. To go back to the old secret: ',
            formatConfirmedCommand(context, 'webhook resume', [id]),
          ),
          commandHint('Then: ', formatConfirmedCommand(context, 'webhook delete', [replacedBy.id])),
        ])
      : commandHint('To begin one: ', formatCommandWith(context, 'webhook rotate-secret', [id])),
  );
}
