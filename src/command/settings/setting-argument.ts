// The KEY of `wm config`, and where --directory and --profile put its value.

import { usageError } from '../../failure.ts';
import { parseProfileName } from '../../login/profile.ts';
import type { World } from '../../world/world.ts';
import type { CommonFlags } from '../common-flags.ts';
import { booleanFlag } from '../flag.ts';
import { type SettingPlace, settingsPath } from './change-settings.ts';
import { isSettingName, type SettingName, settingNames } from './setting-table.ts';
import { whyUnknown } from './settings-file.ts';

export const keyArgument = { help: `the setting: ${settingNames.join(', ')}`, choices: settingNames };

export const directoryFlag = booleanFlag('In .wm.json of the current folder, for it and the folders below');

/** @throws {Failure} `usage` for an unknown key. */
export function parseSettingName(text: string): SettingName {
  if (isSettingName(text)) return text;
  const { problem, hint } = whyUnknown(text);
  throw usageError(`${problem.charAt(0).toUpperCase()}${problem.slice(1)}`, hint);
}

/** Where a command changes a setting. Only the flag names a profile: a variable may be set for quite another purpose. */
export function parseSettingPlace(common: CommonFlags, directory: boolean | undefined): SettingPlace {
  const { profile } = common;
  if (directory && profile !== undefined)
    throw usageError(
      '--directory and --profile cannot be combined',
      'A folder has settings for whichever profile is used there. Give one of them.',
    );
  return {
    inFolder: directory === true,
    profile: profile === undefined ? undefined : parseProfileName(profile),
  };
}

/** For messages: the path, and the profile. */
export function describePlace(world: Pick<World, 'files'>, place: SettingPlace): string {
  const path = settingsPath(world, place);
  return place.profile === undefined ? path : `${path}, for the profile ${place.profile}`;
}
