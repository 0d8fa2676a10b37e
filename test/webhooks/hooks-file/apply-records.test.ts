// `wm webhook apply` where the keychain is locked. test/transcript/webhook-apply-labels.txt shows what it leaves on this machine.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { run } from '#test/support/program/program.ts';
import { receiverSecret, setStage } from '#test/support/terminal/stage.ts';
import { fileOf } from './with-file.ts';

test('warns if a secret cannot be stored for the successor, or found by an export', async (context) => {
  const { folder, environment } = await setStage(context);
  const hook = ['http://hooks.example.com/a', '--folder', 'IEAAAAAQI4AB5FLD', '--events', 'TaskCreated'];
  const made = await run(['webhook', 'create', ...hook, '--json', '-q', '--store-secret'], {
    environment: { ...environment, WM_WEBHOOK_SECRET: receiverSecret },
  });
  const { id: old } = JSON.parse(made.output);
  const file = join(folder, 'hooks.yaml');
  const isLocked = { fault: 'locked', detail: 'nobody unlocked it' } as const;
  const locked = {
    read: async (_: string, account: string) =>
      account.startsWith(old) ? { secret: receiverSecret } : isLocked,
    write: async () => isLocked,
    remove: async (_: string, account: string) => ({ removed: account.startsWith(old) }),
  };
  const inKeychain = { environment: { ...environment, WM_TOKEN_STORE: 'keychain' } };
  const entry = 'url: http://hooks.example.com/a\nscope: {folder: IEAAAAAQI4AB5FLD}\nevents: [TaskDeleted]';
  await writeFile(file, fileOf(`${entry}\nsecret: {stored: ${old}}`));
  const ran = await run(['webhook', 'apply', file, '--yes'], { ...inKeychain, world: { keychain: locked } });
  assert.equal(ran.status, 0, ran.errors);
  assert.match(ran.errors, /The secret of the new webhook \w+ was not stored: The keychain is locked/);
  assert.match(ran.errors, /To store it: wm webhook secret \w+ --store/);
  const exported = await run(['webhook', 'export'], { ...inKeychain, world: { keychain: locked } });
  assert.equal(exported.status, 0, exported.errors);
  assert.match(exported.errors, /Cannot see which secrets are stored: The keychain is locked/);
  const missing = { fault: 'missing', detail: 'no bus' } as const;
  const none = { read: async () => missing, write: async () => missing, remove: async () => missing };
  const without = await run(['webhook', 'export'], { ...inKeychain, world: { keychain: none } });
  assert.doesNotMatch(without.errors, /keychain/);
});
