// Deletes one webhook, then checks that it is gone: the contract does not show the response of a deletion, and the
// response may be lost.

import { operations } from '../../../contract/operation.ts';
import { commandHint, Failure, toFailure } from '../../../failure.ts';
import type { Column } from '../../../terminal/table.ts';
import type { Context } from '../../context.ts';
import { formatConfirmedCommand } from '../../format-command.ts';
import { readWebhook } from '../select/read-webhook.ts';
import { formatNextCommands } from './change-status.ts';
import { type ChangeTarget, type ChangeWords, describeWebhook } from './confirm.ts';
import { webhookSubject } from './name-failure.ts';

export const deletion: ChangeWords = { to: 'deleted', verb: 'delete', done: 'deleted' };

export interface Deleted {
  readonly id: string;
  /** Nothing where it could not be read beforehand. */
  readonly hookUrl: string | undefined;
  /** False if the service accepted the deletion, and nobody could look again. */
  readonly isConfirmed: boolean;
}

export const deletedColumns: readonly Column<Deleted>[] = [
  { title: 'id', cell: (one) => one.id, unbroken: true },
  { title: 'status', cell: () => 'deleted' },
  { title: 'url', cell: (one) => one.hookUrl ?? '' },
];

/** Throws a Failure: `outcome_unknown` where it was sent for deletion and nobody can tell whether it is gone. */
export async function deleteOne(context: Context, { id, record, local }: ChangeTarget): Promise<Deleted> {
  const { report } = context;
  const name = describeWebhook({ id, record, local });
  const deleted = { id, hookUrl: record?.hookUrl, isConfirmed: true };
  const session = await context.session();
  const sent = await session.send(operations.deleteWebhook, { webhookId: id }, {}).catch((error: unknown) => {
    if (
      error instanceof Failure &&
      (error.code === 'outcome_unknown' || (error.code === 'not_found' && record))
    )
      return error;
    throw error;
  });
  if (sent instanceof Failure && sent.code === 'not_found') {
    await report.info(`${name} no longer exists. Nothing was deleted.`);
    return deleted;
  }
  const after = await readWebhook(context, id).catch(toFailure);
  if (!(after instanceof Failure)) throw notDeleted(context, { id, record: after.record, local }, sent);
  if (after.code === 'not_found') {
    if (sent instanceof Failure) await (await context.history()).settle(id);
    await report.info(`Deleted: ${name}. The service no longer has it.`);
    return deleted;
  }
  if (sent instanceof Failure) throw unknownOutcome(context, { id, record, local }, sent);
  // The service has answered that it did it; only the second look is missing.
  await report.warn(`Deleted: ${name}. It could not be read back: ${after.sentence}`);
  return { ...deleted, isConfirmed: false };
}

function notDeleted(context: Context, target: ChangeTarget, sent: unknown): Failure {
  const { id } = target;
  if (!(sent instanceof Failure)) {
    return new Failure('bad_response', {
      message: `${webhookSubject(target)} still exists`,
      why: 'the service accepted the deletion but did not carry it out',
      hint: commandHint('Try again: ', formatConfirmedCommand(context, 'webhook delete', [id])),
    });
  }
  return new Failure('outcome_unknown', {
    message: `${webhookSubject(target)} still exists, and the deletion may yet take effect`,
    why: sent.why,
    hint: formatNextCommands(context, deletion.verb, [id], [id]),
    cause: sent,
  });
}

function unknownOutcome(context: Context, target: ChangeTarget, sent: Failure): Failure {
  const { id } = target;
  return new Failure('outcome_unknown', {
    message: `${webhookSubject(target)}: the deletion was sent, but wm could not read back whether it took effect`,
    why: sent.why,
    hint: formatNextCommands(context, deletion.verb, [id], [id]),
    cause: sent,
  });
}
