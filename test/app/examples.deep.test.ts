// The examples of the commands that examples.test.ts leaves out.

import { testExamples } from './examples.ts';

await testExamples('deep');
