// What is printed through a filter and not read: the process ends, also while the filter runs for ever.

import { testUnreadOutput } from './unread-output.ts';

for (const filter of ['.', 'def f: f; if .kind == "delivery" then f else . end'])
  testUnreadOutput(['--jq', filter]);
