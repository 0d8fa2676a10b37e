// Which webhook a command acts on, where it names none and nobody can be prompted.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, hook, hooks } from '../client/service.ts';
import { jsonReply } from '../raw-server.ts';

for (const verb of ['suspend', 'resume', 'delete']) {
  test(`webhook ${verb} without an id, outside a terminal: a usage error, and nothing is sent`, async () => {
    for (const more of [[], ['--dry-run'], ['--curl']]) {
      const asked = await ask(['webhook', verb, ...more], [jsonReply(200, hooks(hook))]);
      assert.equal(asked.status, 2, asked.errors);
      assert.match(asked.errors, /^wm: Missing: ID\n/);
      assert.match(asked.errors, /To list them: wm webhook list/);
      assert.deepEqual(asked.requests, []);
    }
  });
}
