// Resolves the new secret of a rotation: given, generated, or stored by an earlier run.

import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';
import type { Context } from '#cli/context.ts';
import type { RotationState } from '#cli/local-webhook.ts';
import { Failure, usageError } from '#failure.ts';
import {
  assertOneSource,
  assertSecretStore,
  createSecret,
  type NewSecretFlags,
} from '../new-webhook/create-secret.ts';
import { promptForSecret, readSecretInput, readStoredSecret } from '../secrets/find-secret.ts';
import { abortCommand } from './rotation.ts';

export type RotationSecret = Awaited<ReturnType<typeof resolveSecret>>;

/** The name of a generated secret in the store until the rotation has ended. No webhook has such an id. */
export const pendingName = (id: string) => `${id} (new secret)`;

/**
 * Nothing is stored yet; but if the secret could not be stored, it throws. `isNew`: this run generated the secret, so that the
 * receiver does not have it yet.
 */
export async function resolveSecret(
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
  const input = await readSecretInput(context, flags);
  const text = input?.text ?? (await prompt(context));
  const stored = await readStoredSecret(context, id);
  if (stored?.text === text)
    throw usageError(
      `The new secret${input ? ` of ${input.source}` : ''} is the one that webhook ${id} has`,
      'Give another one, or let wm make one: --generate-secret',
    );
  return { text, isNew: false };
}

async function prompt(context: Context): Promise<string> {
  if (!context.canPrompt)
    throw usageError(
      'Missing: the new secret',
      'Give it with --secret-file, --secret-stdin or WM_WEBHOOK_SECRET, or let wm make one: --generate-secret',
      `cannot prompt: ${context.whyCannotPrompt}`,
    );
  return (await promptForSecret(context, 'New secret of the webhook')).text;
}

async function recoverSecret(
  context: Context,
  id: string,
  flags: NewSecretFlags,
  state: RotationState,
): Promise<string> {
  const { generated = false, secretCheck, successor } = state;
  const anew = `To begin anew: ${abortCommand(context, id)}`;
  const isSame = (text: string | undefined): text is string =>
    text !== undefined && isCheckedSecret(text, secretCheck);
  if (flags.generateSecret && !generated)
    throw usageError(
      '--generate-secret cannot be used now: the rotation began with a secret of your own',
      `Give the same secret again. ${anew}`,
    );
  const stored = generated ? await readStoredSecret(context, pendingName(id)) : undefined;
  if (isSame(stored?.text)) return stored.text;
  const input = await readSecretInput(context, flags);
  if (input && !isSame(input.text))
    throw usageError(
      `The secret of ${input.source} is not the one with which the rotation began`,
      `Give the same secret again. ${anew}`,
    );
  if (input) return input.text;
  const successorSecret = successor === undefined ? undefined : await readStoredSecret(context, successor);
  if (isSame(successorSecret?.text)) return successorSecret.text;
  if (generated)
    throw new Failure('token_store', {
      message: 'The generated secret is missing from this machine',
      hint: `Give it as it was printed, with --secret-file or --secret-stdin. ${anew}`,
    });
  const answer = await prompt(context);
  if (isSame(answer)) return answer;
  throw usageError('This is not the secret with which the rotation began', anew);
}

type SecretCheck = RotationState['secretCheck'];

const bytes = 32;

export function createSecretCheck(secret: string): SecretCheck {
  const salt = randomBytes(16).toString('hex');
  return { salt, hash: hash(secret, salt).toString('hex') };
}

function isCheckedSecret(secret: string, check: SecretCheck): boolean {
  const expected = Buffer.from(check.hash, 'hex');
  return expected.length === bytes && timingSafeEqual(hash(secret, check.salt), expected);
}

function hash(secret: string, salt: string): Buffer {
  return scryptSync(secret, salt, bytes);
}
