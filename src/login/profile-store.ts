// Which store holds the tokens of a profile: the one it was signed in to, which the profile remembers, so that no shell
// needs a variable to find them. WM_TOKEN_STORE is for the next sign-in. And once a day: where the tokens are, if that is
// a plain file.

import type { World } from '../world/world.ts';
import { isNoticeDue } from './daily-notice.ts';
import { openTokenStore } from './open-token-store.ts';
import type { Profile } from './profile.ts';
import { withSecretTracking } from './secret-tracking.ts';
import { parseStoreKind, type StoreKind, type TokenStore } from './token-store.ts';

/** What WM_TOKEN_STORE says. Throws a usage failure for a store that there is none of. */
export function parseStoreVariable(text: string | undefined): StoreKind | undefined {
  return text === undefined ? undefined : parseStoreKind(text, 'WM_TOKEN_STORE');
}

/**
 * The store of a profile's tokens. A profile made before profiles remembered it has them where WM_TOKEN_STORE says, or
 * in the keychain, under the names of that time.
 */
export function openProfileStore(
  world: Pick<World, 'files' | 'keychain' | 'secrets'>,
  profile: Pick<Profile, 'store'> | undefined,
  variable: string | undefined,
): TokenStore {
  const wanted = parseStoreVariable(variable);
  const store =
    profile?.store === undefined
      ? openTokenStore(world, wanted ?? 'keychain', profile ? 'old' : 'new')
      : openTokenStore(world, profile.store);
  return withSecretTracking(store, world.secrets);
}

/** What a person should know of where the tokens are, as often as it should be said: nearly always nothing. */
export async function showStoreReminder(
  world: Pick<World, 'files' | 'clock' | 'process'>,
  store: TokenStore,
  profile: string,
  variable: string | undefined,
  say: (line: string) => void,
): Promise<void> {
  if (store.kind === 'file' && (await isNoticeDue(world, `tokens in ${store.name}`)))
    say(plainTextNotice(world, store, profile));
  if (variable === undefined || variable === store.kind) return;
  if (await isNoticeDue(world, `store of ${profile} in ${store.name}`)) {
    say(
      `WM_TOKEN_STORE=${variable} is for new sign-ins: the tokens of ${profile} are in ${store.name}. To move them: wm login --profile ${profile} --store ${variable}`,
    );
  }
}

/** At a sign-in it is always said; that is today's time. */
export async function showPlainTextNotice(
  world: Pick<World, 'files' | 'clock' | 'process'>,
  store: TokenStore,
  profile: string,
  say: (line: string) => Promise<void>,
): Promise<void> {
  if (store.kind !== 'file') return;
  await isNoticeDue(world, `tokens in ${store.name}`);
  await say(plainTextNotice(world, store, profile));
}

function plainTextNotice(
  world: Pick<World, 'files' | 'process'>,
  store: TokenStore,
  profile: string,
): string {
  return `The tokens are stored as plain text in ${store.locationOf(profile)}, ${fileReaders(world)}.`;
}

/** Who can read the files of the file store. Windows knows no modes: a file may be read by whoever may read its folder. */
export function fileReaders({ files, process: { platform } }: Pick<World, 'files' | 'process'>): string {
  if (platform !== 'win32') return 'readable only by you';
  return files.isDefaultConfigFolder
    ? 'readable by you and by administrators of this computer'
    : 'readable by everyone who may read that folder';
}
