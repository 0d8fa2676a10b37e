// A file of webhooks that is hostile: rejected with a short message.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { withFile } from './with-file.ts';

export function testRejected(description: string, text: string | Buffer) {
  test(`${description}: rejected, and the process survives`, async (context) => {
    const { wm, folder } = await withFile(context);
    const file = join(folder, 'hostile.yaml');
    await writeFile(file, text);
    const ran = await wm(['webhook', 'diff', file]);
    assert.equal(ran.status, 2, ran.errors);
    assert.ok(ran.errors.length < 10_000, String(ran.errors.length));
  });
}
