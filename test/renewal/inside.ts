// A command of a stage, run with its helper inside this process, on a disk that the test can let fail.

import { resolve } from 'node:path';
import { createHurriedClock } from '#test/support/clock.ts';
import { type HelperInside, helperInside } from '#test/support/program/helper-inside.ts';
import { type Ran, run } from '#test/support/program/program.ts';
import { createClock } from '#world/clock.ts';
import { createWorld } from '#world/create-world.ts';
import type { FileSystem } from '#world/file-system.ts';
import { createFiles } from '#world/files.ts';
import { createLock } from '#world/lock.ts';
import type { Clock } from '#world/world.ts';
import type { Stage } from './stage.ts';

export interface Inside {
  readonly helper: HelperInside;
  wm(...typed: string[]): Promise<Ran>;
}

/** No wait takes any time, unless the test gives one; the time itself is the real one. */
export function inside(
  stage: Pick<Stage, 'folder'>,
  system?: FileSystem,
  sleep: Clock['sleep'] = createHurriedClock().sleep,
  after: Clock['after'] = createClock().after,
): Inside {
  const environment = { WM_CONFIG_DIR: stage.folder, WM_TOKEN_STORE: 'file', WM_DEBUG: '1' };
  const real = createWorld();
  const helper = helperInside({
    ...real,
    environment,
    files: createFiles(environment, process.platform, stage.folder, undefined, system),
    lock: createLock(process.platform, real.clock, system),
    clock: { ...real.clock, sleep, after },
  });
  const { files, lock, clock } = helper.world;
  return {
    helper,
    wm: (...typed) =>
      run(typed, {
        environment,
        world: {
          files,
          lock,
          clock,
          process: {
            ...helper.world.process,
            self: [process.execPath, resolve('bin/wm.js')],
            onInterrupt: () => () => {},
            onResume: () => () => {},
          },
        },
      }),
  };
}
