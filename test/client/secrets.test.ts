// What is never shown: the token, and the secret of a webhook. Planted as canaries, and looked for in everything that
// the program writes, whatever the service answers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonReply } from '#test/support/service/raw-server.ts';
import {
  answer,
  ask,
  canary,
  hook,
  hookId,
  hooks,
  lines,
  taskId,
} from '#test/support/service/scripted-service.ts';

const secret = 'canary-secret-77c1';

const replies = {
  good: (request: string) =>
    request.includes('/tasks/')
      ? jsonReply(200, { kind: 'tasks', data: [{ id: taskId }] })
      : jsonReply(200, hooks(hook)),
  refused: () => jsonReply(401, { error: 'not_authorized', errorDescription: 'Unknown token' }),
  failed: () => jsonReply(500, { error: 'server_error', errorDescription: 'A fault of the test' }),
  'a web page': () => answer(200, ['Content-Type: text/html'], '<p>'),
  redirect: () => answer(302, ['Location: https://example.org/']),
  lost: () => 'cut' as const,
  'not HTTP': () => 'SSH-2.0-OpenSSH\r\n',
};

for (const [name, reply] of Object.entries(replies)) {
  test(`${name}: neither --verbose nor --json nor an error shows a token or a secret`, async () => {
    for (const line of Object.values(lines)) {
      for (const flags of [['--verbose'], ['--verbose', '--json'], []]) {
        const environment = { WM_WEBHOOK_SECRET: secret, WM_DEBUG: '1' };
        const asked = await ask([...line, ...flags], reply, { environment });
        for (const text of [asked.output, asked.errors]) {
          assert.ok(!text.includes(canary), text);
          assert.ok(!text.includes(secret), text);
        }
        assert.ok(asked.requests[0]?.includes(canary), 'the service did get it');
        assert.equal(asked.requests[0]?.includes(secret), line === lines.POST);
      }
    }
  });
}

test('--verbose shows each request on standard error: method, address, status code and duration', async () => {
  const asked = await ask([...lines.GET, '--verbose'], ['cut', jsonReply(200, hooks(hook))]);
  const [first, second] = asked.errors.split('\n');
  assert.match(
    first ?? '',
    new RegExp(`^GET http://127\\.0\\.0\\.1:\\d+/api/v4/webhooks/${hookId} -> reset \\(.*\\) in \\d+ ms$`),
  );
  assert.match(
    second ?? '',
    new RegExp(`^GET http://127\\.0\\.0\\.1:\\d+/api/v4/webhooks/${hookId} -> 200 in \\d+ ms$`),
  );
  assert.doesNotMatch(asked.output, /127\.0\.0\.1/);
});

test('shows none of it without --verbose', async () => {
  const asked = await ask(lines.GET, [jsonReply(200, hooks(hook))]);
  assert.equal(asked.errors, '');
});

for (const flag of ['--dry-run', '--curl']) {
  test(`${flag} shows no token or secret, and sends nothing`, async () => {
    for (const line of Object.values(lines)) {
      const asked = await ask([...line, flag], replies.good, { environment: { WM_WEBHOOK_SECRET: secret } });
      assert.equal(asked.status, 0, asked.errors);
      assert.ok(!`${asked.output}${asked.errors}`.includes('canary'), asked.output);
      assert.deepEqual(asked.requests, []);
    }
  });
}
