// The --shell flag of `wm completion install` and `uninstall`.

import { valueFlag } from '#cli/flags/flag.ts';
import { choice } from '#contract/schema.ts';
import { shells } from './shells.ts';

export const shellFlag = valueFlag(
  choice('shell', shells),
  'SHELL',
  `The shell: ${shells.join(', ')} (default: your login shell)`,
);
