// A part of what `npm run torture` does with a disk that fails, the same in every run: each kind of fault, at every so many
// calls, through a refresh, a sign-in, a bulk run and an undo.

import { testScenes } from './scenes.ts';

await testScenes({ step: 11 }, 5);
