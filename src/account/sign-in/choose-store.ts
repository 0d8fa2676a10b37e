// Chooses where a new sign-in stores its tokens: --store, WM_TOKEN_STORE, the profile's setting, the profile's present store, the
// setting for all profiles, the keychain. On a machine without a keychain, a file needs the user's consent, asked for once.

import type { Context } from '#cli/context.ts';
import { valueFlag } from '#cli/flags/flag.ts';
import { storeKind } from '#cli/settings/setting-schemas.ts';
import { usageError } from '#failure.ts';
import { openProfileStore, parseStoreVariable } from '#login/open-token-store.ts';
import { findProfile } from '#login/profile.ts';
import { fileReaders } from '#login/store-notices.ts';
import { KeychainMissing, type StoreKind } from '#login/token-store.ts';
import { orRemembered } from './configured-sign-in.ts';

export const storeFlag = valueFlag(
  storeKind('--store'),
  'STORE',
  'Store the tokens in the keychain or in a file (plain text): keychain or file (or WM_TOKEN_STORE; remembered)',
);

/** Returns a store after a test write. Throws before the sign-in if no store works. */
export async function chooseStore(context: Context, name: string, flag: StoreKind | undefined) {
  const { world, account, report } = context;
  const requested = flag ?? parseStoreVariable(account.store);
  const stored = context.settings.find('token-store', name);
  const remembered = orRemembered(stored, (await findProfile(world, name))?.store);
  const kind = requested ?? remembered ?? 'keychain';
  const store = openProfileStore(world, undefined, kind);
  try {
    await store.assertWritable(name);
    return store;
  } catch (error) {
    if (!(error instanceof KeychainMissing) || requested === 'keychain' || !context.canPrompt) throw error;
    const file = openProfileStore(world, undefined, 'file');
    report.trace(`${error.message}: ${error.why}`);
    const question = `This machine has no keychain. Store the sign-in in a file ${world.process.platform === 'win32' ? fileReaders(world) : 'that only you can read'}?`;
    // --yes does not count here: only the user may choose a plain file.
    if (!(await context.prompt('--store', (prompt) => prompt.confirm(question))))
      throw usageError('Not confirmed; nothing was done', error.hint);
    await file.assertWritable(name);
    return file;
  }
}

/** Where `wm login --start` stored what --complete needs. */
export async function openPendingStore({ world, account }: Context, name: string, flag?: StoreKind) {
  const requested = flag ?? parseStoreVariable(account.store);
  if (requested) return openProfileStore(world, undefined, requested);
  const file = openProfileStore(world, undefined, 'file');
  if ((await file.pending.read(name)) !== undefined) return file;
  const keychain = openProfileStore(world, undefined, 'keychain');
  return keychain.pending.read(name).then(
    () => keychain,
    (error: unknown) => {
      // Without a keychain only the file store is possible, and its caller reports that no sign-in was started.
      if (error instanceof KeychainMissing) return file;
      throw error;
    },
  );
}
