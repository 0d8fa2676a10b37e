// Begins or continues a rotation: the user confirms the plan, then wm records the secret and the successor's settings before
// it sends anything.

import type { Context } from '#cli/context.ts';
import { Failure, usageError } from '#failure.ts';
import type { RotationState } from '#local-records/local-webhook.ts';
import { showAccount, showKnownAccount } from '../change/confirm.ts';
import type { NewSecretFlags } from '../new-webhook/create-secret.ts';
import { readStoredSecret } from '../secrets/find-secret.ts';
import { openSecretPlace } from '../secrets/secret-place.ts';
import { createSecretCheck, pendingName, type RotationSecret, resolveSecret } from './new-secret.ts';
import { describePlan, type Plan } from './rotation-plan.ts';
import { acceptBoth, changeState, recordState } from './rotation-state.ts';

export async function beginRotation(
  context: Context,
  plan: Plan,
  flags: NewSecretFlags & { readonly verify?: boolean; readonly prepare?: boolean },
  again: string,
): Promise<string> {
  const { id } = plan.old.record;
  const { prepare: isPrepared = false } = flags;
  const { common, canPrompt, report } = context;
  const isAsked = !common.yes && canPrompt;
  const secret = await resolveSecret(context, id, flags, plan.old.local?.rotation);
  if (secret.isNew && !isPrepared && flags.verify === false && !isAsked)
    throw usageError(
      '--no-verify cannot be used in the run that generates the secret: the receiver does not know it yet',
      'Get the secret first with --prepare, and give it to the receiver.',
    );
  if (!isPrepared) await confirmPlan(context, plan, isAsked);
  const state = await recordStart(context, plan, secret, flags);
  context.onLocalChange();
  context.onInterruptHint(() => `To continue: ${again}`);
  const isUnseen = state.generated === true && state.shown !== true;
  if (isUnseen) {
    if (report.wantsJson) await report.withSecrets().json({ id, secret: secret.text });
    else await report.withSecrets().line(secret.text);
    await report.info(
      'This is the new secret. It is not shown again; wm stores it until the rotation has ended.',
    );
    await changeState(context, id, (last) => ({ ...last, shown: true }));
  }
  if (isPrepared)
    await report.info(`Prepared: no successor was created. Once the receiver knows the new secret: ${again}`);
  // In a script, and with --yes, only the check of the receiver decides.
  else if (isUnseen && state.createSent === undefined && isAsked) {
    await report.warn(acceptBoth);
    const isKnown = await context.prompt('--yes', (prompt) =>
      prompt.confirm(`Does the receiver ${state.settings.hookUrl} know the new secret now?`),
    );
    if (!isKnown)
      throw new Failure('check_failed', {
        message: 'The receiver does not know the new secret yet, so no successor was created',
        hint: `Once it does: ${again}`,
      });
  }
  return secret.text;
}

async function confirmPlan(context: Context, plan: Plan, isAsked: boolean): Promise<void> {
  const { common, report } = context;
  if (isAsked) await showAccount(context);
  if (common.yes) await showKnownAccount(context, [plan.old]);
  for (const line of describePlan(plan)) await (isAsked ? report.warn(line) : report.info(line));
  await context.confirm(
    plan.old.local?.rotation
      ? 'Continue this rotation?'
      : `Rotate the secret of webhook ${plan.old.record.id}?`,
  );
}

async function recordStart(
  context: Context,
  { old: { record, local }, state }: Plan,
  secret: RotationSecret,
  { storeSecret = false }: NewSecretFlags,
): Promise<RotationState> {
  const { id } = record;
  if (secret.isNew) await (await openSecretPlace(context, pendingName(id))).write(secret.text);
  const isStored = storeSecret || (await readStoredSecret(context, id)) !== undefined;
  // Deliberately slow, so it runs only once.
  const secretCheck = local?.rotation?.secretCheck ?? createSecretCheck(secret.text);
  const generated = secret.isNew ? { generated: true } : {};
  const begun = { ...state, began: state.settings.at, storeSecret: isStored, ...generated, secretCheck };
  return recordState(context, id, (last) => {
    const { rotation = begun } = last ?? {};
    return { ...rotation, old: state.old, storeSecret: rotation.storeSecret || isStored };
  });
}
