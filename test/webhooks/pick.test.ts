// Commands without a webhook argument and without a prompt.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonReply } from '#test/support/service/raw-server.ts';
import { ask, hook, hooks } from '#test/support/service/scripted-service.ts';

for (const verb of ['suspend', 'resume', 'delete']) {
  test(`webhook ${verb} without an id and without a terminal: a usage error; nothing is sent`, async () => {
    for (const flags of [[], ['--dry-run'], ['--curl']]) {
      const ran = await ask(['webhook', verb, ...flags], [jsonReply(200, hooks(hook))]);
      assert.equal(ran.status, 2, ran.errors);
      assert.match(ran.errors, /^wm: Missing: ID\n/);
      assert.match(ran.errors, /To list them: wm webhook list/);
      assert.deepEqual(ran.requests, []);
    }
  });
}
