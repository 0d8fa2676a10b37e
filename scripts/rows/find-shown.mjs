// Finds the assumptions that tests show: the calls of shows() in test/emulator, each with its test.

import { readdir, readFile } from 'node:fs/promises';

const title = /\btest\(\s*(?:'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)"|`([^`]*)`)/;
const call = /\bshows\(((?:'[a-z0-9-]+'(?:,\s*)?)+)\)/;

/** Returns row, mode, title and file of each. */
export async function findShown(root) {
  const folder = `${root}test/emulator`;
  const files = (await readdir(folder, { recursive: true }))
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.test.ts'))
    .toSorted();
  const shows = [];
  for (const file of files) {
    const text = await readFile(`${folder}/${file}`, 'utf8');
    let current = '';
    for (const [, single, double, template, names] of text.matchAll(
      new RegExp(`${title.source}|${call.source}`, 'g'),
    )) {
      if (names === undefined) {
        current = (single ?? double)?.replace(/\\(.)/g, '$1') ?? template ?? '';
        continue;
      }
      const [row = '', ...modes] = [...names.matchAll(/'([a-z0-9-]+)'/g)].map(([, name]) => name);
      for (const mode of modes)
        shows.push([row, mode, current, `emulator/${file.replace(/\.test\.ts$/, '')}`]);
    }
  }
  return shows;
}
