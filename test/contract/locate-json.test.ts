// The lines of a JSON text: where it is invalid, and where each member is. The parser of Node decides what is JSON.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseJsonIfValid } from '#contract/json.ts';
import { locateJson } from '#contract/locate-json.ts';

for (const [text, line, expected] of [
  ['', 1, /a value/],
  ['{\n  "a": 1\n  "b": 2\n}', 3, /a comma or the } of this object/],
  ['{\n  "a" 1\n}', 2, /a colon/],
  ['{\n  "a": 1,\n}', 3, /a name in double quotes/],
  ["{\n\n  'a': 1 }", 3, /a name in double quotes/],
  ['{ "a":\n yes }', 2, /a value/],
  ['{ "a": [1,\n2 }', 2, /a comma or the ] of this list/],
  ['{}\n{}', 2, /nothing more/],
  ['{ "a": "x\ny" }', 1, /a value/],
  ['{ // comment\n}', 1, /a name in double quotes/],
  ['{ "a": 01 }', 1, /a value/],
  ['['.repeat(100), 1, /at most 64 levels/],
] as const) {
  test(`not JSON: ${JSON.stringify(text.slice(0, 40))}`, () => {
    const { problem } = locateJson(text);
    assert.equal(problem?.line, line);
    assert.match(problem?.expected ?? '', expected);
  });
}

test('the line of each member, at any depth, in any spelling of its name', () => {
  const { lineOf, problem } = locateJson(
    '{\n"a": 1, "b":\n{ "c": [ {} ],\r\n"\\u0064": -1.5E+3 },\n"e": null }\n',
  );
  assert.equal(problem, undefined);
  assert.deepEqual([['a'], ['b'], ['b', 'c'], ['b', 'd'], ['e'], ['x'], ['a', 'c']].map(lineOf), [
    2,
    2,
    3,
    4,
    5,
    undefined,
    undefined,
  ]);
});

test('a duplicate name has its last line', () => {
  assert.equal(locateJson('{ "a": 1,\n"a": 2 }').lineOf(['a']), 2);
});

test('accepts all output of JSON.stringify, and nothing that the parser rejects', () => {
  fc.assert(
    fc.property(
      fc.json({ maxDepth: 5 }),
      fc.nat(200),
      fc.constantFrom('', '}', ',', '"', '\\', '\n', '0', '-', 'e', '.'),
      (json, at, added) => {
        assert.equal(locateJson(json).problem, undefined, json);
        const changed = json.slice(0, at) + added + json.slice(at + 1);
        const isJson = parseJsonIfValid(changed) !== undefined;
        assert.equal(locateJson(changed).problem === undefined, isJson, changed);
      },
    ),
    { numRuns: 500 },
  );
});
