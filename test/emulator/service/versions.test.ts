// Versions, data centres, and the paths of version 3.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notFound, outcome, records, valuesOf } from '#test/support/service/records.ts';
import { call, started } from '#test/support/service/start-emulator.ts';

test('version 3 paths are not methods of version 4', async (t) => {
  const emulator = await started(t);
  for (const path of [
    ...'/accounts /accounts/IEAAAAAQ /accounts/IEAAAAAQ/folders /accounts/IEAAAAAQ/contacts'.split(' '),
    ...'/accounts/IEAAAAAQ/groups /accounts/IEAAAAAQ/invitations /accounts/IEAAAAAQ/workflows'.split(' '),
    ...'/accounts/IEAAAAAQ/customfields /accounts/IEAAAAAQ/tasks /accounts/IEAAAAAQ/comments'.split(' '),
    ...'/accounts/IEAAAAAQ/timelogs /accounts/IEAAAAAQ/timelog_categories'.split(' '),
    ...'/accounts/IEAAAAAQ/attachments'.split(' '),
  ]) {
    assert.deepEqual(await outcome(emulator, 'GET', path), [404, 'method_not_found'], path);
  }
  for (const path of [
    '/api/v3/tasks',
    '/api/v3/accounts',
    '/api/v5/tasks',
    '/api/tasks',
    '/oauth2/authorize',
  ]) {
    const response = await fetch(`${emulator.authUrl}${path}`, {
      headers: { Authorization: `Bearer ${emulator.token}` },
    });
    const { error } = (await response.json()) as { error: string };
    assert.deepEqual([response.status, error], [404, 'method_not_found'], path);
  }
});

test('the account-less paths of version 4 return their kinds', async (t) => {
  const emulator = await started(t);
  for (const [path, kind] of [
    ['/folders', 'folderTree'],
    ['/contacts', 'contacts'],
    ['/groups', 'groups'],
    ['/invitations', 'invitations'],
    ['/workflows', 'workflows'],
    ['/customfields', 'customfields'],
    ['/tasks', 'tasks'],
    ['/comments', 'comments'],
    ['/timelogs', 'timelogs'],
    ['/timelog_categories', 'timelogCategories'],
    ['/attachments', 'attachments'],
    ['/account', 'accounts'],
    ['/audit_log', 'auditLog'],
  ] as const) {
    const { status, body } = await call(emulator, 'GET', path);
    assert.deepEqual([status, body.kind, Array.isArray(body.data)], [200, kind, true], path);
  }
});

test('three data centres: a token works at its own, and is unknown at the others', async (t) => {
  const emulator = await started(t);
  assert.deepEqual(valuesOf(emulator.dataCentres, 'name'), ['US', 'US2', 'EU']);
  const europe = 'pmtE2yTq7XwLk5ZvRn9McHd3JfGs1PbUe6OoIi8NaRx4KtQwBvCgFhSlVzEu0Dj';
  const status = async (token: string) =>
    Promise.all(
      emulator.dataCentres.map(
        async ({ baseUrl }) =>
          (await fetch(`${baseUrl}/account`, { headers: { Authorization: `Bearer ${token}` } })).status,
      ),
    );
  assert.deepEqual(await status(emulator.token), [200, 401, 401]);
  assert.deepEqual(await status(europe), [401, 401, 200]);
});

test('a token acts on one account', async (t) => {
  const emulator = await started(t);
  const { body } = await call(emulator, 'GET', '/account');
  assert.deepEqual(valuesOf(body.data, 'id'), ['IEAAAAAQ']);
  for (const path of ['/tasks', '/webhooks', '/customfields']) {
    for (const record of await records(emulator, 'GET', path)) assert.equal(record.accountId, 'IEAAAAAQ');
  }
  for (const [method, path] of [
    ['GET', '/tasks/IEAAEUAQKQAB5BNG'],
    ['PUT', '/tasks/IEAAU2AQKQAB5BNG?title=x'],
  ] as const) {
    assert.deepEqual(await outcome(emulator, method, path), notFound, path);
  }
});

test('a permanent token never expires', async (t) => {
  const emulator = await started(t);
  emulator.clock.move(10 * 365 * 86_400_000);
  assert.equal((await call(emulator, 'GET', '/account')).status, 200);
});
