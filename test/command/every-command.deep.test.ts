// Every command of the tree, as a process whose reader has gone; every-command.test.ts tries it with a few.

import { testClosedReader } from './place.ts';

testClosedReader('deep');
