// `wm config get`: prints the current value of a setting.

import { command } from '#cli/command.ts';
import { formatCommandWith } from '#cli/format-command.ts';
import { originColumn, originFlag, resolveSettings, settingColumns } from '#cli/settings/resolve-setting.ts';
import { keyArgument, parseSettingName } from '#cli/settings/setting-argument.ts';
import { Failure } from '#failure.ts';

const [, valueColumn] = settingColumns;

export default command({
  changes: 'nothing',
  examples: {
    'Print the address that wm login uses': 'wm config get auth-url',
    'Also print where it is set': 'wm config get auth-url --show-origin',
  },
  details: 'If the setting is not set and has no default, the exit status is 5.',
  pipeColumns: [valueColumn, originColumn],
  arguments: { key: keyArgument },
  flags: { showOrigin: originFlag },
  async run({ arguments: { key: keyText }, flags }, context) {
    const key = parseSettingName(keyText);
    const setting = (await resolveSettings(context)).find((resolved) => resolved.key === key);
    if (!setting || setting.text === '')
      throw new Failure('not_found', {
        message: `${key} is not set`,
        hint: `To set it: ${formatCommandWith(context, 'config set', [key, 'VALUE'])}\nWhat it is: wm config set --help keys`,
      });
    const { text, ...raw } = setting;
    if (context.report.wantsJson) await context.report.json(raw);
    else if (flags.showOrigin)
      await context.report.one({ columns: [valueColumn, originColumn], records: [setting], raw: [raw] });
    else await context.report.line(text);
  },
});
