// Suspends or deletes the webhook that this run created, and reads it back, while the receiver still accepts deliveries. A time limit
// applies, because the user who pressed Ctrl-C is waiting.

import type { Context } from '#cli/context.ts';
import { formatConfirmedCommand } from '#cli/format-command.ts';
import { commandHint, Failure } from '#failure.ts';
import { setStatus } from '#webhooks/change/change-status.ts';
import { deleteAndForget, removeSecrets } from '#webhooks/change/delete-one.ts';
import { describeHook, namedHook, readHook, statusOf } from '#webhooks/records/hook.ts';

type OnExit = 'suspend' | 'delete' | 'keep';

const mostMs = 15_000;

/** Returns the failure, if any, with the command to run. */
export async function leaveWebhook(context: Context, id: string, onExit: OnExit) {
  const { report, world } = context;
  if (onExit === 'keep') {
    const name = describeHook(namedHook(id, await (await context.webhookRecords()).read()));
    await report.info(`${name} still delivers to this URL, where nothing listens now.`);
    return undefined;
  }
  let endLimit = () => {};
  const late = new Promise<Failure>((resolve) => {
    const message = `the service has not responded within ${mostMs / 1000} s`;
    endLimit = () => resolve(new Failure('outcome_unknown', { message }));
  });
  const limit = world.clock.limit(mostMs, endLimit);
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
  const outcome = onExit === 'suspend' ? 'suspended' : 'deleted';
  return failure?.with({
    message:
      failure.meaning.changed === 'unknown'
        ? `It is unknown whether webhook ${id} was ${outcome}`
        : `Webhook ${id} was not ${outcome}`,
    why: failure.sentence,
    hint: commandHint(`To ${onExit} it: `, formatConfirmedCommand(context, `webhook ${onExit}`, [id])),
  });
}

async function suspend(context: Context, id: string): Promise<void> {
  const before = await readHook(context, id);
  if (statusOf(before) === 'Suspended') {
    await context.report.info(`Webhook ${id} is Suspended already.`);
    return;
  }
  await setStatus(context, before, {
    to: 'Suspended',
    effect: 'It delivers nothing until you resume it.',
  });
  const records = await context.webhookRecords();
  const suspendedAtEnd = new Date(context.world.clock.now()).toISOString();
  // Lets the next receiver resume the webhook.
  await records.learn({
    what: 'that this receiver suspended the webhook',
    ids: [id],
    change: (local) => ({ ...local, suspendedAtEnd }),
  });
  await records.save();
}

async function remove(context: Context, id: string): Promise<void> {
  const deleted = await deleteAndForget(context, await readHook(context, id));
  await (await context.webhookRecords()).save();
  await removeSecrets(context, [deleted]);
}
