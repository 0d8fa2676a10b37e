// Resolves the new secret of a rotation: given, generated, or stored by an earlier run.

import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';
import type { Context } from '#cli/context.ts';
import { Failure, usageError } from '#failure.ts';
import type { RotationState } from '#local-records/local-webhook.ts';
import {
  assertOneSource,
  assertSecretStore,
  createSecret,
  type NewSecretFlags,
} from '../new-webhook/create-secret.ts';
import { findSecret, readStoredSecret } from '../secrets/find-secret.ts';
import { abortCommand } from './rotation-state.ts';

export type RotationSecret = Awaited<ReturnType<typeof resolveSecret>>;

/** The name of a generated secret in the store until the rotation has ended. No webhook has such an id. */
export const pendingName = (id: string) => `${id} (new secret)`;

const question = 'New secret of the webhook';

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
  const found = await findSecret(context, { flags, question });
  if (!found) throw missingSecret(context);
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
