// The depth of JSON counts nested objects and lists, but not brackets in strings.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { describeJsonError, JsonDepthError, maxJsonDepth, parseJson } from '#contract/json.ts';

const nested = (levels: number, inside = '1') => `${'['.repeat(levels)}${inside}${']'.repeat(levels)}`;
const brackets = '[{'.repeat(200);

for (const [what, text] of [
  ['64 lists', nested(64)],
  ['64 objects', `${'{"a":'.repeat(64)}1${'}'.repeat(64)}`],
  ['many lists side by side', `[${Array.from({ length: 1000 }, () => '[{}]').join()}]`],
  ['brackets in a string', JSON.stringify(brackets)],
  ['brackets in a name', JSON.stringify({ [brackets]: brackets })],
  ['brackets after an escaped quote', JSON.stringify(`"${brackets}\\"${brackets}\\`)],
] as const) {
  test(`${what}: accepted`, () => assert.deepEqual(parseJson(text), JSON.parse(text)));
}

for (const [what, text] of [
  ['65 lists', nested(65)],
  ['65 objects', `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`],
  ['64 lists, and an object in them', nested(64, '{}')],
  ['100,000 lists', nested(100_000)],
  ['ten million lists that never end', '['.repeat(10_000_000)],
  ['the last of many', `[${Array.from({ length: 1000 }, () => '{"a":"]"}').join()},${nested(64)}]`],
] as const) {
  test(`${what}: too deep`, () => {
    assert.throws(() => parseJson(text), JsonDepthError);
    assert.throws(
      () => parseJson(text),
      (error) => describeJsonError(error) === 'is nested more than 64 levels deep',
    );
  });
}

for (const text of ['', '{', '"', '"\\', `"${brackets}`, ']'.repeat(100), '{"a":1}}']) {
  test(`${text.slice(0, 10)}: not JSON`, () => {
    assert.throws(
      () => parseJson(text),
      (error) => describeJsonError(error) === 'is not JSON',
    );
  });
}

const levelsOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(levelsOf)) : 0;

test('reads any JSON as JSON.parse does, up to the depth limit and not beyond', () => {
  const deep = fc
    .tuple(fc.jsonValue(), fc.nat(maxJsonDepth + 5), fc.boolean())
    .map(([inside, levels, isList]) => {
      let value: unknown = inside;
      for (let level = 0; level < levels; level++) value = isList ? [value, '[{'] : { '[{"': value };
      return value;
    });
  fc.assert(
    fc.property(deep, fc.nat(2), (value, spaces) => {
      const text = JSON.stringify(value, null, spaces);
      if (levelsOf(value) > maxJsonDepth) assert.throws(() => parseJson(text), JsonDepthError);
      else assert.deepEqual(parseJson(text), JSON.parse(text));
    }),
  );
});

test('reads any text that JSON.parse reads, and rejects the rest', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('[', ']', '{', '}', '"', '\\', ',', ':', '1', 'a') }),
      (text) => {
        let expected: unknown;
        try {
          expected = JSON.parse(text);
        } catch {
          assert.throws(() => parseJson(text), SyntaxError);
          return;
        }
        assert.deepEqual(parseJson(text), expected);
      },
    ),
  );
});
