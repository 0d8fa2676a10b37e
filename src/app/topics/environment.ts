// `wm help environment`: the variables that wm reads, from their table.

import type { TopicPage } from '#cli/command.ts';
import { otherVariables, variables } from '#cli/environment-variables.ts';

const rows = Object.entries(variables);
const switches = rows.filter(([, { isSwitch }]) => isSwitch).map(([name]) => name);

export default {
  parts: [
    { title: 'Variables of wm', rows: rows.map(([name, { meaning }]) => [name, meaning]) },
    {
      text: `A flag overrides a variable, and a variable overrides what is stored. An empty variable is an error if it needs a value:
usually a CI system lacks that secret. ${switches.join(' and ')} are on with any value. An empty WM_READ_ONLY is an
error too, because it would protect nothing.`,
    },
    { title: 'Variables of other programs and of the system', text: `${otherVariables.join(', ')}.` },
  ],
  examples: { 'Use another profile for one command': 'WM_PROFILE=work wm auth status' },
} satisfies TopicPage;
