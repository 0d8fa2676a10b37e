// Every hostile host in WM_HOST, and thousands of names of profiles.

import { testHostVariable, testProfileNames } from './hostile-input.ts';

testHostVariable(1);
testProfileNames(2000);
