// The scenarios of webhooks and their receiver, as in simulation.deep.test.ts.

import { testScenarios } from './simulate.ts';

testScenarios([
  ['apply', 250, 12],
  ['receiver', 100, 10],
  ['rotation', 100, 25],
  ['suspend', 500, 1],
  ['undo', 500, 5],
]);
