// A name that occurs twice in one object, at any depth. The same name in two objects is allowed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findDuplicateKey } from '#contract/json.ts';

for (const [json, name] of [
  ['{"a":1,"b":2}', undefined],
  ['{"a":1,"a":1}', 'a'],
  ['{"a":{"b":1},"c":{"b":2}}', undefined],
  ['[{"a":1},{"a":2}]', undefined],
  ['{"a":[{"x":1,"b":2,"x" :3}],"a":1}', 'x'],
  ['{"a":{},"b":[],"a":1}', 'a'],
  // Values are no names, nor is what stands inside a text.
  ['{"a":"a","b":"\\"a\\":1,{\\"a\\":"}', undefined],
  ['{"a":["b","b"],"b":"b"}', undefined],
  ['{"a":1,"\\u0061":2}', 'a'],
  ['{"\\\\":1,"\\"":2,"":3,"":4}', ''],
  ['"a"', undefined],
] as const) {
  test(`${json}: ${name ?? 'none'}`, () => assert.equal(findDuplicateKey(json), name));
}

test('output of JSON.stringify has no duplicate; a repeated member is found', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), fc.nat(), (value, seed) => {
      const json = JSON.stringify(value);
      assert.equal(findDuplicateKey(json), undefined);
      const names = Object.keys(value);
      const again = names[seed % names.length] ?? '';
      assert.equal(findDuplicateKey(`${json.slice(0, -1)},${JSON.stringify(again)}:0}`), again);
    }),
  );
});

test('runs in time linear in the length of the text', () => {
  assert.equal(
    findDuplicateKey(JSON.stringify({ a: '\\"{'.repeat(400_000), b: 'x'.repeat(2_000_000) })),
    undefined,
  );
});

test('more escapes in a text than a pattern has stack for', () => {
  const escapes = '\\\\'.repeat(12_000_000);
  assert.equal(findDuplicateKey(`{"a":"${escapes}","b":1}`), undefined);
  assert.equal(findDuplicateKey(`{"a":"${escapes}","a":1}`), 'a');
});
