// The secrets that entries of a file refer to: variables of the environment, or secrets stored on this machine. All are read
// before anything is sent.

import { usageError } from '../../../failure.ts';
import type { Context } from '../../context.ts';
import { readStoredSecret } from '../secret/find-secret.ts';
import type { HookEntry } from './hooks-file.ts';

export async function readEntrySecrets(
  context: Context,
  entries: readonly HookEntry[],
): Promise<ReadonlyMap<HookEntry, string>> {
  const secrets = new Map<HookEntry, string>();
  for (const entry of entries) {
    if (entry.secret !== undefined) secrets.set(entry, await readSecret(context, entry, entry.secret));
  }
  return secrets;
}

async function readSecret(
  context: Context,
  { line, url }: HookEntry,
  reference: NonNullable<HookEntry['secret']>,
): Promise<string> {
  if ('stored' in reference) {
    const known = await readStoredSecret(context, reference.stored);
    if (known) return known.text;
    throw usageError(
      `No secret is stored for ${reference.stored}, which the webhook ${url} on line ${line} refers to`,
      `To store it: wm webhook secret ${reference.stored} --store`,
    );
  }
  const text = context.world.environment[reference.variable];
  if (text === undefined || text === '')
    throw usageError(
      `${reference.variable} is not set`,
      `Set it to the secret of the webhook ${url} on line ${line}.`,
    );
  context.world.secrets.add(text);
  return text;
}
