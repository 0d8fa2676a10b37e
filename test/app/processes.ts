// The processes that a test of the demo starts: the built program, unless the test starts something else.

import { resolve } from 'node:path';
import { createWorld } from '#world/create-world.ts';
import type { World } from '#world/world.ts';

export function processOf(start: World['process']['start']): World['process'] {
  return {
    ...createWorld().process,
    self: [process.execPath, resolve('bin/wm.js')],
    onInterrupt: () => () => {},
    start,
  };
}
