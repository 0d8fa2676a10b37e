// The test of each assumption, as assumption-tests.txt says. `npm run rows` writes this table into docs/contract-tests.md; rows.test.ts
// compares both with the assumptions and the tests.

import { readFileSync } from 'node:fs';
import { words } from './words.ts';

export type AssumptionTest = readonly [row: string, mode: string, title: string, file: string];

const groups = readFileSync('test/witness/assumption-tests.txt', 'utf8').split('\n\n').slice(1);

export const assumptionTests: readonly AssumptionTest[] = groups.flatMap((group) => {
  const [head = '', ...lines] = group.trim().split('\n');
  const [mode = '', file = ''] = words(head);
  return lines.flatMap((line) => {
    const [title = '', rows = ''] = line.split(' | ');
    return words(rows).map((row): AssumptionTest => [row, mode, title.trim(), file]);
  });
});
