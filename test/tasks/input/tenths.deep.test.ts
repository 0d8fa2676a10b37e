// Durations with a decimal place: every tenth up to 40.

import { testTenths } from './tenths.ts';

testTenths(() => true);
