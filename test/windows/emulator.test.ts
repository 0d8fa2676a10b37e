// The demo under wine: an emulator, a receiver, and five commands as processes.

import assert from 'node:assert/strict';
import { setWindows, testRows } from './wine.ts';

testRows(['The demo: emulator, sign-in, receiver'], async (test) => {
  const windows = await setWindows(test);
  const { output } = await windows.good(['demo', '--details']);
  assert.match(output, /Everything worked/);
  assert.match(output, /`wm emulator exec -- powershell`/);
});
