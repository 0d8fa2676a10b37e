// Where a new sign-in stores its tokens: --store, then WM_TOKEN_STORE, then where this profile has them already, then the
// keychain. Only where there is no keychain at all, a person is asked once whether a file will do; nobody falls back to a
// file without having said so.

import type { Value } from '../../contract/value.ts';
import { usage } from '../../failure.ts';
import { NoKeychain } from '../../login/keychain-store.ts';
import { learning } from '../../login/learning.ts';
import { openStore } from '../../login/open-store.ts';
import { findProfile } from '../../login/profile.ts';
import { checkStoreKind, type StoreKind, type TokenStore } from '../../login/store.ts';
import { readersOf, sayPlainText, storeOfVariable } from '../../login/stored-where.ts';
import type { Context } from '../context.ts';
import { value } from '../flag.ts';

const storeKinds: Value<StoreKind> = {
  type: 'store',
  wire: 'text',
  choices: ['keychain', 'file'],
  check: (input) => checkStoreKind(String(input), '--store'),
  fromWire: (text) => checkStoreKind(text, '--store'),
  toWire: (kind) => kind,
};

export const storeFlag = value(
  storeKinds,
  'STORE',
  'Where to store the tokens: keychain, or file (plain text); remembered (or WM_TOKEN_STORE)',
);

/** A store that was just seen to store something. Throws before anyone signs in where there is none. */
export async function chooseStore(
  context: Context,
  name: string,
  flag: StoreKind | undefined,
): Promise<TokenStore> {
  const { world, account } = context;
  const said = flag ?? storeOfVariable(account.store);
  const remembered = (await findProfile(world, name))?.store;
  const store = learning(openStore(world, said ?? remembered ?? 'keychain'), world.secrets);
  try {
    await store.prove(name);
    return store;
  } catch (error) {
    if (!(error instanceof NoKeychain) || said === 'keychain' || !context.mayAsk) throw error;
    const file = learning(openStore(world, 'file'), world.secrets);
    const question = `${error.message} (${error.why}). Store the tokens in ${file.placeOf(name)}, ${readersOf(world)}?`;
    // Not --yes, which means another question: a plain file must be chosen by its name.
    if (!(await context.ask('--store', (prompt) => prompt.confirm(question))))
      throw usage('Not confirmed, so nothing was done', error.hint);
    await file.prove(name);
    return file;
  }
}

/** Where `wm login --start` stored what --complete needs. */
export async function storeOfPending(
  { world, account }: Context,
  name: string,
  flag: StoreKind | undefined,
): Promise<TokenStore> {
  const said = flag ?? storeOfVariable(account.store);
  if (said) return learning(openStore(world, said), world.secrets);
  const file = learning(openStore(world, 'file'), world.secrets);
  if ((await file.pending.read(name)) !== undefined) return file;
  const keychain = learning(openStore(world, 'keychain'), world.secrets);
  return keychain.pending.read(name).then(
    () => keychain,
    (error: unknown) => {
      // Then it was not started at all, and whoever looks in the file finds that.
      if (error instanceof NoKeychain) return file;
      throw error;
    },
  );
}

/** Where the tokens of a sign-in that was just made are, if anyone who may read the person's files can read them. */
export async function sayWhereStored(
  { world, report }: Context,
  store: TokenStore,
  name: string,
): Promise<void> {
  await sayPlainText(world, store, name, (line) => report.warn(line));
}
