// Whole commands on a disk with the rules of Windows: windows-commands.ts, on plain NTFS.

import { testOnWindows } from './windows-commands.ts';

await testOnWindows('quick');
