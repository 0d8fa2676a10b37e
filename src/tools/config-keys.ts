// The help page `wm config set --help keys`: what each setting is, and what takes precedence over it.

import type { TopicPage } from '#cli/command.ts';
import { settingNames, settingRow } from '#cli/settings/setting-table.ts';

export default {
  parts: [
    {
      text: `A setting applies unless a flag or a variable says otherwise. The first of these that is set wins: the flag, the
variable, the .wm.json of the folder or of the nearest one above, the profile's own setting, what the profile's last
sign-in used, the setting for all profiles, the default.`,
    },
    {
      title: 'Settings',
      rows: settingNames.map((name) => {
        const { placeholder, help, default: value } = settingRow(name);
        return [`${name} ${placeholder}`, value === undefined ? help : `${help} (default: ${value})`];
      }),
    },
    {
      title: 'Precedence',
      rows: settingNames.map((name) => {
        const { flag, variables = [], inFolder } = settingRow(name);
        const overrides = [
          ...(flag ? [flag] : []),
          ...variables.map(([variable]) => variable),
          ...(inFolder === 'allowed' ? ['.wm.json'] : []),
        ];
        return [name, overrides.join(', ')];
      }),
    },
    {
      title: 'In a folder',
      text: `A .wm.json may come from another person's repository. So it cannot set what decides where a sign-in, a
token or a request goes, and no file of settings may contain a secret. Either is an error.`,
    },
  ],
  examples: {
    'Sign in without --auth-url': 'wm config set auth-url https://login.example.com',
    'Use one account in a folder': 'wm config set profile work --directory',
  },
} satisfies TopicPage;
