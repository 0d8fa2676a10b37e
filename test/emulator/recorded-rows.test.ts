// What recordings confirm of the assumptions. The header Emulator-Assumption does not name these rows, so only behaviour shows them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { records } from '#test/support/service/records.ts';
import { call, started } from '#test/support/service/start-emulator.ts';
import { shows } from './shows.ts';

const ids = (reply: { readonly body: { readonly data: readonly { readonly id: string }[] } }) =>
  reply.body.data.map(({ id }) => id).toSorted();

for (const [kind, first, second] of [
  ['tasks', 'IEAAAAAQKQAB5BNG', 'IEAAAAAQKQAB5SUB'],
  ['contacts', 'KUAAADAQ', 'KUAABENQ'],
  ['folders', 'IEAAAAAQI4AB5FLD', 'IEAAAAAQI4AB5SUB'],
] as const)
  test(`reads ${kind} by up to 100 ids; an unknown one is not found`, async (t) => {
    shows('task-read', 'default');
    shows('read-by-id', 'default');
    const emulator = await started(t);
    const both = await call(emulator, 'GET', `/${kind}/${second},${first}`);
    assert.deepEqual([both.status, both.body.kind, ids(both)], [200, kind, [first, second]]);
    // Each id is read once, also if it is asked for twice.
    const most = [first, ...Array.from({ length: 99 }, () => second)];
    assert.equal((await call(emulator, 'GET', `/${kind}/${most.join(',')}`)).status, 200);
    assert.equal((await call(emulator, 'GET', `/${kind}/${[...most, first].join(',')}`)).status, 400);
    assert.equal((await call(emulator, 'GET', `/${kind}/${first},${first.slice(0, -4)}NONE`)).status, 404);
  });

test('looks up an id of any form; a space has the id of its folder', async (t) => {
  shows('webhook-id-pattern', 'default');
  shows('space-id-pattern', 'default');
  const emulator = await started(t);
  for (const path of ['/webhooks/x', '/comments/x', '/attachments/x', '/timelogs/x', '/async_job/x'])
    assert.equal((await call(emulator, 'GET', path)).status, 404, path);
  const task = '/tasks/IEAAAAAQKQAB5BNG';
  const job = /^[A-Z0-9]{23}$/;
  for (const [path, body, pattern] of [
    [`${task}/comments`, { text: 'x' }],
    [`${task}/attachments`, { name: 'x' }],
    [`${task}/timelogs`, { hours: '1', trackedDate: '2026-03-02' }],
    ['/folders/IEAAAAAQI4AB5FLD/tasks', { title: 'x' }],
    ['/folders/IEAAAAAQI4AB5FLD/folders', { title: 'x' }],
    ['/copy_folder_async/IEAAAAAQI4AB5SUB', { parent: 'IEAAAAAQI5AB5SPC', title: 'x' }, job],
  ] as const) {
    const [made] = await records(emulator, 'POST', path, { form: body });
    assert.match(made.id, pattern ?? /^[A-Z0-9]{16}$/, path);
  }
  const space = 'IEAAAAAQI5AB5SPC';
  assert.deepEqual(ids(await call(emulator, 'GET', `/folders/${space}`)), [space]);
  assert.deepEqual(ids(await call(emulator, 'GET', `/spaces/${space}`)), [space]);
  assert.equal((await call(emulator, 'GET', '/spaces/a%20b')).status, 400);
});

test('filters contacts by me, part of the name, address and active state', async (t) => {
  shows('contact-filters', 'default');
  const emulator = await started(t);
  const found = async (query: string) => ids(await call(emulator, 'GET', `/contacts?${query}`));
  const all = ids(await call(emulator, 'GET', '/contacts'));
  assert.deepEqual(await found('me=true'), ['KUAAADAQ']);
  assert.deepEqual(await found('name=BE'), ['KUAABENQ']);
  const [ben] = await records(emulator, 'GET', '/contacts/KUAABENQ');
  const { email } = ben.profiles[0];
  assert.deepEqual(await found(`email=${email.toUpperCase()}`), ['KUAABENQ']);
  assert.deepEqual(await found(`email=${email.slice(1)}`), []);
  assert.deepEqual(await found('active=true'), all);
});
