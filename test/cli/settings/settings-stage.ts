// A folder of settings of a test's own, and `wm` run with it.

import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { run, type Setting } from '#test/support/program/program.ts';
import { createFiles } from '#world/files.ts';

export async function stageSettings(t: TestContext) {
  const folder = await ownFolder(t);
  const environment = { WM_CONFIG_DIR: join(folder, 'config') };
  const files = createFiles(environment, process.platform, folder);
  return {
    folder,
    environment,
    path: join(folder, 'config', 'config.json'),
    wm: (argv: readonly string[], { world, ...setting }: Setting = {}) =>
      run(argv, { environment, ...setting, world: { files, ...world } }),
  };
}
