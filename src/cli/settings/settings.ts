// The type of the settings from files, with the file of each. Flags and variables take precedence, and are not included; see
// resolve-setting.ts.

import type { Failure } from '#failure.ts';
import type { ProfileSelection } from '#login/select-account.ts';
import type { SettingName, SettingValue } from './setting-table.ts';
import type { SettingsFile } from './settings-file.ts';

export interface StoredSetting<T> {
  readonly value: T;
  /** In order of precedence: the folder's file, the profile's own setting, the user's setting for all profiles. */
  readonly from: 'folder' | 'profile' | 'user';
  /** The path and the profile, for messages. */
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
  /** The file that makes requests read-only, which other settings cannot lift. */
  readonly readOnlyOrigin?: string;
  /** `profile`: by default the selected one. */
  find<K extends SettingName>(name: K, profile?: string): StoredSetting<SettingValue<K>> | undefined;
}
