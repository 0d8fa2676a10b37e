// Stores the secret of a webhook for its successor too: the commands that sign or check deliveries look for it by the id of the
// webhook.

import { Failure } from '../../../failure.ts';
import type { Context } from '../../context.ts';
import { type FormatContext, formatCommandWith } from '../../format-command.ts';
import { openSecretPlace } from './secret-place.ts';

/** Warns if it cannot be stored: the webhook exists, and the secret is still stored for the other one. */
export async function storeForSuccessor(
  context: Pick<Context, 'world' | 'account' | 'report'> & FormatContext,
  id: string,
  secret: string,
): Promise<void> {
  try {
    const { store, owner } = await openSecretPlace(context, id);
    await store.write(owner, secret);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    await context.report.warn(
      `The secret of the new webhook ${id} was not stored: ${error.sentence}\nTo store it: ${formatCommandWith(context, 'webhook secret', [id], '--store')}`,
    );
  }
}
