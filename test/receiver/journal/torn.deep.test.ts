// A journal that is torn or damaged at every byte: what was whole stays, and the rest is reported and left as it is.

import { test } from 'node:test';
import { damageAt, tearAt } from './torn-journal.ts';

test('torn at every byte of its last batch, and so of its last frame', async (context) => {
  context.diagnostic(`torn in ${await tearAt(1)} ways`);
});

test('damaged at every byte: only what is damaged is lost, and the file stays as it is', async (context) => {
  context.diagnostic(`damaged in ${await damageAt(1)} ways`);
});
