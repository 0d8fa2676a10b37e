// What is printed and not read, as it is or through a filter: the process ends, also while the filter runs for ever.

import { testUnreadOutput } from './unread-output.ts';

testUnreadOutput([]);
for (const filter of ['.', 'def f: f; if .kind == "delivery" then f else . end'])
  testUnreadOutput(['--jq', filter]);
