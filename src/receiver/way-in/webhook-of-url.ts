// Finds the webhook that delivers to the public URL, or creates it; suspends or deletes it while the receiver still accepts deliveries.

import type { Context } from '#cli/context.ts';
import { formatCommandWith, formatConfirmedCommand } from '#cli/format-command.ts';
import { isNotFound } from '#client/response.ts';
import { commandHint, Failure } from '#failure.ts';
import { isLeftByReceiver } from '#local-records/local-webhook.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { setStatus } from '#webhooks/change/change-status.ts';
import { deleteAndForget } from '#webhooks/change/delete-one.ts';
import { checkCustomFields } from '#webhooks/new-webhook/check-custom-fields.ts';
import { sendCreate } from '#webhooks/new-webhook/create-request.ts';
import { storeNewSecret } from '#webhooks/new-webhook/create-secret.ts';
import { selectEvents } from '#webhooks/new-webhook/event-selection.ts';
import { resolveScope } from '#webhooks/new-webhook/resolve-scope.ts';
import { describeDifferences, findSameUrl } from '#webhooks/new-webhook/same-url.ts';
import { describeHook, type Hook, namedHook, readHook } from '#webhooks/records/hook.ts';
import { changeLabel } from '#webhooks/records/label.ts';
import { removeSecrets } from '#webhooks/secrets/remove-secrets.ts';
import { withinLimit } from '#within-limit.ts';
import type { WayInFlags } from './way-in-flags.ts';

type WebhookPlan = Awaited<ReturnType<typeof planWebhook>>;

/** Looks up what the flags name, before the receiver starts. Throws a {@link Failure} for an impossible webhook. */
export async function planWebhook(context: Context, flags: WayInFlags) {
  await context.assertMayChange();
  // Report a failed sign-in before the tunnel starts.
  await context.session();
  const { recursive, label } = flags;
  const scope = await resolveScope(context, flags);
  const settings = { ...scope, ...(await selectEvents(context, flags)), ...omitUndefined({ recursive }) };
  await checkCustomFields(context, settings.parameterisedEvents ?? []);
  return { settings, label };
}

/**
 * Returns the existing webhook that is most like the plan, or creates one and stores its secret.
 * @throws {Failure} the service's error, or `outcome_unknown`
 */
export async function findOrCreate(
  context: Context,
  { settings, label }: WebhookPlan,
  { hookUrl, secret }: { readonly hookUrl: string; readonly secret: string | undefined },
): Promise<{ readonly webhook: Hook; readonly isCreated: boolean }> {
  const { report } = context;
  const requested = { ...settings, hookUrl, ...omitUndefined({ secret }) };
  const [same] = await findSameUrl(context, requested);
  if (same) {
    await report.info(
      `${describeHook(same).replace(/^webhook/, 'Webhook')} delivers there already. Nothing was created.`,
    );
    const differences = describeDifferences(same.record, requested).filter(
      (difference) => !difference.includes('Suspended'),
    );
    if (differences.length > 0)
      await report.warn(`It differs from what you asked for: ${differences.join('; ')}.`);
    if (label !== undefined && same.local?.label !== label)
      await report.warn(
        `--label was not applied: the webhook existed already.\nTo label it: ${formatCommandWith(context, 'webhook label', [same.record.id, label])}`,
      );
    return { webhook: same, isCreated: false };
  }
  const [webhook] = (await sendCreate(context, requested)) ?? [];
  if (!webhook)
    throw new Failure('bad_response', {
      message: 'The service created a webhook, but its response does not contain it',
    });
  await (await context.webhookRecords()).observe([webhook], true);
  await report.info(`Created: ${describeHook(webhook)}.`);
  const { id } = webhook.record;
  if (label !== undefined) await warnOnFailure(context, () => changeLabel(context, { id }, label));
  await warnOnFailure(context, () =>
    storeNewSecret(context, id, { text: secret, isGenerated: false, isToBeStored: true }),
  );
  return { webhook, isCreated: true };
}

/** Finds an existing webhook to use instead of a new one. Skips one from an earlier receiver, which is resumed anyway. */
export async function findPlanned(context: Context, { settings }: WebhookPlan, hookUrl: string) {
  const [same] = await findSameUrl(context, { ...settings, hookUrl });
  if (!same || isLeftByReceiver(same.local)) return undefined;
  return same;
}

/** Turns a failure into a warning: the webhook already delivers, so the receiver must not stop. */
async function warnOnFailure(context: Context, run: () => Promise<unknown>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'internal') throw error;
    await context.report.warn(`${error.sentence}\n${error.hint ?? ''}`.trimEnd());
  }
}

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
  const work = (onExit === 'suspend' ? suspend(context, id) : remove(context, id)).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof Failure && error.code !== 'internal') return error;
      throw error;
    },
  );
  const message = `the service has not responded within ${mostMs / 1000} s`;
  const onLate = () => new Failure('outcome_unknown', { message });
  const failure = await withinLimit(world.clock, mostMs, work, onLate);
  if (failure && isNotFound(failure)) {
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
  if (before.record.status === 'Suspended') {
    await context.report.info(`Webhook ${id} is Suspended already.`);
    return;
  }
  await setStatus(context, before, { to: 'Suspended' });
  const records = await context.webhookRecords();
  const suspendedAtEnd = new Date(context.world.clock.now()).toISOString();
  // Lets the next receiver resume the webhook.
  await records.learn('that this receiver suspended the webhook', id, (local) => ({
    ...local,
    suspendedAtEnd,
  }));
  await records.save();
}

async function remove(context: Context, id: string): Promise<void> {
  const deleted = await deleteAndForget(context, await readHook(context, id));
  await (await context.webhookRecords()).save();
  await removeSecrets(context, [deleted]);
}
