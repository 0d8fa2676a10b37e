// Parses the KEY of `wm config`, and resolves where --directory and --profile put its value.

import { usageError } from '#failure.ts';
import { parseProfileName } from '#login/profile.ts';
import type { World } from '#world/world.ts';
import type { CommonFlags } from '../flags/common-flags.ts';
import { booleanFlag } from '../flags/flag.ts';
import { type SettingPlace, settingsPath } from './change-settings.ts';
import { isSettingName, type SettingName, settingNames, settingRow } from './setting-table.ts';
import { whyUnknown } from './settings-file.ts';

export const keyArgument = { help: `the setting: ${settingNames.join(', ')}`, choices: settingNames };
export const directoryFlag = booleanFlag('In .wm.json of the current folder, for it and the folders below');

/** @throws {Failure} `usage` for an unknown key. */
export function parseSettingName(text: string): SettingName {
  if (isSettingName(text)) return text;
  const { problem, hint } = whyUnknown(text);
  throw usageError(`${problem.charAt(0).toUpperCase()}${problem.slice(1)}`, hint);
}

/** Where a command changes a setting. Only the flag selects a profile: the variable may be set for another purpose. */
export function parseSettingPlace(common: CommonFlags, directory: boolean | undefined): SettingPlace {
  const { profile } = common;
  if (directory && profile !== undefined)
    throw usageError(
      '--directory and --profile cannot be combined',
      "A folder's settings apply to every profile. Give only one of the two flags.",
    );
  return {
    inFolder: directory === true,
    profile: profile === undefined ? undefined : parseProfileName(profile),
  };
}

/** A file, or `signIn`: the profile whose sign-in has the setting. An unknown key can still be in the file. `where`: for messages. */
export function settingTarget(world: Pick<World, 'files'>, key: string | undefined, place: SettingPlace) {
  const { profile } = place;
  if (profile !== undefined && key && isSettingName(key) && settingRow(key).ofProfile !== undefined)
    return { signIn: profile, where: `the sign-in of the profile ${profile}` };
  const path = settingsPath(world, place);
  return { signIn: undefined, where: profile === undefined ? path : `${path}, for the profile ${profile}` };
}
