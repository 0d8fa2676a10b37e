// The counters of `wm webhook listen`, in a sentence.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeCounts } from '#receiver/listen/listen-counts.ts';

test('omits counters that are 0', () => {
  const none = {
    received: 0,
    duplicates: 0,
    rejected: 0,
    forwarded: 0,
    dead: 0,
    handshakes: 0,
    rejectedFor: {},
  };
  assert.equal(describeCounts(none, 0), '0 received');
  assert.equal(
    describeCounts(
      { ...none, received: 9, handshakes: 1, duplicates: 2, rejected: 3, forwarded: 4, dead: 1 },
      5,
    ),
    '9 received, 1 handshake, 2 duplicates, 3 rejected, 4 forwarded, 5 waiting, 1 dead letter',
  );
});
