// Writes generated files into their own folder, and removes files of an earlier run.

import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';

/** `folder` ends with a slash. */
export async function replaceFolder(folder, files) {
  await mkdir(folder, { recursive: true });
  const old = (await readdir(folder)).filter((name) => !files.has(name));
  await Promise.all([
    ...old.map((name) => rm(`${folder}${name}`)),
    ...[...files].map(([name, text]) => writeFile(`${folder}${name}`, text)),
  ]);
}
