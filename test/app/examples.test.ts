// The examples of a few commands, as examples.ts runs them; the deep suite has the others.

import { testExamples } from './examples.ts';

await testExamples('quick');
