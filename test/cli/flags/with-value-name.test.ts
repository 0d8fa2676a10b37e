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

test('what returns is returned', () => {
  assert.equal(
    withPath('due', () => 5),
    5,
  );
  assert.equal(
    withValueName('--due', () => 5),
    5,
  );
});

test('an expected error is replaced by what names the column or the flag', () => {
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

test('any other error is thrown as it is', () => {
  const isBug = (error: unknown) => error === bug;
  assert.throws(() => withPath('due', fails), isBug);
  assert.throws(() => withValueName('--due', fails), isBug);
  assert.throws(() => replaceError(RangeError, wrong, () => bug), ValidationError);
});
