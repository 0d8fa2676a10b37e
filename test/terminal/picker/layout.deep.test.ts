// What is true of the lines and the screen of a picker, whatever is on them. Many runs; the quick suite has a few.

import { testLayout } from './layout-properties.ts';

testLayout(1000);
