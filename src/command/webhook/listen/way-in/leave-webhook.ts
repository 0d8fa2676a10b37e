// Suspends or deletes the webhook that this run created, and reads it back, while the receiver still accepts deliveries. Within a time
// limit, because the user who pressed Ctrl-C is waiting.

import { commandHint, Failure } from '../../../../failure.ts';
import type { Context } from '../../../context.ts';
import { formatConfirmedCommand } from '../../../format-command.ts';
import { makeChange } from '../../change/change-status.ts';
import { describeWebhook } from '../../change/confirm.ts';
import { deleteOne } from '../../change/delete-one.ts';
import { forgetWebhooks, recordEnd, recordStatuses } from '../../change/record-changes.ts';
import { readLocalWebhooks } from '../../local/local-webhooks.ts';
import { readWebhook, statusOf } from '../../select/read-webhook.ts';

export type OnExit = 'suspend' | 'delete' | 'keep';

const mostMs = 15_000;

/** The failure, with the command to run, if it could not be done. */
export async function leaveWebhook(
  context: Context,
  id: string,
  onExit: OnExit,
): Promise<Failure | undefined> {
  const { report, world } = context;
  if (onExit === 'keep') {
    const name = describeWebhook({ id, local: (await readLocalWebhooks(context)).get(id) });
    await report.info(`${name} still delivers to this URL, where nothing listens now.`);
    return undefined;
  }
  let isLate = () => {};
  const late = new Promise<Failure>((resolve) => {
    isLate = () =>
      resolve(
        new Failure('outcome_unknown', {
          message: `the service has not responded within ${mostMs / 1000} s`,
        }),
      );
  });
  const limit = world.clock.limit(mostMs, isLate);
  const work = (onExit === 'suspend' ? suspend(context, id) : remove(context, id)).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof Failure && error.code !== 'internal') return error;
      throw error;
    },
  );
  const failure = await Promise.race([work, late]).finally(() => limit.cancel());
  if (failure?.code === 'not_found') {
    await report.info(`Webhook ${id} no longer exists. There is nothing to ${onExit}.`);
    return undefined;
  }
  const done = onExit === 'suspend' ? 'suspended' : 'deleted';
  return failure?.with({
    message:
      failure.meaning.changed === 'unknown'
        ? `It is not known whether webhook ${id} was ${done}`
        : `Webhook ${id} was not ${done}`,
    why: failure.sentence,
    hint: commandHint('To do it: ', formatConfirmedCommand(context, `webhook ${onExit}`, [id])),
  });
}

async function suspend(context: Context, id: string): Promise<void> {
  const local = await readLocalWebhooks(context);
  const before = await readWebhook(context, id);
  if (statusOf(before) === 'Suspended') {
    await context.report.info(`Webhook ${id} is Suspended already.`);
    return;
  }
  const after = await makeChange(context, id, before.record, {
    to: 'Suspended',
    verb: 'suspend',
    done: 'suspended',
    effect: 'It delivers nothing until you resume it.',
    asks: false,
    local,
  });
  await recordStatuses(context, [{ webhook: after, changed: true }], undefined, local);
  await recordEnd(context, id);
}

async function remove(context: Context, id: string): Promise<void> {
  const local = await readLocalWebhooks(context);
  const { record } = await readWebhook(context, id);
  const deleted = await deleteOne(context, { id, record, local: local.get(id) });
  await forgetWebhooks(context, [deleted], local);
}
