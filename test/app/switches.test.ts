// Every switch, whatever it is for, is typed in the same four ways: --x, --no-x, --x=true and --x=false. A word for yes or no that stands
// apart from it: test/transcript/switches.txt.

import { testEverySwitch } from './every-switch.ts';

testEverySwitch('quick');
