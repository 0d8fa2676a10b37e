// What happens to an error on its way up: one that was expected is replaced, a bug stays itself.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withValueName } from '#cli/parse-values.ts';
import { replaceError, ValidationError, withPath } from '#contract/schema.ts';
import { Failure } from '#failure.ts';

const wrong = (): never => {
  throw new ValidationError('"x"', 'is not a date');
};
const bug = new TypeError('a bug');
const fails = (): never => {
  throw bug;
};

test('returns the result', () => {
  assert.equal(
    withPath('due', () => 5),
    5,
  );
  assert.equal(
    withValueName('--due', () => 5),
    5,
  );
});

test('replaces an expected error with one that names the column or flag', () => {
  assert.throws(
    () => withPath('due', wrong),
    (error) => error instanceof ValidationError && error.message === 'due: "x" is not a date',
  );
  assert.throws(
    () => withValueName('--due', wrong),
    (error) =>
      error instanceof Failure && error.code === 'usage' && error.message === '--due: "x" is not a date',
  );
});

test('rethrows any other error unchanged', () => {
  const isBug = (error: unknown) => error === bug;
  assert.throws(() => withPath('due', fails), isBug);
  assert.throws(() => withValueName('--due', fails), isBug);
  assert.throws(() => replaceError(RangeError, wrong, () => bug), ValidationError);
});
