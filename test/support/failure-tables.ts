// The tables of docs/decisions/failures.md: the cells of each row after the first, by the text of the first.

import { readFile } from 'node:fs/promises';

export async function readFailureTables() {
  const page = await readFile('docs/decisions/failures.md', 'utf8');
  const table = (first: string): ReadonlyMap<string, readonly string[]> => {
    const [, lines = ''] =
      new RegExp(`^\\| ${first} \\|.*\\n\\|[- |]+\\n((?:\\|.*\\n)*)`, 'm').exec(page) ?? [];
    const rows = lines.trimEnd().split('\n');
    return new Map(
      rows.map((row) => {
        const [name = '', ...cells] = row.split('|').slice(1, -1);
        return [name.trim(), cells.map((cell) => cell.trim())];
      }),
    );
  };
  return { codes: table('code'), faults: table('fault') };
}
