// What a command knows of its settings: those that files hold, and which file each comes from. Flags and variables, which
// take precedence, are not in here (resolve-setting.ts).

import type { Failure } from '#failure.ts';
import type { ProfileSelection } from '#login/select-account.ts';
import type { SettingName, SettingValue } from './setting-table.ts';
import type { SettingsFile } from './settings-file.ts';

export interface StoredSetting<T> {
  readonly value: T;
  /** In order of precedence: the folder's file, the profile's own setting, the user's setting for all profiles. */
  readonly from: 'folder' | 'profile' | 'user';
  /** For messages: the path, and the profile. */
  readonly origin: string;
}

export interface Settings {
  /** config.json; absent if there is none. */
  readonly user?: SettingsFile;
  /** The nearest .wm.json; absent if there is none. */
  readonly folder?: SettingsFile;
  readonly folderProfile?: ProfileSelection;
  /** Why the files cannot be used, or not completely. Only commands that help to repair them run all the same. */
  readonly failure?: Failure;
  /** The file that makes requests read-only, if one does: no other setting lifts that. */
  readonly readOnlyOrigin?: string;
  /** Of a profile; by default of the selected one. */
  find<K extends SettingName>(name: K, profile?: string): StoredSetting<SettingValue<K>> | undefined;
}

export const noSettings: Settings = { find: () => undefined };
