// Command lines that must end with 2, name the value and the limit, and send nothing, or look at the task and no more.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '#test/support/program/program.ts';
import type { Http } from '#world/world.ts';
import { usageErrors, usageErrorsOnAGuess } from '../witness/usage-errors.ts';

for (const row of [...usageErrors, ...usageErrorsOnAGuess]) {
  test(row.why, async () => {
    const sent: string[] = [];
    // Not a stand-in for the service: it only notes that something tried to reach it.
    const http: Http = {
      async send(request) {
        if (!row.looks || request.method !== 'GET') sent.push(`${request.method} ${request.url}`);
        return { fault: 'connection-refused', sent: false, detail: 'nothing may be sent in this test' };
      },
    };
    const environment = { WM_TOKEN: 'token', WM_HOST: 'api.example.com' };
    const ran = await run(row.argv, { environment, world: { http } });
    assert.deepEqual(sent, []);
    assert.equal(ran.status, 2, ran.errors);
    assert.equal(ran.output, '');
    for (const name of row.names)
      assert.ok(ran.errors.includes(name), `${JSON.stringify(name)} in ${ran.errors}`);
    assert.ok(ran.errors.startsWith('wm: '), ran.errors);
  });
}

test('with --json the usage error is JSON on standard error', async () => {
  const ran = await run(['task', 'update', 'IEAAAAAQKQAB5BNG', '--status', 'Done', '--json']);
  const reported: unknown = JSON.parse(ran.errors);
  assert.deepEqual(reported, {
    error: {
      code: 'usage',
      message:
        '--status: "Done" is not one of Active, Deferred, Completed, Cancelled (custom statuses: --custom-status); did you mean Completed?',
    },
  });
});

test('rejects an invalid id before it asks the user to sign in', async () => {
  for (const words of ['task update', 'task get']) {
    const more = words === 'task update' ? ['--title', 'x'] : [];
    const ran = await run([...words.split(' '), 'IEAAAAAQKQAB5BNG,IEAAAAAQKQAB5BLG', ...more, '--yes'], {
      exit: 2,
      environment: { WM_CONFIG_DIR: '/nonexistent' },
    });
    assert.ok(ran.errors.includes('"IEAAAAAQKQAB5BNG,IEAAAAAQKQAB5BLG"'), ran.errors);
  }
});
