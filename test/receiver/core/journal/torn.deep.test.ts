// A journal that is torn or damaged at every byte: what was whole stays, and the rest is reported and left as it is.

import { test } from 'node:test';
import { damageAt, tearAt } from './torn-journal.ts';

test('torn at every byte of its last batch, and thus of its last frame', async (context) => {
  context.diagnostic(`torn in ${await tearAt(1)} ways`);
});

test('damaged at every byte: loses only the damaged part, and leaves the file as it is', async (context) => {
  context.diagnostic(`damaged in ${await damageAt(1)} ways`);
});
