// Writes the type declarations of the package's interface: tsc writes those of every file that the library reaches, and this
// removes the unused ones.

import { spawnSync } from 'node:child_process';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { libraryEntries } from './build-program.mjs';
import { slashed } from './choose-tests.mjs';

const tsc = fileURLToPath(new URL('./bin/tsc', import.meta.resolve('typescript/package.json')));

const entries = Object.values(libraryEntries);

export async function writeTypes(root, folder) {
  const written = spawnSync(
    process.execPath,
    [
      ...[tsc, '--project', `${root}src/library`, '--noEmit', 'false', '--emitDeclarationOnly'],
      ...['--outDir', folder, '--rootDir', `${root}src`],
    ],
    { cwd: root, encoding: 'utf8' },
  );
  if (written.status !== 0) throw new Error(`The types could not be written:\n${written.stdout}`);
  const needed = new Set(entries.map((name) => join(folder, 'library', `${name}.d.ts`)));
  // The loop also visits the files that it adds.
  for (const file of needed) for (const imported of await rewrite(file, folder)) needed.add(imported);
  for (const file of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(file.parentPath, file.name);
    if (file.isFile() && !needed.has(path)) await rm(path);
  }
}

/** An import of another declaration, by a path or by `#` and its path below src/. */
const ownImport = /(?<=(?:from|import\()\s*["'])([.#][^"']+)\.ts(?=["'])/g;

/**
 * Rewrites imports, and returns the files that they name: a program with only the package cannot resolve `#`, nor files that end in
 * `.ts`. The world is internal: programs need its shape only, so its comments go.
 */
async function rewrite(file, folder) {
  const declared = await readFile(file, 'utf8');
  const up = slashed(relative(dirname(file), folder));
  const isInternal = relative(folder, file).startsWith('world');
  const text = isInternal ? declared.replace(/^\s*\/\*\*[\s\S]*?\*\/\n/gm, '') : declared;
  const relativePath = (path) => path.replace('#', `${up}/`);
  await writeFile(
    file,
    text.replaceAll(ownImport, (_, path) => `${relativePath(path)}.js`),
  );
  return Array.from(text.matchAll(ownImport), ([, path]) =>
    resolve(dirname(file), `${relativePath(path)}.d.ts`),
  );
}
