// The --shell flag of `wm completion install` and `uninstall`.

import { choice } from '../../../contract/schema.ts';
import { valueFlag } from '../../flag.ts';
import { shells } from '../scripts/shells.ts';

export const shellFlag = valueFlag(
  choice('shell', shells),
  'SHELL',
  `The shell: ${shells.join(', ')} (default: your login shell)`,
);
