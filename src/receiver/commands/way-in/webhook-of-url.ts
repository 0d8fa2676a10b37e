// Finds the webhook that delivers to the public URL, or creates it for --create.

import type { Context } from '#cli/context.ts';
import { formatCommandWith } from '#cli/format-command.ts';
import { isLeftByReceiver } from '#cli/local-webhook.ts';
import { Failure } from '#failure.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { checkCustomFields } from '#webhooks/new-webhook/check-custom-fields.ts';
import { sendCreate, validateCreate } from '#webhooks/new-webhook/create-request.ts';
import { storeNewSecret } from '#webhooks/new-webhook/create-secret.ts';
import { selectEvents } from '#webhooks/new-webhook/event-selection.ts';
import { resolveScope } from '#webhooks/new-webhook/resolve-scope.ts';
import { describeDifferences, findSameUrl } from '#webhooks/new-webhook/same-url.ts';
import { describeHook, type Hook } from '#webhooks/records/hook.ts';
import { changeLabel } from '#webhooks/records/label.ts';
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
  validateCreate(requested);
  const [webhook] = (await sendCreate(context, requested)) ?? [];
  if (!webhook)
    throw new Failure('bad_response', {
      message: 'The service created a webhook, but its response does not contain it',
    });
  const { record } = webhook;
  await (await context.webhookRecords()).observe([record], true);
  await report.info(`Created: ${describeHook(webhook)}.`);
  const { id } = record;
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
