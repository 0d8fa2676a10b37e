// What is true of a picker, whatever is typed at it. Many runs; the quick suite has a few.

import { testPicking } from './keys-properties.ts';

testPicking(3000);
