// A stopped wm may hold the lock of the local records: a webhook is suspended before wm waits for it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hook, hookId, hooks } from '#test/support/service/scripted-service.ts';
import { createWorld } from '#world/create-world.ts';
import { answering } from '../records.ts';

test('does not wait for a busy lock of the local records before the change', async (context) => {
  const suspended = { ...hook, status: 'Suspended' };
  const { wm, asked } = await answering(context, {
    [`GET webhooks/${hookId}`]: [hooks(hook), hooks(suspended)],
    [`PUT webhooks/${hookId}`]: [hooks(suspended)],
  });
  const before: number[] = [];
  const { lock } = createWorld();
  const ran = await wm(['webhook', 'suspend', hookId, '--yes'], {
    world: {
      lock: {
        ...lock,
        async acquire(path, options) {
          if (!path.includes('webhooks')) return lock.acquire(path, options);
          if (!asked.some((request) => request.startsWith('PUT'))) before.push(options.timeoutMs);
          return undefined;
        },
      },
    },
  });
  assert.equal(ran.status, 0, ran.errors);
  assert.match(ran.output, new RegExp(`^${hookId}\tSuspended\t`));
  assert.match(
    ran.errors,
    /^Cannot record the status of webhooks: Another wm is still updating its records/m,
  );
  assert.deepEqual(before, []);
});
