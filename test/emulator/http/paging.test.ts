// Pages of lists: when a response names a next page, and which tokens and which lists there are none for.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample, sampleTokens } from '#emulator/state/sample-ids.ts';
import { control } from '#test/support/service/control.ts';
import { invalid, outcome, valuesOf } from '#test/support/service/records.ts';
import { call, query, type Started, started } from '#test/support/service/start-emulator.ts';
import { shows } from '../shows.ts';

const get = (emulator: Started, path: string, parameters: Record<string, unknown> = {}) =>
  call(emulator, 'GET', `${path}?${query(parameters)}`);
const idsOf = ({ body }: Awaited<ReturnType<typeof call>>) => valuesOf(body.data, 'id');
const tasks = `/folders/${sample.folder}/tasks`;

test('a page has nextPageToken and responseSize only if there are more records', async (t) => {
  shows('list-pages', 'default');
  const emulator = await started(t);
  const all = idsOf(await get(emulator, tasks));
  assert.equal(all.length, 6);
  for (const pageSize of ['6', '7', '1000'])
    assert.deepEqual(
      Object.keys((await get(emulator, tasks, { pageSize })).body),
      ['kind', 'data'],
      pageSize,
    );
  const first = await get(emulator, tasks, { pageSize: '3' });
  assert.deepEqual(Object.keys(first.body), ['kind', 'nextPageToken', 'responseSize', 'data']);
  assert.match(first.body.nextPageToken, /^[A-Z0-9]{45}$/);
  assert.equal(first.body.responseSize, 6);
  const { nextPageToken } = first.body;
  const last = await get(emulator, tasks, { pageSize: '3', nextPageToken });
  assert.deepEqual(Object.keys(last.body), ['kind', 'data'], 'the last page is exactly full');
  assert.deepEqual([...idsOf(first), ...idsOf(last)], all);
  const none = await get(emulator, '/tasks', { title: 'no such title', pageSize: '1000' });
  assert.deepEqual(none.body, { kind: 'tasks', data: [] });
});

test('a fault adds an empty page after the last one; the token of the empty page is rejected', async (t) => {
  const emulator = await started(t);
  const faults = await control(emulator, 'POST', '/faults', { request: 'listFolderTasks', emptyPage: true });
  assert.equal(faults.faults.length, 1);
  const last = await get(emulator, tasks, { pageSize: '1000' });
  assert.equal(last.body.data.length, 6);
  const { nextPageToken } = last.body;
  const empty = await get(emulator, tasks, { pageSize: '1000', nextPageToken });
  assert.deepEqual([empty.status, empty.body.data], [200, []]);
  const beyond = await get(emulator, tasks, { nextPageToken: empty.body.nextPageToken });
  assert.deepEqual([beyond.status, beyond.body.error], invalid);
  assert.deepEqual(Object.keys((await get(emulator, tasks)).body), ['kind', 'data'], 'once');
});

test('a page token overrides all other parameters, and works only for its list and user', async (t) => {
  const emulator = await started(t);
  const parameters = { status: ['Active'], sortField: 'Title', fields: ['parentIds'], pageSize: '2' };
  const { nextPageToken } = (await get(emulator, '/tasks', parameters)).body;
  const all = idsOf(await get(emulator, '/tasks', { ...parameters, pageSize: '100' }));
  for (const others of [{}, { status: ['Completed'], pageSize: '1' }]) {
    const next = await get(emulator, '/tasks', { ...others, nextPageToken });
    assert.deepEqual(idsOf(next), all.slice(2, 4));
    assert.ok('parentIds' in next.body.data[0]);
  }
  const mine = { nextPageToken };
  const bens = { headers: { Authorization: `Bearer ${sampleTokens.ben}` } };
  for (const reply of [
    await get(emulator, tasks, mine),
    await get(emulator, '/contacts', mine),
    await get(emulator, '/tasks', { nextPageToken: 'A'.repeat(45) }),
    await get(emulator, '/tasks', { nextPageToken: 'p2' }),
    await get(emulator, '/tasks', { nextPageToken: '' }),
    await call(emulator, 'GET', `/tasks?nextPageToken=${nextPageToken}`, bens),
  ])
    assert.deepEqual([reply.status, reply.body.error], invalid);
  assert.equal((await get(emulator, '/tasks', { nextPageToken, colour: 'red' })).status, 400);
});

for (const mode of ['default', 'bare', 'strict'] as const)
  test(`comments are never paged, and folders only with a filter, in ${mode} mode`, async (t) => {
    const emulator = await started(t, { mode });
    for (const path of [
      '/comments?pageSize=10',
      '/comments?nextPageToken=x',
      `/tasks/${sample.task}/comments?pageSize=10`,
      `/folders/${sample.folder}/comments?pageSize=10`,
      '/folders?pageSize=10',
      '/folders?deleted=true&pageSize=10',
    ]) {
      assert.deepEqual(await outcome(emulator, 'GET', path), invalid, path);
    }
    assert.equal((await call(emulator, 'GET', '/folders?project=true&pageSize=10')).status, 200);
  });
