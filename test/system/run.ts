// The built `wm` as a process beside a browser: what it wrote, the address it wants opened, and how it ended.

import { spawn } from 'node:child_process';
import type { TestContext } from 'node:test';
import type { Stage } from '#test/support/terminal/stage.ts';
import { type Running, watch } from './watch.ts';

export function run(
  test: TestContext,
  { folder, environment }: Stage,
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Running {
  const child = spawn('wm', args, {
    cwd: folder,
    env: { ...environment, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  test.after(() => child.kill('SIGKILL'));
  return watch(child);
}
