// Which webhooks have a secret that is stored on this machine.

import { Failure } from '../../../failure.ts';
import type { Context } from '../../context.ts';
import { openSecretPlace } from './secret-place.ts';

/** Those of `ids`. Warns if the store fails, and then names those found before. */
export async function findStoredSecrets(
  context: Pick<Context, 'world' | 'account' | 'report'>,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const [first] = ids;
  if (first === undefined) return found;
  try {
    const { store, owner } = await openSecretPlace(context, first);
    for (const webhookId of ids) if (await store.has({ ...owner, webhookId })) found.add(webhookId);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { NoKeychain } = await import('./keychain-secret-store.ts');
    if (!(error instanceof NoKeychain))
      await context.report.warn(`Cannot see which secrets are stored: ${error.sentence}`);
  }
  return found;
}
