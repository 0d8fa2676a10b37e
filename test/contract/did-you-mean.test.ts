// The limits of suggestions: one error more than the length of a word allows makes another word.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { didYouMean, nearestWords } from '#contract/did-you-mean.ts';

const near: readonly [string, readonly string[], readonly string[]][] = [
  // Three letters may have one slip, four two, seven three.
  ['abc', ['xbc', 'xyc', 'ab'], ['xbc', 'ab']],
  ['abc', ['xyc'], []],
  ['abcd', ['xycd', 'xyzd'], ['xycd']],
  ['abcd', ['xyzd'], []],
  ['abcdefg', ['xyzdefg', 'xyzwefg'], ['xyzdefg']],
  ['abcdefg', ['xyzwefg'], []],
  // A letter exchanged with its neighbour is one slip.
  ['fir', ['fri', 'rif'], ['fri']],
  // The nearest alone, all of them; what holds the word, or is held by it, before any slip.
  ['status', ['stetes', 'statis', 'stat-us-x', 'TaskStatusChanged'], ['stat-us-x', 'TaskStatusChanged']],
  ['status', ['stetes', 'statis', 'stotus'], ['statis', 'stotus']],
  ['TaskCreate', ['TaskDeleted', 'TaskCreated'], ['TaskCreated']],
  // Two letters stand in too many words.
  ['width', ['id'], []],
  // Case and separators are no difference at all.
  ['ADD_parents', ['add-parents', 'addParents', 'add-parent'], ['add-parents', 'addParents']],
  ['', ['a'], []],
  ['-', ['a', '_'], []],
];

for (const [word, candidates, expected] of near) {
  test(`${JSON.stringify(word)} among ${candidates.join(', ')}`, () => {
    assert.deepEqual(nearestWords(word, candidates), expected);
  });
}

test('as a question', () => {
  assert.equal(didYouMean('ab', ['abx', 'aby', 'abz']), 'Did you mean abx, aby or abz?');
  assert.equal(
    didYouMean('fird', ['fxx', 'frid'], (candidate) => `"${candidate}"`),
    'Did you mean "frid"?',
  );
  assert.equal(didYouMean('zzz', ['abc']), undefined);
});

test('at most five suggestions, each once', () => {
  const six = [1, 2, 3, 4, 5, 6].map((n) => `budget ${n}`);
  assert.deepEqual(nearestWords('budget', [...six, ...six]), six.slice(0, 5));
});

test('does not suggest the word itself, but does in another case', () => {
  assert.deepEqual(nearestWords('Budget', ['Budget', 'budget', 'Budgets']), ['budget']);
  assert.deepEqual(nearestWords('Budget', ['Budget']), []);
});

test('always finds one slip in a word of three letters or more', () => {
  const letters = fc.stringMatching(/^[a-z]{3,12}$/);
  fc.assert(
    fc.property(
      letters,
      fc.nat(),
      fc.constantFrom('change', 'add', 'drop', 'exchange'),
      (word, seed, slip) => {
        const at = seed % (word.length - 1);
        const wrong = {
          change: `${word.slice(0, at)}#${word.slice(at + 1)}`,
          add: `${word.slice(0, at)}#${word.slice(at)}`,
          drop: word.slice(0, at) + word.slice(at + 1),
          exchange: word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2),
        }[slip];
        // Two letters that are the same, exchanged, are no slip.
        assert.deepEqual(nearestWords(wrong, [word]), wrong === word ? [] : [word]);
      },
    ),
  );
});

test('more candidates than fit on the stack', () => {
  const many = Array.from({ length: 150_000 }, (_, at) => `word ${at}`);
  assert.deepEqual(nearestWords('statis', [...many, 'status']), ['status']);
});
