// What a person sees of a test run, in a log and on a terminal.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { createProgress } from '../../scripts/testing/progress.mjs';
import type { TestEvent } from '../../scripts/testing/run-files.mjs';

const events: readonly TestEvent[] = [
  { kind: 'begins', file: 'test/a.test.ts', name: 'adds' },
  { kind: 'test', file: 'test/a.test.ts', name: 'adds' },
  { kind: 'begins', file: 'test/b.test.ts', name: 'prints 漢字' },
  { kind: 'test', file: 'test/a.test.ts', name: 'outer > inner', failure: 'Error: no\n    at a.test.ts:3' },
  { kind: 'test', file: 'test/a.test.ts', name: 'runs fish', skip: 'not installed here: fish' },
  { kind: 'file', file: 'test/a.test.ts', ms: 1_234, tests: 3 },
];

function show(isTerminal: boolean) {
  let text = '';
  let time = 0;
  const output = {
    write(written: string) {
      text += written;
      return true;
    },
  };
  const progress = createProgress({
    output,
    isTerminal,
    columns: 40,
    files: 2,
    expected: 1_200,
    now: () => time,
  });
  for (const event of events) progress.on(event);
  time = 83_000;
  const counts = progress.end();
  return { text, counts };
}

const end = `
Failed tests: 1

test/a.test.ts > outer > inner
    Error: no

Skipped 1: not installed here: fish
1 passed, 1 failed, 1 skipped, in 1 min 23 s
`;

test('in a log: one line per file, and failures in full', () => {
  const { text, counts } = show(false);
  assert.equal(
    text,
    `FAILED test/a.test.ts > outer > inner
    Error: no
        at a.test.ts:3
   1.2 s    3 tests  test/a.test.ts
${end}`,
  );
  assert.deepEqual(counts, { tests: 3, failed: 1 });
});

test('on a terminal: one line that updates in place, never wider than the terminal, with failures above it', () => {
  const { text } = show(true);
  const lines = stripVTControlCharacters(text.replaceAll('\x1b[2K', '\r')).split(/\r|\n/);
  assert.ok(lines.includes('1 of 1,200 tests, 0 of 2 files: test/b.'), lines.join('\n'));
  assert.ok(lines.includes('2 of 1,200 tests, 1 failed, 1 of 2 file'), lines.join('\n'));
  for (const line of lines.filter((one) => / of 2 files/.test(one))) assert.ok(line.length < 40, line);
  assert.ok(lines.includes('FAILED test/a.test.ts > outer > inner'));
  assert.ok(text.endsWith(end), text);
});
