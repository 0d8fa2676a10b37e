// Chooses and opens the store of webhooks' secrets, and names a secret's owner in it.

import type { Context } from '#cli/context.ts';
import { formatCommandWith } from '#cli/format-command.ts';
import { journalFlagOf } from '#cli/journal-folder.ts';
import { Failure } from '#failure.ts';
import { parseStoreVariable } from '#login/open-token-store.ts';
import { findBaseUrl, notSignedIn, selectProfile, selectProfileName } from '#login/select-account.ts';
import { fileReaders } from '#login/store-notices.ts';
import { KeychainMissing, type StoreKind } from '#login/token-store.ts';
import type { SecretOwner, SecretPlace } from './secret-store.ts';

/** @throws {Failure} `sign_in_needed` if no account is known, and so no host. */
export async function openSecretPlace(context: Context, webhookId: string): Promise<SecretPlace> {
  return (await findSecretPlaces(context))(webhookId);
}

/** For many webhooks: finds the account once. @throws {Failure} `sign_in_needed` if no account is known, and so no host. */
export async function findSecretPlaces(context: Context) {
  const base = await findBaseUrl(context.world, context.account);
  if (base === undefined) throw notSignedIn(await selectProfileName(context.world, context.account));
  const { host } = new URL(base);
  const kind = await chooseKind(context);
  return (webhookId: string) => openPlace(context, { host, webhookId }, kind);
}

/** Used instead of a host: the secret does not belong to a webhook yet, and needs no sign-in. A host has no space in it. */
const receiverHost = 'webhook listen';

/** The place of the secret that `wm webhook listen` generated, one for each journal. `kind`: the store, if it is known. */
export async function openReceiverSecretPlace(context: Context, journalFolder: string, kind?: StoreKind) {
  const webhookId = await context.world.files.realPath(journalFolder);
  return openPlace(context, { host: receiverHost, webhookId }, kind ?? (await chooseKind(context)));
}

export const isReceiver = ({ host }: SecretOwner): boolean => host === receiverHost;

export async function warnIfStoredInFile(
  { report, world }: Pick<Context, 'report' | 'world'>,
  { kind, location }: SecretPlace,
): Promise<void> {
  if (kind === 'keychain') return;
  await report.warn(`The secret is stored as plain text in ${location}, ${fileReaders(world)}.`);
}

/** WM_TOKEN_STORE, then the store of the profile's tokens: a user without a keychain chose that at sign-in. */
async function chooseKind({ world, account }: Context): Promise<StoreKind> {
  const profile = await selectProfile(world, account);
  return parseStoreVariable(account.store) ?? profile?.store ?? 'keychain';
}

async function openPlace(context: Context, owner: SecretOwner, kind: StoreKind): Promise<SecretPlace> {
  const { world } = context;
  if (kind !== 'file') return (await import('./keychain-secret.ts')).openKeychainSecret(world, owner);
  const { openFileSecret } = await import('./file-secret.ts');
  const { webhookId } = owner;
  const [operands, flags] = isReceiver(owner)
    ? [[], ['--receiver', ...journalFlagOf(webhookId)]]
    : [[webhookId], []];
  return openFileSecret(world, owner, () =>
    formatCommandWith(context, 'webhook secret', operands, ...flags, '--remove'),
  );
}

/** The ids that have a stored secret. If the store fails, warns and returns the ids found so far. */
export async function findStoredSecrets(context: Context, ids: readonly string[]) {
  const stored = new Set<string>();
  await unlessStoreFails(
    context,
    async () => {
      const placeOf = await findSecretPlaces(context);
      for (const id of ids) if (await (await placeOf(id)).has()) stored.add(id);
    },
    (sentence) => `Cannot see which secrets are stored: ${sentence}`,
  );
  return stored;
}

/** If the store fails, only warns: the secret may come from elsewhere. Without a keychain or a sign-in none is stored. */
export async function unlessStoreFails<T>(
  { report }: Pick<Context, 'report'>,
  use: () => Promise<T>,
  warningOf: (sentence: string) => string,
): Promise<T | undefined> {
  try {
    return await use();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (!(error instanceof KeychainMissing || error.code === 'sign_in_needed'))
      await report.warn(warningOf(error.sentence));
    return undefined;
  }
}

export async function storeSecret(context: Context, webhookId: string, secret: string): Promise<void> {
  const place = await openSecretPlace(context, webhookId);
  await place.write(secret);
  await warnIfStoredInFile(context, place);
}

/** Only warns on failure: the webhook exists, and the secret is still stored for its predecessor. */
export async function storeForSuccessor(context: Context, id: string, secret: string): Promise<void> {
  try {
    await (await openSecretPlace(context, id)).write(secret);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    await context.report.warn(
      `The secret of the new webhook ${id} was not stored: ${error.sentence}\nTo store it: ${formatCommandWith(context, 'webhook secret', [id], '--store')}`,
    );
  }
}
