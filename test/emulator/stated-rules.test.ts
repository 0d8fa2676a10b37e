// Rules of the contract that hold in every mode: where state is echoed, what a batch may create, what is in the recycle bin, which
// redirect URIs there are.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emulatorModes } from '#contract/assumption.ts';
import { sample } from '#emulator/state/sample-ids.ts';
import { control, settled } from '#test/support/service/control.ts';
import { records, valuesOf } from '#test/support/service/records.ts';
import { call, query, rejectedUpdate, started, update } from '#test/support/service/start-emulator.ts';
import { createWebhook, withReceiver } from './dispatch/subscribed.ts';
import { shows } from './shows.ts';

for (const mode of emulatorModes) {
  test(`echoes state whatever the error is, in ${mode} mode`, async (t) => {
    const emulator = await started(t, { mode });
    const read = async (path: string) => {
      const response = await fetch(`${emulator.authUrl}${path}`, {
        headers: { Authorization: `Bearer ${emulator.token}` },
      });
      const { state, error } = JSON.parse(await response.text());
      return [state, error];
    };
    assert.deepEqual(await read('/api/v4/account?x=%zz&state=a%20b'), ['a b', 'invalid_request']);
    assert.deepEqual(await read('/api/v4/acc%zz?state=s'), ['s', 'method_not_found']);
    assert.deepEqual(await read('/api/v4/tasks/%zz?state=s'), ['s', 'invalid_request']);
    assert.deepEqual(await read('/api/v4/account?state=%zz'), [undefined, 'invalid_request']);
    assert.deepEqual(await read('/api/v3/account?state=s'), ['s', 'method_not_found']);
    await control(emulator, 'POST', '/faults', { request: 'any', status: 503 });
    assert.deepEqual(await read('/api/v4/account?state=s'), ['s', 'server_error']);
  });

  test(`a batch can create tasks and folders in a space, in ${mode} mode`, async (t) => {
    const emulator = await started(t, { mode });
    const operations = ['tasks', 'folders'].map((what) => ({
      method: 'POST',
      path: `/spaces/${sample.space}/${what}`,
      parameters: { title: 'In a space' },
    }));
    const elsewhere = { ...operations[0], path: `/spaces/${sample.folder}/tasks` };
    await call(emulator, 'POST', '/batch', { form: { operations: [...operations, elsewhere] } });
    emulator.clock.move(1_000);
    const titles = async (path: string) => valuesOf(await records(emulator, 'GET', path), 'title');
    assert.deepEqual(await titles(`/spaces/${sample.space}/tasks`), ['In a space']);
    assert.ok((await titles(`/spaces/${sample.space}/folders`)).includes('In a space'));
    assert.equal((await titles('/tasks')).filter((title: string) => title === 'In a space').length, 1);
  });

  test(`nothing can be put into a folder in the recycle bin, in ${mode} mode`, async (t) => {
    const emulator = await started(t, { mode });
    assert.equal((await call(emulator, 'DELETE', `/folders/${sample.folder}`)).status, 200);
    await call(emulator, 'PUT', `/tasks/${sample.task}?${query({ restore: true })}`);
    for (const folderId of [sample.folder, sample.subfolder])
      assert.deepEqual(
        (await rejectedUpdate(emulator, { addParents: [folderId] })).error,
        'access_forbidden',
        folderId,
      );
    const moved = await call(emulator, 'PUT', `/folders/${sample.project}`, {
      form: { addParents: [sample.folder] },
    });
    assert.deepEqual(
      [moved.status, moved.body.error, moved.headers.get('emulator-assumption')],
      [403, 'access_forbidden', 'change-folder'],
    );
  });

  test(`the webhooks of a deactivated author keep delivering, in ${mode} mode`, async (t) => {
    shows('inactive-author', 'default');
    const { emulator, receiver } = await withReceiver(t, { mode });
    const { token } = await control(emulator, 'POST', '/tokens', { userId: sample.ben });
    await createWebhook(emulator, receiver, {}, { token });
    await control(emulator, 'POST', `/users/${sample.ben}`, { active: false });
    await update(emulator, { title: 'x' });
    await settled(emulator);
    assert.equal(receiver.received.length, 1);
    await control(emulator, 'DELETE', `/users/${sample.ben}`);
    await update(emulator, { title: 'y' });
    await settled(emulator);
    assert.equal(receiver.received.length, 1);
  });

  test(`an application may have a plain http redirect URI only on this machine, in ${mode} mode`, async (t) => {
    const emulator = await started(t, { mode });
    for (const [uri, status] of [
      ['http://app.example.com/cb', 400],
      ['http://127.0.0.1.example.com/cb', 400],
      ['HTTP://app.example.com/cb', 400],
      ['http://localhost:3000/cb', 200],
      ['https://app.example.com/cb', 200],
    ] as const) {
      const response = await fetch(`${emulator.controlUrl}/applications`, {
        method: 'POST',
        body: JSON.stringify({ clientId: 'mine', redirectUris: [uri] }),
        headers: { 'Content-Type': 'application/json' },
      });
      assert.equal(response.status, status, `${uri} ${await response.text()}`);
    }
  });
}
