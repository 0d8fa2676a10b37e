// Whether the compiler refuses a change that all tests let pass: then nobody can make it without `npm run check` failing.

import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** `tree`: the copy that the mutants were listed from; `root`: where the packages are. */
export async function typesReject(tree, root, { file, start, end, replacement }) {
  const folder = await mkdtemp(join(tmpdir(), 'wm-types-'));
  try {
    for (const name of ['src', 'package.json']) {
      await cp(join(tree, name), join(folder, name), { recursive: true });
    }
    const settings = JSON.parse(await readFile(join(tree, 'tsconfig.json'), 'utf8'));
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ ...settings, include: ['src'] }));
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
    const source = await readFile(join(folder, file), 'utf8');
    await writeFile(join(folder, file), source.slice(0, start) + replacement + source.slice(end));
    const { status } = spawnSync(
      process.execPath,
      [join(root, 'node_modules/typescript/bin/tsc'), '--noEmit'],
      {
        cwd: folder,
      },
    );
    return status !== 0;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
