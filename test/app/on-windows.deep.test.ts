// Whole commands on disks with harder rules than those of on-windows.test.ts.

import { testOnWindows } from './windows-commands.ts';

await testOnWindows('deep');
