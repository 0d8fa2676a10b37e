// `wm webhook rotate-secret`, killed at each of its requests, to the service and to the receiver, and once as a process, and
// run again with the same arguments: the state is the same each time, with one successor.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { modes, play } from './killed-rotations.ts';
import { later, newSecret, rotating } from './rotating.ts';

for (const mode of modes) {
  test(`killed at each request, and run again: ${mode.name}`, async (context) => {
    const service = await rotating(context, { mode: mode.bare ? 'bare' : 'default' });
    const complete = await play(service, mode, 'whole');
    const isOfReceiver = (request: string) => !request.includes('/api/v4/');
    assert.ok(
      complete.requests.filter((request) => !isOfReceiver(request)).length >= 6,
      complete.requests.join('\n'),
    );
    assert.equal(complete.requests.some(isOfReceiver), mode.verifies);
    for (const [index, request] of complete.requests.entries()) {
      // A request to the receiver changes no state, so a kill after it adds nothing.
      for (const when of isOfReceiver(request) ? (['before'] as const) : (['before', 'after'] as const)) {
        const kill = { at: index + 1, when };
        const { state } = await play(service, mode, `hook-${index}-${when}`, kill);
        assert.deepEqual(state, complete.state, `killed ${when} request ${index + 1}: ${request}`);
      }
    }
  });
}

test('the process is killed after the service has created the successor', async (context) => {
  const service = await rotating(context);
  const { environment, recording } = service;
  const id = await service.create();
  const words = service.unverified(id);
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
