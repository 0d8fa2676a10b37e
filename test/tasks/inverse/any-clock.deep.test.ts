// Undo while the clock is changed: many runs of its property.

import { testAnyClock } from './any-clock.ts';

testAnyClock(25);
