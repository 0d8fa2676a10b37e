// Which small changes a mutation test makes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listMutants } from '../../scripts/mutants.mjs';

const source = `import { x } from './1.ts';
type Three = 3;
function look(a: number, b?: string): unknown {
  if (a > 1 && !b) throw new Error('below');
  send({ 2: a ?? 5 });
  return b?.startsWith('no') ? true : -a;
}
`;

test('each change is in the right place, and code that does not run stays unchanged', () => {
  assert.deepEqual(
    listMutants(source).map(
      ({ start, end, line, replacement }) => `${line} ${source.slice(start, end)} -> ${replacement}`,
    ),
    [
      '4 a > 1 -> a >= 1',
      '4 a > 1 -> a <= 1',
      '4 a > 1 && !b -> true',
      '4 a > 1 && !b -> false',
      '4 a > 1 && !b -> a > 1 || !b',
      '4 1 -> 2',
      '4 !b -> b',
      "4 throw new Error('below'); -> ;",
      '5 send({ 2: a ?? 5 }); -> ;',
      '5 a ?? 5 -> a',
      '5 5 -> 6',
      "6 b?.startsWith('no') -> true",
      "6 b?.startsWith('no') -> false",
      '6 true -> false',
      '6 -a -> a',
    ],
  );
});
