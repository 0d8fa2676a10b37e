// Copies of this clone in which the program and the tests are built in another way (with source maps, with mutants), so
// that a proof neither disturbs the clone nor another proof. Each copy runs one test file at a time: whatever its
// processes write down belongs to that file, even where a test gives a process an environment of its own.

import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Not copied: what a copy has of its own, or shares. */
const left = new Set(['.git', 'build', 'dist', 'node_modules']);

/**
 * Makes a copy of the clone in `root` below its build/, where `recorder` (a path below the root) is the first that every
 * start of `wm` loads. Gives its path, with a slash at its end.
 */
export async function createTree(root, name, recorder) {
  const tree = join(root, 'build', name, '/');
  await rm(tree, { recursive: true, force: true });
  await mkdir(tree, { recursive: true });
  for (const name of await readdir(root)) {
    if (!left.has(name)) await cp(join(root, name), join(tree, name), { recursive: true });
  }
  await symlink(join(root, 'node_modules'), join(tree, 'node_modules'), 'junction');
  const start = join(tree, 'bin', 'wm.js');
  const [hashbang, ...lines] = (await readFile(start, 'utf8')).split('\n');
  await writeFile(
    start,
    [hashbang, `require(${JSON.stringify(join(tree, recorder))});`, ...lines].join('\n'),
  );
  return tree;
}

/** Another copy of a tree, with all that was built in it. Its processes load the recorder of their own tree. */
export async function copyTree(tree, root, name) {
  const other = join(root, 'build', name, '/');
  await rm(other, { recursive: true, force: true });
  await cp(tree, other, { recursive: true, verbatimSymlinks: true });
  const start = join(other, 'bin', 'wm.js');
  await writeFile(start, (await readFile(start, 'utf8')).replace(tree, other));
  return other;
}
