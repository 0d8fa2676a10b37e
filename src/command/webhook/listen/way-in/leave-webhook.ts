// What becomes of the webhook that this run created, when it ends: it is suspended or deleted, and read back, while the receiver still
// accepts what comes. Within a time limit: whoever presses Ctrl-C waits for it.

import { Failure } from '../../../../failure.ts';
import type { Context } from '../../../context.ts';
import { formatConfirmedCommand } from '../../../format-command.ts';
import { makeChange } from '../../change/change-status.ts';
import { describeWebhook } from '../../change/confirm.ts';
import { deleteOne } from '../../change/delete-one.ts';
import { forgetWebhooks, recordStatuses } from '../../change/record-changes.ts';
import { readLocalWebhooks } from '../../local/local-webhooks.ts';
import { readWebhook, statusOf } from '../../select/read-webhook.ts';

export type OnExit = 'suspend' | 'delete' | 'keep';

const mostMs = 15_000;

/** Never rejects with a {@link Failure}: false if it could not be done, which was said with the command to run. */
export async function leaveWebhook(context: Context, id: string, onExit: OnExit): Promise<boolean> {
  if (onExit === 'keep') {
    const name = describeWebhook({ id, local: (await readLocalWebhooks(context)).get(id) });
    await context.report.info(`${name} still delivers to this URL, where nothing listens now.`);
    return true;
  }
  const { clock } = context.world;
  let isLate = () => {};
  const late = new Promise<Failure>((resolve) => {
    isLate = () =>
      resolve(
        new Failure('outcome_unknown', {
          message: `the service has not responded within ${mostMs / 1000} s`,
        }),
      );
  });
  const limit = clock.limit(mostMs, isLate);
  const work = (onExit === 'suspend' ? suspend(context, id) : remove(context, id)).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof Failure && error.code !== 'internal') return error;
      throw error;
    },
  );
  const failure = await Promise.race([work, late]).finally(() => limit.cancel());
  if (failure === undefined) return true;
  if (failure.code === 'not_found') {
    await context.report.info(`Webhook ${id} no longer exists. There is nothing to ${onExit}.`);
    return true;
  }
  const isUnknown = failure.meaning.changed === 'unknown';
  await context.report.warn(
    `${isUnknown ? `It is not known whether webhook ${id} was` : `Webhook ${id} was not`} ${onExit === 'suspend' ? 'suspended' : 'deleted'}: ${failure.sentence}.\nTo do it: ${formatConfirmedCommand(context, `webhook ${onExit}`, [id])}`,
  );
  return false;
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
}

async function remove(context: Context, id: string): Promise<void> {
  const local = await readLocalWebhooks(context);
  const { record } = await readWebhook(context, id);
  const deleted = await deleteOne(context, { id, record, local: local.get(id) });
  await forgetWebhooks(context, [deleted], local);
}
