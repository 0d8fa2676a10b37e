// The type declarations of the package's interface: tsc writes those of every file that the entries of the
// library reach, and what no declaration refers to is left out.

import { spawnSync } from 'node:child_process';
import { readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { libraryEntries } from './build-program.mjs';

const tsc = fileURLToPath(new URL('./bin/tsc', import.meta.resolve('typescript/package.json')));

export async function writeTypes(root, folder) {
  const written = spawnSync(
    process.execPath,
    [
      ...[tsc, '--ignoreConfig', ...libraryEntries.map((name) => `${root}src/${name}.ts`)],
      // What an import of a page's style or script gives.
      `${root}src/emulator/pages/inline-text.d.ts`,
      ...['--declaration', '--emitDeclarationOnly', '--rewriteRelativeImportExtensions'],
      ...['--outDir', folder, '--rootDir', `${root}src`, '--stripInternal'],
      ...['--target', 'es2023', '--module', 'nodenext', '--lib', 'es2023,es2024.string', '--types', 'node'],
      ...['--strict', '--exactOptionalPropertyTypes', '--skipLibCheck'],
    ],
    { cwd: root, encoding: 'utf8' },
  );
  if (written.status !== 0) throw new Error(`The types could not be written:\n${written.stdout}`);
  const needed = await reachable(libraryEntries.map((name) => join(folder, `${name}.d.ts`)));
  for (const file of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(file.parentPath, file.name);
    if (file.isFile() && !needed.has(path)) await rm(path);
  }
}

async function reachable(starts) {
  const found = new Set();
  const open = starts.map((start) => resolve(start));
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    const text = await readFile(file, 'utf8');
    for (const [, from] of text.matchAll(/(?:from|import\()\s*["'](\.[^"']+)["']/g))
      open.push(resolve(dirname(file), from.replace(/\.(?:js|ts)$/, '.d.ts')));
  }
  return new Set([...found].map((file) => join(relative('', file) === file ? '/' : '', file)));
}
