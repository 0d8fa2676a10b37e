// The programs for jq, on everything that it is asked for.

import { testPrograms } from './programs.ts';

testPrograms('deep');
