// The programs for jq that filtered-output.test.ts leaves out.

import { testPrograms } from './programs.ts';

testPrograms('deep');
