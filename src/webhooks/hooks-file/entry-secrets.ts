// Reads the secrets that a file's entries refer to, from environment variables or from this machine's store, before anything
// is changed.

import type { Context } from '#cli/context.ts';
import { formatCommandWith } from '#cli/format-command.ts';
import { usageError } from '#failure.ts';
import { readStoredSecret } from '../secrets/find-secret.ts';
import type { HookEntry } from './hooks-file.ts';

/** Throws a usage failure that names every missing secret. */
export async function readEntrySecrets(
  context: Context,
  path: string,
  entries: readonly HookEntry[],
): Promise<ReadonlyMap<HookEntry, string>> {
  const secrets = new Map<HookEntry, string>();
  const missing: { readonly message: string; readonly hint: string }[] = [];
  for (const entry of entries) {
    const { line, url, secret } = entry;
    if (secret === undefined) continue;
    const webhook = `the webhook ${url} on line ${line} of ${path}`;
    const text =
      'variable' in secret
        ? context.world.environment[secret.variable]
        : (await readStoredSecret(context, secret.stored))?.text;
    if (text) {
      context.world.secrets.add(text);
      secrets.set(entry, text);
    } else if ('stored' in secret) {
      const command = formatCommandWith(context, 'webhook secret', [secret.stored], '--store');
      missing.push({
        message: `No secret is stored for ${secret.stored}, which ${webhook} refers to`,
        hint: `To store it: ${command}`,
      });
    } else {
      missing.push({
        message: `${secret.variable} is ${text === undefined ? 'not set' : 'empty'}`,
        hint: `Set it to the secret of ${webhook}.`,
      });
    }
  }
  const [first, ...rest] = missing;
  if (first === undefined) return secrets;
  if (rest.length === 0) throw usageError(first.message, first.hint);
  throw usageError(
    `${missing.length} secrets are missing; nothing was changed`,
    missing.map(({ message, hint }) => `${message}. ${hint}`).join('\n'),
  );
}
