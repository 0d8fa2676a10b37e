// Every boolean flag is typed in the same four ways: --x, --no-x, --x=true and --x=false. A word for yes or no that stands apart from it:
// test/transcript/boolean-flags.txt.

import { testEveryBooleanFlag } from './every-boolean-flag.ts';

testEveryBooleanFlag('quick');
