// How durations are shown: in days, hours and minutes, with the minutes that the service counts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDuration } from '#tasks/input/duration.ts';

test('formats a duration in its largest units, without zeros', () => {
  for (const [minutes, text] of [
    [0, '0 min'],
    [59, '59 min'],
    [60, '1h (60 min)'],
    [95, '1h35m (95 min)'],
    [479, '7h59m (479 min)'],
    [480, '1d (480 min)'],
    [481, '1d1m (481 min)'],
    [540, '1d1h (540 min)'],
    [1200, '2d4h (1200 min)'],
    [1205, '2d4h5m (1205 min)'],
  ] as const)
    assert.equal(formatDuration(minutes), text);
});
