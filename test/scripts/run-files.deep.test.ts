// The runner of the tests ends a file that goes on for ever, wherever it does.

import { testEnded } from './run-report.ts';

testEnded('is an endless loop', "test('spins', () => { writeSync(1, 'expire'); for (;;); });", 'spins');
testEnded('loads in an endless loop', "writeSync(1, 'expire'); for (;;);", 'outside its tests');
