// Every thrown value has a message.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorMessage } from '#emulator/state/error-message.ts';

test('returns the message of an error, and anything else as text', () => {
  assert.equal(errorMessage(new TypeError('no such thing')), 'no such thing');
  assert.equal(errorMessage('full'), 'full');
  assert.equal(errorMessage(undefined), 'undefined');
});
