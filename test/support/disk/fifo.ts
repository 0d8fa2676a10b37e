// A named pipe where a file belongs: whoever reads it waits, until the test ends.

import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import type { TestContext } from 'node:test';

export function makeFifo(test: TestContext, path: string): void {
  execFileSync('mkfifo', [path]);
  // With both ends in this hand nobody is left waiting once it is closed, be the pipe still in its folder or not.
  const both = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  test.after(() => closeSync(both));
}
