// Finds the secrets that `wm webhook listen` accepts: all that the user gives, because a webhook that is being replaced has two; otherwise
// one that wm creates once and stores.

import type { Context } from '#cli/context.ts';
import { formatCommandWith } from '#cli/format-command.ts';
import { isIdShaped } from '#cli/resolve/id-shape.ts';
import { Failure, usageError } from '#failure.ts';
import type { StoreKind } from '#login/token-store.ts';
import { readSecretInput, readStoredSecret, type Secret } from '#webhooks/secrets/find-secret.ts';
import { openReceiverSecretPlace, warnIfStoredInFile } from '#webhooks/secrets/secret-place.ts';
import type { ListenFlags } from './listen-flags.ts';

type Sources = Pick<ListenFlags, 'secretFile' | 'secretStdin' | 'secretOf' | 'unsigned'>;

export interface ReceiverSecret extends Secret {
  readonly webhookId?: string;
  readonly store?: StoreKind;
  /** Generated in this run, so no webhook can have it yet. */
  readonly isNew?: true;
}

/**
 * Returns no secret only with --unsigned, if the journal has none yet. `folder`: the journal that a generated secret belongs to; a sink has
 * none, because each receiver would generate another one.
 * @throws {Failure} `usage`, `not_found` or `token_store`
 */
export async function findReceiverSecrets(context: Context, sources: Sources, folder: string | undefined) {
  const secrets = [
    ...(await readFromFlags(context, sources)),
    ...(await readStored(context, sources.secretOf ?? [])),
  ];
  if (secrets.length > 0 || (folder === undefined && sources.unsigned)) return secrets;
  if (folder === undefined)
    throw usageError(
      'With --sink, wm creates no secret of its own: all receivers need the same one',
      'Give it with WM_WEBHOOK_SECRET, --secret-file, --secret-stdin or --secret-of.',
    );
  return findOwnSecret(context, folder, sources.unsigned);
}

async function readFromFlags(context: Context, { secretFile = [], secretStdin }: Sources) {
  const inputs = [
    ...secretFile.map((file) => ({ secretFile: file })),
    ...(secretStdin ? [{ secretStdin }] : []),
    // Reads WM_WEBHOOK_SECRET.
    {},
  ];
  const secrets: Secret[] = [];
  for (const input of inputs) {
    const secret = await readSecretInput(context, input);
    if (secret) secrets.push(secret);
  }
  return secrets;
}

async function readStored(context: Context, names: readonly string[]): Promise<readonly ReceiverSecret[]> {
  if (names.length === 0) return [];
  // Loaded only when needed, so that the receiver is ready sooner.
  const { resolveKnownIds } = await import('#webhooks/records/resolve-known-ids.ts');
  const secrets: ReceiverSecret[] = [];
  const ids: string[] = [];
  for (const name of names) {
    const candidates = await resolveKnownIds(context, [name]);
    // A label of one word may look like an id. A webhook with that label or URL takes precedence.
    const labelled = candidates.filter((id) => id !== name);
    ids.push(...(labelled.length > 0 ? labelled : candidates));
  }
  for (const webhookId of new Set(ids)) {
    const secret = await readStoredSecret(context, webhookId);
    if (!secret && !isIdShaped(webhookId))
      throw new Failure('not_found', {
        message: `No webhook with the id, label or URL ${JSON.stringify(webhookId)} is known on this machine`,
        hint: `To list the webhooks with their ids: ${formatCommandWith(context, 'webhook list', [])}`,
      });
    if (!secret)
      throw new Failure('not_found', {
        message: `No secret is stored for webhook ${webhookId}`,
        hint: `To store it: ${formatCommandWith(context, 'webhook secret', [webhookId], '--store')}`,
      });
    secrets.push({ ...secret, webhookId });
  }
  return secrets;
}

/** Creates none with --unsigned, but a webhook created with an earlier one still signs. */
async function findOwnSecret(context: Context, folder: string, unsigned = false) {
  try {
    const place = await openReceiverSecretPlace(context, folder);
    const stored = await place.read();
    context.world.secrets.add(stored);
    const origin = { source: place.location, store: place.kind };
    if (stored !== undefined) return [{ text: stored, ...origin }];
    if (unsigned) return [];
    const { createSecret } = await import('#webhooks/new-webhook/create-secret.ts');
    const text = createSecret(context);
    await place.write(text);
    await warnIfStoredInFile(context, place);
    return [{ text, ...origin, isNew: true }];
  } catch (error) {
    if (!unsigned || !(error instanceof Failure) || error.code !== 'token_store') throw error;
    await context.report.warn(
      `${error.sentence}. So wm does not check signatures with the secret of this journal.`,
    );
    return [];
  }
}
