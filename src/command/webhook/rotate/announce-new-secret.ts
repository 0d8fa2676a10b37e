// Prints a generated secret, once, before the service asks the receiver for proof of it; and lets a user on a terminal give it
// to the receiver first.

import { Failure } from '../../../failure.ts';
import type { Context } from '../../context.ts';
import { acceptBoth } from './check-receiver.ts';
import { recordState } from './record-rotation.ts';
import { endedElsewhere } from './rotation.ts';

export async function printSecret(context: Context, id: string, secret: string): Promise<void> {
  const { report } = context;
  if (report.wantsJson) await report.withSecrets().json({ id, secret });
  else await report.withSecrets().line(secret);
  await report.info(
    'This is the new secret. It is not shown again; wm stores it until the rotation has ended.',
  );
  await recordState(context, id, (state) => {
    if (!state) throw endedElsewhere(id);
    return { ...state, shown: true };
  });
}

/** Returns once the user says that the receiver knows it. In a script, and with --yes, the check of the receiver decides. */
export async function awaitReceiver(context: Context, url: string, again: string): Promise<void> {
  const { canPrompt, common, report } = context;
  if (common.yes || !canPrompt) return;
  await report.warn(acceptBoth);
  const isKnown = await context.prompt('--yes', (prompt) =>
    prompt.confirm(`Does the receiver ${url} know the new secret now?`),
  );
  if (isKnown) return;
  throw new Failure('check_failed', {
    message: 'The receiver does not know the new secret yet, so no successor was created',
    hint: `Once it does: ${again}`,
  });
}
