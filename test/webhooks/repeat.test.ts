// The command that a hint prints to repeat a failed one: the user's command with its flags, for the remaining webhooks.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { emulated } from '#test/support/program/emulated.ts';
import { printedCommand } from '#test/support/program/printed.ts';
import { certificate } from '#test/support/service/certificate.ts';
import { readLocal } from './local-records.ts';
import { withHooks } from './three-webhooks.ts';

const note = "ticket 4711: Ada's";

for (const [verb, request, flags] of [
  ['suspend', 'updateWebhook', ['--note', note, '--timeout', '7', '--yes']],
  ['suspend', 'updateWebhook', ['--note=--odd', '--read-only=false', '--yes', '--no-input']],
  ['resume', 'updateWebhook', ['--no-verify', '--yes']],
  ['resume', 'updateWebhook', ['--within', '20', '--allow-private', '--connect-to', '127.0.0.1:1', '--yes']],
  ['delete', 'deleteWebhook', ['--timeout', '9', '--yes']],
] as const) {
  test(`${verb} ${flags.join(' ')}: the repeat command has the same flags`, async (context) => {
    const { wm, control, one, two, three, environment } = await withHooks(context);
    if (verb === 'resume') await wm(['webhook', 'suspend', one, two, three, '--yes']);
    await control('faults', { request, status: 403, error: 'not_allowed' });
    // The hint omits the flags that only select or print.
    const ran = await wm(['webhook', verb, '--all', '--url', 'hooks.example.com', ...flags, '--json']);
    assert.equal(ran.status, 8, ran.errors);
    const [failure] = ran.errors.split('\n').filter((line) => line.includes('part_failed'));
    const hint = JSON.parse(failure ?? '').error.hint;
    const again = printedCommand(hint, 'You can run it again safely: ');
    assert.deepEqual(again.slice(0, 3), ['webhook', verb, one]);
    const expected = flags.filter((flag) => flag !== '--read-only=false');
    assert.deepEqual(again.slice(3).toSorted(), expected.toSorted());
    assert.equal((await wm(again)).status, 0);
    if (verb === 'suspend')
      assert.equal((await readLocal(environment))[one]?.note?.text, flags[0] === '--note' ? note : '--odd');
  });
}

test('a command in a hint trusts the same certificates', async (context) => {
  const { wm, folder } = await emulated(context);
  const file = join(folder, "Ada's ca.pem");
  await writeFile(file, certificate);
  const ran = await wm(['webhook', 'get', 'nothing', '--ca', file]);
  assert.deepEqual(printedCommand(ran.errors, 'To list them: '), ['webhook', 'list', '--ca', file]);
});
