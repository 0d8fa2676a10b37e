// Notices about where tokens are stored: at a sign-in, and once a day if that is a plain file, or not what WM_TOKEN_STORE names.

import { join } from 'node:path';
import { parseJsonIfValid } from '#contract/json.ts';
import type { World } from '#world/world.ts';
import { tokenFile } from './file-token-store.ts';
import { signInCommand } from './profile.ts';
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
    show(plainTextNotice(world, profile));
  if (variable === undefined || variable === store.kind) return;
  if (await isNoticeDue(world, `store of ${profile} in ${store.name}`))
    show(
      `WM_TOKEN_STORE=${variable} applies to new sign-ins only: the tokens of ${profile} are in ${store.name}. To move them: ${signInCommand(profile)} --store ${variable}`,
    );
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
  await show(plainTextNotice(world, profile));
}

function plainTextKey(store: TokenStore): string {
  return `tokens in ${store.name}`;
}

function plainTextNotice(world: Pick<World, 'files' | 'process'>, profile: string): string {
  return `The tokens are stored as plain text in ${tokenFile(world.files, profile)}, ${fileReaders(world)}.`;
}

/** Who can read the files of the file store. On Windows files have no mode: they inherit the access rights of the folder. */
export function fileReaders({ files, process: { platform } }: Pick<World, 'files' | 'process'>): string {
  if (platform !== 'win32') return 'readable only by you';
  return files.isDefaultConfigFolder
    ? 'readable by you and by administrators of this computer'
    : 'readable by everyone who may read that folder';
}

const dayMs = 86_400_000;
const maxBytes = 64 * 1024;

/** True if the notice `key` was not shown within the last 24 hours; records that it is shown now. Never fails. */
async function isNoticeDue({ files, clock }: Pick<World, 'files' | 'clock'>, key: string): Promise<boolean> {
  const path = join(files.stateFolder, 'said.json');
  const now = clock.now();
  const shownAt = parseNoticeTimes(await files.read(path, { maxBytes }).catch(() => undefined));
  const last = shownAt.get(key);
  // A time in the future comes from a clock that was wrong.
  if (last !== undefined && last <= now && now - last < dayMs) return false;
  const recent = [...shownAt].filter(([, at]) => at <= now && now - at < dayMs);
  const text = JSON.stringify(Object.fromEntries([...recent, [key, now]]));
  await files.write(path, `${text}\n`, { mode: 0o600 }).catch(() => {});
  await files.removeLeftovers(path);
  return true;
}

function parseNoticeTimes(bytes: Uint8Array | undefined): ReadonlyMap<string, number> {
  const decoded = Object(parseJsonIfValid(new TextDecoder().decode(bytes)));
  return new Map(
    Object.entries(decoded).filter((pair): pair is [string, number] => typeof pair[1] === 'number'),
  );
}
