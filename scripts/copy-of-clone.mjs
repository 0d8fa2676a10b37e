// A copy of this clone below its build/, in which a run may change what it likes. It shares the packages.

import { cp, mkdir, readdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';

const left = new Set(['.git', 'build', 'dist', 'node_modules']);

/** Calls `use` with the path of the copy, a slash at its end, and removes it afterwards. */
export async function withCopy(root, name, use) {
  const copy = join(root, 'build', `${name}-${process.pid}`, '/');
  try {
    await mkdir(copy, { recursive: true });
    for (const entry of await readdir(root)) {
      if (!left.has(entry)) await cp(join(root, entry), join(copy, entry), { recursive: true });
    }
    await symlink(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
    return await use(copy);
  } finally {
    await rm(copy, { recursive: true, force: true, maxRetries: 3 });
  }
}
