// The emulator answers to no name but those of loopback: many runs of the property.

import { testAnyHost } from './any-host.ts';

testAnyHost(500);
