// Copies this clone into its build/, for a run that changes files. The copy shares the packages.

import { cp, mkdir, readdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';

const excluded = new Set(['.git', 'build', 'dist', 'node_modules']);

/** Calls `use` with the path of the copy, which ends in a slash, and then removes the copy. */
export async function withCopy(root, name, use) {
  const copy = join(root, 'build', `${name}-${process.pid}`, '/');
  try {
    await mkdir(copy, { recursive: true });
    for (const entry of await readdir(root)) {
      if (!excluded.has(entry)) await cp(join(root, entry), join(copy, entry), { recursive: true });
    }
    await symlink(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
    return await use(copy);
  } finally {
    await rm(copy, { recursive: true, force: true, maxRetries: 3 });
  }
}
