// A disk that fails, full or broken, at a few of the calls of a refresh, a sign-in, a bulk run and an undo. slice.deep.test.ts fails
// more of them, and `npm run torture` each.

import { testScenes } from './scenes.ts';

await testScenes({ faults: ['ENOSPC for good', 'EIO'], step: 151, first: 23 }, 1);
