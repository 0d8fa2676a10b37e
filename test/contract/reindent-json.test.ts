// Indented JSON has the same values on more lines.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { reindentJson } from '#contract/json.ts';

test('formats any value as JSON.stringify does', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
      const plain = JSON.stringify(value);
      assert.equal(
        reindentJson(JSON.stringify(value, undefined, indent)),
        JSON.stringify(JSON.parse(plain), undefined, 2),
      );
    }),
    { numRuns: 500 },
  );
});

test('keeps values as they were written', () => {
  const text = '{"id":12345678901234567890,"x":1.50,"x":"\\u0041\\"}{,:[]","e":[ ] , "o":{\n}}';
  assert.equal(
    reindentJson(text),
    '{\n  "id": 12345678901234567890,\n  "x": 1.50,\n  "x": "\\u0041\\"}{,:[]",\n  "e": [],\n  "o": {}\n}',
  );
});

test('leaves text alone that is not JSON', () => {
  for (const text of ['', '{', '[1,]', '{"a"}', 'hello', `${'['.repeat(100)}${']'.repeat(100)}`])
    assert.equal(reindentJson(text), undefined, text);
  for (const text of ['null', 'false', '0', '""', ' 1 ']) assert.equal(reindentJson(text), text.trim());
});
