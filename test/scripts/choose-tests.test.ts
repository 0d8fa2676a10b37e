// scripts/choose-tests.mjs: slices share out all files, and each file is in one of them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseSlice } from '../../scripts/choose-tests.mjs';

const files = ['a', 'b', 'c', 'd', 'e'];

test('every file is in one slice, and neighbours are in different ones', () => {
  assert.deepEqual(chooseSlice(files, '1/2'), ['a', 'c', 'e']);
  assert.deepEqual(chooseSlice(files, '2/2'), ['b', 'd']);
  assert.deepEqual(chooseSlice(files, '1/1'), files);
});

test('a slice that there is not is an error, never an empty run', () => {
  for (const slice of ['0/2', '3/2', '1', '', '1/0', 'a/b', '1/2/3'])
    assert.throws(() => chooseSlice(files, slice), /expected K\/N, such as 1\/2/, slice);
});
