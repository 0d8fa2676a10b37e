// Deletes one webhook, then checks that it is gone: the contract does not show the response of a deletion, and the
// response may be lost.

import type { Context } from '#cli/context.ts';
import { webhookOperations } from '#contract/webhook.ts';
import { commandHint, Failure, toFailure } from '#failure.ts';
import type { Column } from '#terminal/table.ts';
import {
  describeHook,
  type Hook,
  hookSubject,
  listAll,
  listAllHooks,
  readHookIfThere,
  stateOf,
} from '../records/hook.ts';
import { type ChangeWords, formatChangeOf, formatNextCommands } from './change-each.ts';

export const deletion: ChangeWords = { to: 'deleted', verb: 'delete', done: 'deleted' };

export type Deleted = Awaited<ReturnType<typeof deleteOne>>;

export const deletedColumns: readonly Column<Deleted>[] = [
  { title: 'id', cell: ({ id }) => id, unbroken: true },
  { title: 'status', cell: () => 'deleted' },
  { title: 'url', cell: ({ hookUrl }) => hookUrl ?? '' },
];

/** Like {@link deleteOne}, and records the deletion. The caller saves the record. */
export async function deleteAndForget(context: Context, hook: Hook): Promise<Deleted> {
  const deleted = await deleteOne(context, hook);
  const records = await context.webhookRecords();
  await records.learn('that webhooks were deleted', deleted.id, () => undefined);
  return deleted;
}

/** The URL is undefined if the webhook could not be read beforehand. Only reading back shows that it is gone, whatever the response. */
export async function deleteOne(context: Context, hook: Hook) {
  const { report } = context;
  const { id, hookUrl } = hook.record;
  const name = describeHook(hook);
  const session = await context.session();
  (await context.history()).describe(id, { url: hookUrl, before: stateOf(hook) });
  const failure = await session.send(webhookOperations.deleteWebhook, { webhookId: id }, {}).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof Failure && ['outcome_unknown', 'not_found'].includes(error.code)) return error;
      throw error;
    },
  );
  const isMissing = failure?.code === 'not_found';
  const mayTakeEffect = failure?.code === 'outcome_unknown';
  const unknown = (message: string, why = failure?.why) => {
    const hint = formatNextCommands(context, deletion.verb, [id], [id]);
    return new Failure('outcome_unknown', { message, why, hint, cause: failure });
  };
  const after = await readAfter(context, id, isMissing).catch(toFailure);
  if (after instanceof Failure)
    throw unknown(
      `${hookSubject(hook)}: the deletion was sent, but wm could not read back whether it took effect`,
      after.sentence,
    );
  if (after) {
    if (mayTakeEffect)
      throw unknown(`${hookSubject(after)} still exists, and the deletion may yet take effect`);
    throw new Failure('bad_response', {
      message: `${hookSubject(after)} still exists`,
      why: failure?.sentence ?? 'the service accepted the deletion but did not carry it out',
      hint: commandHint('Try again: ', formatChangeOf(context, 'delete', [id])),
    });
  }
  // The list lacks webhooks of other applications, so absence proves nothing of a webhook that this command never saw.
  if (failure && !hook.raw) {
    const message = `${hookSubject(hook)} was not found: it was deleted, or belongs to another application`;
    throw mayTakeEffect ? unknown(message) : new Failure('not_found', { message, hint: listAll(context) });
  }
  if (mayTakeEffect) await (await context.history()).settle(id);
  await report.info(
    isMissing
      ? `${name} no longer exists. Nothing was deleted.`
      : `Deleted: ${name}. The service no longer has it.`,
  );
  return { id, hookUrl };
}

/** Reads the webhook after its deletion; undefined if it is gone. `isDoubtful`: a 404 alone proves too little, so look in the list too. */
async function readAfter(context: Context, id: string, isDoubtful: boolean): Promise<Hook | undefined> {
  const hook = await readHookIfThere(context, id);
  if (hook || !isDoubtful) return hook;
  return (await listAllHooks(context)).find(({ record }) => record.id === id);
}
