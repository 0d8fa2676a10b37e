// `wm config unset`: removes a setting of the user, of one profile, or of the current folder. Also removes unknown settings, which
// makes an invalid file valid again.

import { command } from '#cli/command.ts';
import { changeSetting } from '#cli/settings/change-settings.ts';
import {
  directoryFlag,
  keyArgument,
  parseSettingName,
  parseSettingPlace,
  settingTarget,
} from '#cli/settings/setting-argument.ts';
import { setProfileReadOnly } from '#login/profile.ts';

export default command({
  changes: 'this machine',
  repairsSettings: true,
  examples: {
    'Use the default again': 'wm config unset timeout',
    'Use the default again with one profile': 'wm config unset timeout --profile work',
  },
  arguments: { key: keyArgument },
  flags: { directory: directoryFlag },
  async run({ arguments: { key }, flags }, context) {
    const { world, report, common } = context;
    const place = parseSettingPlace(common, flags.directory);
    // A misplaced guard in the file goes alone: the sign-in may not exist, or have its own.
    const isInFile = await changeSetting(world, place, key, undefined);
    const { signIn, where } = settingTarget(world, isInFile ? undefined : key, place);
    if (signIn !== undefined) await setProfileReadOnly(world, signIn, false);
    const removed = isInFile || signIn !== undefined;
    // A misspelt key is an error, but an unknown key in the file can be removed.
    if (!removed) parseSettingName(key);
    await report.info(removed ? `Removed ${key} from ${where}.` : `${key} is not set in ${where}.`);
    if (report.wantsJson) await report.json({ key, removed });
  },
});
