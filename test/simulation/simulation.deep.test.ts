// Each blow at each step, pairs of blows, and hundreds of seeds of each scenario but those in webhooks.deep.test.ts: so two cores share
// the work.

import { testScenarios } from './simulate.ts';

testScenarios([
  ['bulk', 500, 3],
  ['emulator', 200, 4],
  ['login', 500, 2],
  ['renewal', 500, 1],
  ['taskUndo', 120, 12],
]);
