// Every boolean flag of the commands that boolean-flags.test.ts leaves out.

import { testEveryBooleanFlag } from './every-boolean-flag.ts';

testEveryBooleanFlag('deep');
