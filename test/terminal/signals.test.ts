// A signal, and Ctrl-Z, while a question stands: the terminal is given back as it was. A few of what signals.deep.test.ts tries.

import { questions, signals, testSignal, testStop } from './signal-tests.ts';

const [list, , yes, secret] = questions;
const [terminated] = signals;
for (const question of [list, secret]) testSignal(terminated, question);
testStop(yes);
