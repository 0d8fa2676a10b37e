// Notices about where tokens are stored: at a sign-in, and once a day if that is a plain file, or a store other than the one
// that WM_TOKEN_STORE names.

import type { World } from '../world/world.ts';
import { isNoticeDue } from './daily-notice.ts';
import type { TokenStore } from './token-store.ts';

type NoticeWorld = Pick<World, 'files' | 'clock' | 'process'>;

/** Shows the notices that are due for the store of `profile`: nearly always none. `variable`: WM_TOKEN_STORE. */
export async function showStoreReminder(
  world: NoticeWorld,
  store: TokenStore,
  profile: string,
  variable: string | undefined,
  show: (line: string) => void,
): Promise<void> {
  if (store.kind === 'file' && (await isNoticeDue(world, plainTextKey(store))))
    show(plainTextNotice(world, store, profile));
  if (variable === undefined || variable === store.kind) return;
  if (await isNoticeDue(world, `store of ${profile} in ${store.name}`)) {
    show(
      `WM_TOKEN_STORE=${variable} applies to new sign-ins only: the tokens of ${profile} are in ${store.name}. To move them: wm login --profile ${profile} --store ${variable}`,
    );
  }
}

/** Shows where tokens are stored as plain text. Always at a sign-in; it counts as the notice of the day. */
export async function showPlainTextNotice(
  world: NoticeWorld,
  store: TokenStore,
  profile: string,
  show: (line: string) => Promise<void>,
): Promise<void> {
  if (store.kind !== 'file') return;
  await isNoticeDue(world, plainTextKey(store));
  await show(plainTextNotice(world, store, profile));
}

function plainTextKey(store: TokenStore): string {
  return `tokens in ${store.name}`;
}

function plainTextNotice(
  world: Pick<World, 'files' | 'process'>,
  store: TokenStore,
  profile: string,
): string {
  return `The tokens are stored as plain text in ${store.locationOf(profile)}, ${fileReaders(world)}.`;
}

/** Who can read the files of the file store. On Windows files have no mode: they inherit the access rights of the folder. */
export function fileReaders({ files, process: { platform } }: Pick<World, 'files' | 'process'>): string {
  if (platform !== 'win32') return 'readable only by you';
  return files.isDefaultConfigFolder
    ? 'readable by you and by administrators of this computer'
    : 'readable by everyone who may read that folder';
}
