// The operations of other programs, against rows written by hand.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { otherOperations } from '#contract/other-operation.ts';
import * as witness from '../witness/other-operations.ts';

test('every operation for other programs', () => {
  assert.deepEqual(
    Object.values(otherOperations).map(({ method, path, kind, parameters }) => [
      `${method} ${path}`,
      kind,
      ...Object.keys(parameters),
    ]),
    witness.otherOperations,
  );
});
