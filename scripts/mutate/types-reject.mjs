// Whether the compiler refuses a change that all tests let pass: then nobody can make it without `npm run check` failing.

import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export async function typesReject(root, { file, start, end, replacement }) {
  const folder = await mkdtemp(join(tmpdir(), 'wm-types-'));
  try {
    for (const name of ['src', 'test', 'scripts', 'package.json']) {
      await cp(join(root, name), join(folder, name), { recursive: true });
    }
    const settings = JSON.parse(await readFile(join(root, 'tsconfig.json'), 'utf8'));
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
