// Rotations that stopped half-way, or lost the secret that wm generated: each can be continued or aborted.

import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { readLocal } from '../local-records.ts';
import { later, rotating, storedSecrets, unlimited } from './rotating.ts';

test('accepts the printed secret if a generated secret is no longer stored', async (context) => {
  const service = await rotating(context);
  const id = await service.create();
  const words = ['webhook', 'rotate-secret', id, '--generate-secret', ...unlimited, '--yes'];
  const printed = (await service.wm([...words, '--prepare'])).output.trim();
  assert.deepEqual([...(await storedSecrets(service)).values()], [printed]);
  await rm(join(service.environment['WM_CONFIG_DIR'] ?? '', 'webhook-secrets'), { recursive: true });
  const ran = await service.wm(words);
  assert.equal(ran.status, 1);
  assert.match(ran.errors, /The generated secret is missing from this machine/);
  service.knows.add(printed);
  await writeFile(service.secretFile, printed);
  const again = await service.rotate(id);
  assert.equal(again.status, 0, again.errors);
});

test('--abort with an unknown create outcome, and with nothing created', async (context) => {
  const service = await rotating(context);
  for (const when of ['before', 'after'] as const) {
    const id = await service.create(when);
    const words = service.unverified(id);
    await service.killed(words, { at: 3, when });
    const abort = ['webhook', 'rotate-secret', id, '--abort', '--yes'];
    const ran = await service.wm(abort, { world: later() });
    assert.equal(ran.status, 0, ran.errors);
    assert.equal(/The rotation has no successor yet/.test(ran.errors), when === 'before');
  }
  assert.deepEqual(await service.state(), ['Active /after', 'Active /before']);
});

test('interrupted before suspending the old one: continues without a secret flag, or aborts', async (context) => {
  const service = await rotating(context);
  const interrupt = async (id: string) => {
    const flags = ['--secret-file', service.secretFile, '--store-secret', '--no-verify', '--yes'];
    const words = ['webhook', 'rotate-secret', id, ...flags];
    const requests = await service.killed(words, { at: 4, when: 'before' });
    assert.match(requests[3] ?? '', /^PUT /);
    return (await readLocal(service.environment))[id]?.rotation?.successor ?? '';
  };
  const continued = await service.create('continued');
  await interrupt(continued);
  const shown = await service.wm(['webhook', 'rotate-secret', continued, '--dry-run']);
  assert.match(shown.errors, / Done: IEAAAAAQ\w+\./);
  assert.match(shown.errors, /each arrives twice. That began at \d{4}-/);
  assert.doesNotMatch(shown.output, /^POST /m);
  const ran = await service.wm(['webhook', 'rotate-secret', continued, '--no-verify', '--yes']);
  assert.equal(ran.status, 0, ran.errors);

  const aborted = await service.create('aborted');
  const successor = await interrupt(aborted);
  const dry = await service.wm(['webhook', 'rotate-secret', aborted, '--abort', '--curl']);
  assert.match(dry.output, new RegExp(`-X DELETE .*\n.*${successor}`));
  await fetch(`${service.emulator.baseUrl}/webhooks/${successor}`, {
    method: 'DELETE',
    headers: { Authorization: `Bearer ${service.emulator.token}` },
  });
  const back = await service.wm(['webhook', 'rotate-secret', aborted, '--abort', '--yes']);
  assert.equal(back.status, 0, back.errors);
  assert.equal((await readLocal(service.environment))[successor], undefined);
  assert.ok(!(await storedSecrets(service)).has(successor));
  assert.deepEqual(await service.state(), ['Active /aborted', 'Active /continued', 'Suspended /continued']);
  for (const flags of [['--secret-stdin'], ['--secret-file', service.secretFile]]) {
    const both = await service.wm(['webhook', 'rotate-secret', aborted, '--generate-secret', ...flags], {
      input: 'x',
    });
    assert.equal(both.status, 2);
    assert.match(both.errors, new RegExp(`--generate-secret and ${flags[0]} cannot be combined`));
  }
});
