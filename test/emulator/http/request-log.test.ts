// The log of requests: what a test finds in it, what it never holds, and where it ends.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { control } from '../control/control.ts';
import { call, started } from '../start.ts';

const form = { 'Content-Type': 'application/x-www-form-urlencoded' };

test('the log has each request with its operation, its status and the reason of a rejection', async (t) => {
  const emulator = await started(t);
  await call(emulator, 'GET', '/account');
  await call(emulator, 'PUT', '/tasks/IEAAAAAQKQAB5BNG?status=Bogus');
  await call(emulator, 'GET', '/nothing?x=1');
  await fetch(`${emulator.authUrl}/oauth2/token`, {
    method: 'POST',
    headers: form,
    body: 'grant_type=x&client_id=y',
  });
  await fetch(`${emulator.authUrl}/oauth2/authorize/v4?client_id=unknown`);
  const { requests, last, removed } = await control(emulator, 'GET', '/requests');
  assert.deepEqual(
    requests.map((one: Record<string, unknown>) => [
      one['number'],
      one['method'],
      one['operation'],
      one['status'],
      one['error'],
    ]),
    [
      [1, 'GET', 'getAccount', 200, undefined],
      [2, 'PUT', 'updateTask', 400, 'invalid_parameter'],
      [3, 'GET', 'none', 404, 'method_not_found'],
      [4, 'POST', 'token', 400, requests[3].error],
      [5, 'GET', 'authorize', 400, undefined],
    ],
  );
  assert.deepEqual([last, removed], [5, 0]);
  assert.equal(requests[0].date, '2026-03-02T12:00:00Z');
  assert.match(requests[1].reason, /'status'.*"Bogus"/);
  assert.deepEqual([requests[1].path, requests[1].query], ['/api/v4/tasks/IEAAAAAQKQAB5BNG', 'status=Bogus']);
  assert.equal(requests[3].body, 'grant_type=x&client_id=y');
  assert.equal(requests[4].reason, 'No application has this client_id.');
});

test('the log is filtered by number, by operation and by rejection; a misspelt name is an error', async (t) => {
  const emulator = await started(t);
  await call(emulator, 'GET', '/account');
  await call(emulator, 'PUT', '/tasks/IEAAAAAQKQAB5BNG?status=Bogus');
  await call(emulator, 'PUT', '/tasks/IEAAAAAQKQAB5BNG?status=Completed');
  const numbers = async (query: string) =>
    (await control(emulator, 'GET', `/requests?${query}`)).requests.map(
      (one: { number: number }) => one.number,
    );
  assert.deepEqual(await numbers('since=1'), [2, 3]);
  assert.deepEqual(await numbers('operation=updateTask,getAccount'), [1, 2, 3]);
  assert.deepEqual(await numbers('operation=updateTask&rejected=true'), [2]);
  for (const query of ['operation=updateTsk', 'since=x', 'sinse=1'])
    assert.equal((await fetch(`${emulator.controlUrl}/requests?${query}`)).status, 400, query);
  await control(emulator, 'DELETE', '/requests');
  await call(emulator, 'GET', '/account');
  assert.deepEqual(await numbers(''), [4], 'the numbers go on, so that who follows the log misses nothing');
  await control(emulator, 'POST', '/reset', {});
  assert.deepEqual(await numbers(''), []);
});

test('a fault and a stub are named as such, and a request without a response has no status', async (t) => {
  const emulator = await started(t);
  await control(emulator, 'POST', '/faults', { request: 'getAccount', silence: true });
  await control(emulator, 'POST', '/stubs', { request: 'GET /nothing', status: 202 });
  const gone = new AbortController();
  const silent = call(emulator, 'GET', '/account', { signal: gone.signal }).catch(() => 'aborted');
  assert.equal((await fetch(`${emulator.baseUrl}/nothing`)).status, 202);
  for (;;) {
    const { requests } = await control(emulator, 'GET', '/requests');
    if (requests.length < 2) continue;
    const shown = requests.map((one: Record<string, unknown>) => [
      one['operation'],
      one['status'],
      one['injected'],
    ]);
    assert.deepEqual(shown.toSorted(), [
      ['getAccount', undefined, 'fault'],
      ['stub', 202, 'stub'],
    ]);
    break;
  }
  gone.abort();
  assert.equal(await silent, 'aborted');
});

