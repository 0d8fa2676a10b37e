// `wm webhook rotate-secret`, killed and run again with the same arguments: at its create, and once as a process.
// rotate-killed.deep.test.ts kills it at each request.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { modes, play } from './killed-rotations.ts';
import { later, newSecret, rotating } from './rotating.ts';

test('killed before and after it creates the successor, and run again', async (context) => {
  const [mode] = modes;
  assert.ok(mode);
  const service = await rotating(context);
  const complete = await play(service, mode, 'whole');
  const index = 1 + complete.requests.findIndex((request) => /^POST .*webhooks$/.test(request));
  for (const when of ['before', 'after'] as const) {
    const { state } = await play(service, mode, `hook-${when}`, { at: index, when });
    assert.deepEqual(state, complete.state, when);
  }
});

test('killed as a process, after the service has created the successor', async (context) => {
  const service = await rotating(context);
  const { environment, recording, secretFile } = service;
  const id = await service.create();
  const words = ['webhook', 'rotate-secret', id, '--secret-file', secretFile, '--no-verify', '--yes'];
  const child = spawn(process.execPath, [resolve('bin/wm.js'), ...words], {
    env: { ...environment, PATH: process.env['PATH'] },
    stdio: 'ignore',
  });
  recording.watch({ at: 3, when: 'after', stop: () => child.kill('SIGKILL') });
  assert.deepEqual(await once(child, 'exit'), [null, 'SIGKILL']);
  recording.watch();
  assert.equal((await service.state()).length, 2);
  const again = await service.wm(words, { world: later() });
  assert.equal(again.status, 0, again.errors);
  const [, successor = ''] =
    /^The service lists the successor that an earlier request created: (\w+)$/m.exec(again.errors) ?? [];
  assert.match(recording.createdWith(successor) ?? '', new RegExp(`&secret=${newSecret}(&|$)`));
  assert.deepEqual(await service.state(), ['Active /hook', 'Suspended /hook']);
});
