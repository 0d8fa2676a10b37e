// Begins or continues a rotation: finds the new secret (given, generated, or stored by an earlier run), lets the user confirm the
// plan, and records both before anything is sent.

import { scryptSync, timingSafeEqual } from 'node:crypto';
import type { Context } from '#cli/context.ts';
import { Failure, failWith, usageError } from '#failure.ts';
import type { RotationState } from '#local-records/local-webhook.ts';
import type { World } from '#world/world.ts';
import { showAccount, showKnownAccount } from '../change/confirm.ts';
import {
  assertOneLine,
  assertOneSource,
  assertSecretStore,
  createSecret,
  type NewSecretFlags,
} from '../new-webhook/create-secret.ts';
import { findSecret, readStoredSecret } from '../secrets/find-secret.ts';
import { openSecretPlace } from '../secrets/secret-place.ts';
import { describePlan, type Plan } from './rotation-plan.ts';
import { abortCommand, acceptBoth, changeState, pendingName, recordState } from './rotation-state.ts';

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
    const { json, line } = report.withSecrets();
    const printed = report.wantsJson
      ? json({ id, secret: secret.text }, { rejectsFilterFailure: true })
      : line(secret.text);
    const hint = `wm stores it until the rotation has ended. To print it: ${again}${isPrepared ? ' --prepare' : ''}`;
    await printed.catch(failWith('other', 'The new secret was not printed', hint));
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
  secret: Awaited<ReturnType<typeof resolveSecret>>,
  { storeSecret = false }: NewSecretFlags,
): Promise<RotationState> {
  const { id } = record;
  if (secret.isNew) await (await openSecretPlace(context, pendingName(id))).write(secret.text);
  const isStored = storeSecret || (await readStoredSecret(context, id)) !== undefined;
  // Deliberately slow, so it runs only once.
  const secretCheck = local?.rotation?.secretCheck ?? createSecretCheck(context.world, secret.text);
  const generated = secret.isNew ? { generated: true } : {};
  const begun = { ...state, began: state.settings.at, storeSecret: isStored, ...generated, secretCheck };
  return recordState(context, id, (last) => {
    const { rotation = begun } = last ?? {};
    return { ...rotation, old: state.old, storeSecret: rotation.storeSecret || isStored };
  });
}

const question = 'New secret of the webhook';

/**
 * Nothing is stored yet; but if the secret could not be stored, it throws. `isNew`: this run generated the secret, so that the
 * receiver does not have it yet.
 */
async function resolveSecret(
  context: Context,
  id: string,
  flags: NewSecretFlags,
  state: RotationState | undefined,
) {
  assertOneSource(flags);
  const { generateSecret, storeSecret } = flags;
  if (state) return { text: await recoverSecret(context, id, flags, state), isNew: false };
  if (generateSecret || storeSecret) await assertSecretStore(context);
  if (generateSecret) return { text: createSecret(context), isNew: true };
  const found = await findSecret(context, { flags, question });
  if (!found) throw missingSecret(context);
  assertOneLine(found);
  const { text, source } = found;
  if ((await readStoredSecret(context, id))?.text !== text) return { text, isNew: false };
  throw usageError(
    `The new secret of ${source} is the one that webhook ${id} has`,
    'Give another one, or let wm make one: --generate-secret',
  );
}

function missingSecret({ whyCannotPrompt }: Context): Failure {
  return usageError(
    'Missing: the new secret',
    'Give it with --secret-file, --secret-stdin or WM_WEBHOOK_SECRET, or let wm make one: --generate-secret',
    `cannot prompt: ${whyCannotPrompt}`,
  );
}

async function recoverSecret(
  context: Context,
  id: string,
  flags: NewSecretFlags,
  { generated = false, secretCheck, successor }: RotationState,
): Promise<string> {
  const anew = `To begin anew: ${abortCommand(context, id)}`;
  const isSame = (text: string) => isCheckedSecret(text, secretCheck);
  if (flags.generateSecret && !generated)
    throw usageError(
      '--generate-secret cannot be used now: the rotation began with a secret of your own',
      `Give the same secret again. ${anew}`,
    );
  const pending = generated ? await readStoredSecret(context, pendingName(id)) : undefined;
  if (pending && isSame(pending.text)) return pending.text;
  const asked = generated ? {} : { question };
  const found = await findSecret(context, { flags, webhookId: successor, ...asked });
  if (found && isSame(found.text)) return found.text;
  if (found)
    throw usageError(
      `The secret of ${found.source} is not the one with which the rotation began`,
      `Give the same secret again. ${anew}`,
    );
  if (!generated) throw missingSecret(context);
  throw new Failure('token_store', {
    message: 'The generated secret is missing from this machine',
    hint: `Give it as it was printed, with --secret-file or --secret-stdin. ${anew}`,
  });
}

type SecretCheck = RotationState['secretCheck'];

const bytes = 32;

function createSecretCheck({ randomBytes }: Pick<World, 'randomBytes'>, secret: string): SecretCheck {
  const salt = randomBytes(16).toString('hex');
  return { salt, hash: hash(secret, salt).toString('hex') };
}

function isCheckedSecret(secret: string, check: SecretCheck): boolean {
  const expected = Buffer.from(check.hash, 'hex');
  return expected.length === bytes && timingSafeEqual(hash(secret, check.salt), expected);
}

const hash = (secret: string, salt: string): Buffer => scryptSync(secret, salt, bytes);
