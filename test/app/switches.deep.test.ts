// Every switch of the commands that switches.test.ts leaves out.

import { testEverySwitch } from './every-switch.ts';

testEverySwitch('deep');
