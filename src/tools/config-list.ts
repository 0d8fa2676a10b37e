// `wm config list`: prints every setting with its current value and its origin.

import { command } from '#cli/command.ts';
import { userSettingsPath } from '#cli/settings/load-settings.ts';
import { originColumn, originFlag, resolveSettings, settingColumns } from '#cli/settings/resolve-setting.ts';

export default command({
  changes: 'nothing',
  examples: {
    'Show the settings with their origins': 'wm config list --show-origin',
    'Show the settings of one profile': 'wm config list --profile work',
  },
  details: `The origin is a flag, a variable, the path of a file, a profile, or "default". With --json, "from" is its kind: flag,
environment, folder, profile, sign-in (what the profile's last sign-in used), user or default.`,
  pipeColumns: [...settingColumns, originColumn],
  flags: { showOrigin: originFlag },
  async run({ flags }, context) {
    const { report, world } = context;
    const records = await resolveSettings(context);
    const raw = records.map(({ text, ...setting }) => setting);
    const columns = flags.showOrigin ? [...settingColumns, originColumn] : settingColumns;
    await report.list({ columns, records, raw });
    const path = userSettingsPath(world);
    const where = (await world.files.kind(path)) === undefined ? 'would be stored in' : 'are in';
    await report.info(`The settings ${where} ${path}. To change one: wm config set KEY VALUE`);
  },
});
