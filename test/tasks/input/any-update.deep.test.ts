// Any valid parameters arrive as they were meant: many runs.

import { testAnyUpdate } from './any-update.ts';

testAnyUpdate(150);
