// `wm config set`: stores a setting for the user, for one profile, or for the current folder.

import { command } from '#cli/command.ts';
import type { Context } from '#cli/context.ts';
import { changeSetting, type SettingPlace, settingsPath } from '#cli/settings/change-settings.ts';
import {
  directoryFlag,
  keyArgument,
  parseSettingName,
  parseSettingPlace,
  settingTarget,
} from '#cli/settings/setting-argument.ts';
import { type SettingName, settingRow } from '#cli/settings/setting-table.ts';
import { describeInvalid, whyMisplaced } from '#cli/settings/settings-file.ts';
import { Failure, toFailure, usageError } from '#failure.ts';
import { setProfileReadOnly } from '#login/profile.ts';

export default command({
  changes: 'this machine',
  repairsSettings: true,
  examples: {
    'Sign in without --auth-url': 'wm config set auth-url https://login.example.com',
    'Wait longer for each response': 'wm config set timeout 120',
    'Wait longer with one profile': 'wm config set timeout 120 --profile work',
    'Use one account in this folder and below': 'wm config set profile work --directory',
  },
  details: `The settings are in config.json in the folder for settings; wm config list names it. It is JSON, and you can edit it.
--profile NAME stores a setting only for that profile. --directory stores it in .wm.json of the current folder, which cannot
contain settings that decide where a sign-in, a token or a request goes.`,
  topics: { keys: { summary: 'what each setting is', load: () => import('./config-keys.ts') } },
  arguments: {
    key: keyArgument,
    value: { help: 'what to set it to; a list has commas between its entries', mayBeBoolean: true },
  },
  flags: { directory: directoryFlag },
  async run({ arguments: { key: keyText, value: valueText }, flags }, context) {
    const { world, report, common } = context;
    const key = parseSettingName(keyText);
    const place = parseSettingPlace(common, flags.directory);
    const value = parseValue(context, key, valueText, place);
    const { schema } = settingRow(key);
    const { signIn, where } = settingTarget(world, key, place);
    if (signIn !== undefined) await setProfileReadOnly(world, signIn, value === true);
    else await changeSetting(world, place, key, value);
    const text = schema.toWire(value);
    const isOneLine = world.streams.output.isTerminal && !report.wantsJson;
    await report.info(`Set ${key}${isOneLine ? ` to ${text}` : ''} in ${where}.`);
    if (key !== 'read-only') await warnIfHidden(context, key, text, place);
    if (isOneLine) return;
    await report.one({
      columns: [
        { title: 'key', cell: () => key },
        { title: 'value', cell: () => text },
      ],
      records: [key],
      raw: [{ key, value }],
    });
  },
});

function parseValue(context: Context, key: SettingName, text: string, { inFolder }: SettingPlace): unknown {
  const kind = inFolder ? 'folder' : 'user';
  const rejectMisplaced = (value?: unknown) => {
    const misplaced = whyMisplaced(context, key, kind, value);
    if (misplaced) throw usageError(misplaced.problem, misplaced.hint);
  };
  // Check the place first: if the setting is not allowed there, its value does not matter.
  rejectMisplaced();
  const value = parseText(key, text);
  rejectMisplaced(value);
  return value;
}

function parseText(key: SettingName, text: string): unknown {
  try {
    return settingRow(key).schema.fromWire(text);
  } catch (error) {
    const hint = error instanceof Failure ? error.hint : undefined;
    throw usageError(describeInvalid(key, error), hint ?? 'See: wm config set --help keys');
  }
}

/** Warns if another setting takes precedence here. */
async function warnIfHidden(context: Context, key: SettingName, text: string, place: SettingPlace) {
  const { world, common, account, report } = context;
  const [{ loadSettings }, { resolveSettings }] = await Promise.all([
    import('#cli/settings/load-settings.ts'),
    import('#cli/settings/resolve-setting.ts'),
  ]);
  const settings = await loadSettings(world, account);
  const { folderProfile } = settings;
  const resolved =
    settings.failure ??
    (await resolveSettings({ world, common, account: { ...account, folderProfile }, settings }).catch(
      toFailure,
    ));
  if (resolved instanceof Failure) {
    await report.warn(`${resolved.sentence}\n${resolved.hint ?? ''}`.trimEnd());
    return;
  }
  const inUse = resolved.find((setting) => setting.key === key);
  const path = settingsPath(world, place);
  if (inUse && inUse.text !== text && !inUse.origin.startsWith(path))
    await report.warn(
      `${inUse.origin} takes precedence here${inUse.text === '' ? '' : `: ${key} is ${inUse.text}`}.`,
    );
}
