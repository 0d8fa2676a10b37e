// A folder of settings of a test's own, and `wm` run with it.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { run } from '#test/support/program/program.ts';
import { createFiles } from '#world/files.ts';
import type { World } from '#world/world.ts';

export async function stageSettings(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'wm-settings-'));
  t.after(() => rm(folder, { recursive: true }));
  const environment = { WM_CONFIG_DIR: join(folder, 'config') };
  return {
    folder,
    environment,
    path: join(folder, 'config', 'config.json'),
    wm: (argv: readonly string[], world: Partial<World> = {}) =>
      run(argv, {
        environment,
        world: { files: createFiles(environment, process.platform, folder), ...world },
      }),
  };
}
