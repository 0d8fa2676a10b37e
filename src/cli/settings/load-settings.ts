// Loads the settings from files before a command runs: config.json, which must belong to the user, and the nearest .wm.json, from
// any owner. Without a file nothing else is loaded. Flags and variables take precedence: see resolve-setting.ts.

import { dirname, join } from 'node:path';
import { type Failure, failWith, toFailure } from '#failure.ts';
import { assertPrivateConfigFolder } from '#login/private-folder.ts';
import { type AccountOptions, type ProfileSelection, selectProfileName } from '#login/select-account.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { World } from '#world/world.ts';
import type { SettingName, SettingValue, SettingValues } from './setting-table.ts';
import type { SettingsFile } from './settings-file.ts';

export interface StoredSetting<T> {
  readonly value: T;
  /** In order of precedence: the folder's file, the profile's own setting, the user's setting for all profiles. */
  readonly from: 'folder' | 'profile' | 'user';
  readonly origin: string;
}

export interface Settings {
  /** config.json; absent if there is none. */
  readonly user?: SettingsFile;
  /** The nearest .wm.json; absent if there is none. */
  readonly folder?: SettingsFile;
  readonly folderProfile?: ProfileSelection;
  /** Why some settings in the files cannot be used. Only commands that help to repair the files run despite it. */
  readonly failure?: Failure;
  readonly warning?: string;
  /** The file that makes requests read-only, which other settings cannot lift. */
  readonly readOnlyOrigin?: string;
  /** `profile`: by default the selected one. */
  find<K extends SettingName>(name: K, profile?: string): StoredSetting<SettingValue<K>> | undefined;
}

export const noSettings: Settings = { find: () => undefined };
export const folderFileName = '.wm.json';
/** Enough for the settings of hundreds of profiles. */
const maxUserBytes = 64 * 1024;
const maxFolderBytes = 4096;

export function userSettingsPath({ files }: Pick<World, 'files'>): string {
  return join(files.configFolder, 'config.json');
}

/** `account`: selects the profile whose settings apply. Never throws: {@link Settings.failure} has the problem. */
export async function loadSettings(
  world: Pick<World, 'files' | 'process'>,
  account: AccountOptions,
): Promise<Settings> {
  const failures: Failure[] = [];
  const onError = (error: unknown) => void failures.push(toFailure(error));
  const folder = await findFolderFile(world).catch(onError);
  const user = await readUserFile(world).catch(onError);
  if (!user && !folder && failures.length === 0) return noSettings;
  const { settingsFailure } = await import('./settings-file.ts');
  for (const file of [folder, user])
    if (file && file.problems.length > 0) failures.push(settingsFailure(file.path, file.problems));
  const profileName = folder?.values.profile;
  const folderProfile =
    folder && profileName !== undefined ? { name: profileName, source: folder.path } : undefined;
  const selectedProfile =
    user === undefined || user.profiles.size === 0 || account.token !== undefined
      ? undefined
      : await selectProfileName(world, { ...account, folderProfile }).then(({ name }) => name, onError);
  const readOnly = [folder, user].find((file) => file?.values['read-only'] === true);
  const [failure] = failures;
  const warning = user?.isEmpty
    ? `${user.path} is empty, perhaps after a crash: none of its settings apply. Restore or remove it.`
    : undefined;
  return {
    ...omitUndefined({ user, folder, folderProfile, failure, warning, readOnlyOrigin: readOnly?.path }),
    find: (name, profile = selectedProfile) => {
      const profileValues = profile === undefined ? undefined : user?.profiles.get(profile);
      return (
        storedIn(folder?.values, name, 'folder', folder?.path ?? '') ??
        storedIn(profileValues, name, 'profile', `${user?.path}, profile ${profile}`) ??
        storedIn(user?.values, name, 'user', user?.path ?? '')
      );
    },
  };
}

function storedIn<K extends SettingName, F>(
  values: SettingValues | undefined,
  name: K,
  from: F,
  origin: string,
): { readonly value: SettingValue<K>; readonly from: F; readonly origin: string } | undefined {
  // The member has the type of its key's row, but the compiler cannot infer that through `undefined`.
  const value = values?.[name] as SettingValue<K> | undefined;
  return value === undefined ? undefined : { value, from, origin };
}

async function readUserFile(world: Pick<World, 'files' | 'process'>): Promise<SettingsFile | undefined> {
  const path = userSettingsPath(world);
  const hint = 'Check that the file belongs to you, or move it away.';
  const bytes = await world.files
    .read(path, { maxBytes: maxUserBytes })
    .catch(failWith('other', `Cannot read the settings in ${path}`, hint));
  if (bytes === undefined) return undefined;
  await assertPrivateConfigFolder(world);
  await assertPrivateConfigFolder(world, path);
  const { parseSettingsFile } = await import('./settings-file.ts');
  return parseSettingsFile(world, bytes, path, 'user');
}

async function findFolderFile(world: Pick<World, 'files' | 'process'>): Promise<SettingsFile | undefined> {
  const { files } = world;
  for (let folder = files.currentFolder; ; folder = dirname(folder)) {
    const path = join(folder, folderFileName);
    const hint = 'Make it a file that you can read, or move it away. Or run wm in another folder.';
    // Ends the command, which could otherwise use the wrong account, or make changes that the folder forbids.
    const bytes = await files
      .read(path, { maxBytes: maxFolderBytes })
      .catch(failWith('usage', `Cannot read ${path}, the settings of this folder`, hint));
    if (bytes) {
      const { parseSettingsFile } = await import('./settings-file.ts');
      return parseSettingsFile(world, bytes, path, 'folder');
    }
    if (dirname(folder) === folder) return undefined;
  }
}