const canary = 'zqCANARYzq';
const names = ['access_token', 'client_secret', 'code', 'code_verifier', 'refresh_token', 'secret', 'token'];

test('no secret is in the log, wherever a request carries it', async (t) => {
  const emulator = await started(t);
  const encoded = (name: string) =>
    [...name].map((one) => `%${one.charCodeAt(0).toString(16).padStart(2, '0')}`).join('');
  const escaped = (name: string) =>
    [...name].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
  const forms = fc.constantFrom(...names).chain((name) =>
    fc.constantFrom(name, name.toUpperCase()).chain((spelt) =>
      fc.record({
        padding: fc.integer({ min: 3_900, max: 4_010 }),
        place: fc.constantFrom('query', 'form', 'json', 'broken', 'basic', 'header'),
        name: fc.constantFrom(spelt, encoded(name)),
        jsonName: fc.constantFrom(spelt, escaped(name)),
        isLong: fc.boolean(),
      }),
    ),
  );
  await fc.assert(
    fc.asyncProperty(forms, async ({ padding, place, name, jsonName, isLong }) => {
      await control(emulator, 'DELETE', '/requests');
      const filler = isLong ? 'x'.repeat(padding) : 'x';
      const url = `${emulator.authUrl}/oauth2/token`;
      const json = `{"a":"${filler}","${jsonName}" : "${canary}\\"${canary}"`;
      const init = { method: 'POST', headers: form };
      if (place === 'query') await fetch(`${url}?a=${filler}&${name}=${canary}`, init);
      if (place === 'form') await fetch(url, { ...init, body: `a=${filler}&${name}=${canary}` });
      if (place === 'json' || place === 'broken')
        await fetch(`${emulator.baseUrl}/webhooks`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${emulator.token}`, 'Content-Type': 'application/json' },
          body: place === 'json' ? `${json}}` : json,
        });
      if (place === 'basic')
        await fetch(url, { ...init, headers: { ...form, Authorization: `Basic ${canary}` } });
      if (place === 'header')
        await fetch(url, { ...init, headers: { ...form, 'X-Hook-Secret': canary, Authorization: canary } });
      const log = await control(emulator, 'GET', '/requests');
      assert.equal(log.requests.length, 1);
      const text = JSON.stringify(log);
      assert.ok(!text.includes('zqCAN'), `${place}: ${text.slice(-300)}`);
      assert.ok(!text.includes(emulator.token));
    }),
    { numRuns: 150 },
  );
});

test('each entry has the headers of its own request, however alike they are', async (t) => {
  const emulator = await started(t);
  const sent = [{ 'X-One': '1' }, { 'X-One': '1' }, { 'X-One': '2' }, {}, { 'X-Two': '2' }, { 'X-One': '2' }];
  for (const headers of sent) await call(emulator, 'GET', '/account', { headers });
  const { requests } = await control(emulator, 'GET', '/requests');
  assert.deepEqual(
    requests.map(({ headers }: { headers: Record<string, string> }) => [headers['x-one'], headers['x-two']]),
    sent.map((headers) => [headers['X-One'], headers['X-Two']]),
  );
});

test('the log has a limit, and says how much is missing', async (t) => {
  const emulator = await started(t);
  for (let sent = 0; sent < 2_010; sent += 30)
    await Promise.all(
      Array.from({ length: 30 }, () => fetch(`${emulator.baseUrl}/account`).then((one) => one.text())),
    );
  const { requests, last, removed } = await control(emulator, 'GET', '/requests');
  assert.equal(last, 2_010);
  assert.deepEqual(
    requests.map(({ number }: { number: number }) => number),
    Array.from({ length: 1_000 }, (_, at) => 1_011 + at),
  );
  assert.equal(removed, 1_010);
  const latest = await control(emulator, 'GET', '/requests?since=2005');
  assert.deepEqual([latest.requests.length, latest.removed], [5, 0]);
  await control(emulator, 'DELETE', '/requests');
  await call(emulator, 'GET', '/account');
  const after = await control(emulator, 'GET', '/requests');
  assert.deepEqual([after.requests.length, after.requests[0].number, after.removed], [1, 2_011, 0]);
});
