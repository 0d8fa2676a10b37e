// The log of requests: what a test finds in it, what it never holds, and where it ends.

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { findIgnored } from '#emulator/http/check-requests.ts';
import { run } from '#test/support/program/program.ts';
import { control } from '#test/support/service/control.ts';
import { invalid, rowsOf, valuesOf } from '#test/support/service/records.ts';
import { send } from '#test/support/service/send.ts';
import { call, started } from '#test/support/service/start-emulator.ts';
import { testSecretsInLog } from './echoed-secret.ts';

const form = { 'Content-Type': 'application/x-www-form-urlencoded' };

test('the log has each request with its operation, its status and the reason for a rejection', async (t) => {
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
  await call(emulator, 'GET', '/nothing?%zz=1&code=ab');
  const { requests, last, removed } = await control(emulator, 'GET', '/requests');
  assert.deepEqual(rowsOf(requests, 'number', 'method', 'operation', 'status', 'error'), [
    [1, 'GET', 'getAccount', 200, undefined],
    [2, 'PUT', 'updateTask', 400, 'invalid_parameter'],
    [3, 'GET', 'none', 404, 'method_not_found'],
    [4, 'POST', 'token', 400, requests[3].error],
    [5, 'GET', 'authorize', 400, undefined],
    [6, 'GET', 'none', 400, 'invalid_request'],
  ]);
  assert.deepEqual([last, removed], [6, 0]);
  assert.equal(requests[0].date, '2026-03-02T12:00:00Z');
  assert.match(requests[1].reason, /'status'.*"Bogus"/);
  assert.equal(requests[5].query, '%zz=1&code=[redacted]');
  assert.deepEqual([requests[1].path, requests[1].query], ['/api/v4/tasks/IEAAAAAQKQAB5BNG', 'status=Bogus']);
  assert.equal(requests[3].body, 'grant_type=x&client_id=y');
  assert.equal(requests[4].reason, 'No application has this client_id.');
});

test('filters the log by number, operation and rejection; a misspelt name is an error', async (t) => {
  const emulator = await started(t);
  await call(emulator, 'GET', '/account');
  await call(emulator, 'PUT', '/tasks/IEAAAAAQKQAB5BNG?status=Bogus');
  await call(emulator, 'PUT', '/tasks/IEAAAAAQKQAB5BNG?status=Completed');
  const numbers = async (query: string) =>
    valuesOf((await control(emulator, 'GET', `/requests?${query}`)).requests, 'number');
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

test('the log marks faults and stubs; a request without a response has no status', async (t) => {
  const emulator = await started(t);
  await control(emulator, 'POST', '/faults', { request: 'getAccount', silence: true });
  await control(emulator, 'POST', '/stubs', { request: 'GET /nothing', status: 202 });
  const gone = new AbortController();
  const silent = call(emulator, 'GET', '/account', { signal: gone.signal }).catch(() => 'aborted');
  assert.equal((await fetch(`${emulator.baseUrl}/nothing`)).status, 202);
  for (;;) {
    const { requests } = await control(emulator, 'GET', '/requests');
    if (requests.length < 2) continue;
    const shown = rowsOf(requests, 'operation', 'status', 'injected');
    assert.deepEqual(shown.toSorted(), [
      ['getAccount', undefined, 'fault'],
      ['stub', 202, 'stub'],
    ]);
    break;
  }
  gone.abort();
  assert.equal(await silent, 'aborted');
});

const task = '/tasks/IEAAAAAQKQAB5BNG';
const comment = { body: new URLSearchParams({ text: 'x', colour: 'red', 'a b': '1' }) };

test('the log has ignored parameters and the assumptions used, and can be filtered by both', async (t) => {
  const emulator = await started(t);
  const asked = async (query = '') =>
    (await control(emulator, 'GET', `/requests?ignored=true${query}`)).requests;
  await call(emulator, 'PUT', `${task}?title=y`);
  assert.deepEqual(await asked(), [], 'nothing but the contract decided');
  await call(emulator, 'POST', `${task}/comments`, comment);
  await call(emulator, 'PUT', `${task}?title=x&state=1`);
  await call(emulator, 'PUT', `${task}?priorityBefore=IEAAAAAQKQAB5MIL&priorityAfter=IEAAAAAQKQAB5MIL`);
  await send(`${emulator.baseUrl}${task}?access_token=${emulator.token}`, {
    method: 'GET',
    body: 'fields=x',
  });
  await fetch(
    `${emulator.authUrl}/oauth2/authorize/v4?client_id=${emulator.clientId}&response_type=code&nonce=1&redirect_uri=http%3A%2F%2F127.0.0.1%2F`,
  );
  const [commented, echoed, rejected, read, signIn, ...more] = await asked();
  assert.deepEqual(more, []);
  assert.deepEqual(commented.ignored, ['colour', 'a b']);
  assert.ok(commented.assumed.includes('unknown-parameter'));
  assert.deepEqual([echoed.ignored, echoed.assumed], [undefined, ['state-echo']]);
  assert.deepEqual([rejected.status, rejected.assumed], [400, ['priority-contradiction']]);
  assert.deepEqual([read.status, read.ignored], [200, ['(body)']]);
  assert.deepEqual([signIn.operation, signIn.ignored], ['authorize', ['nonce']]);
  assert.deepEqual(await asked(`&since=${read.number}`), [signIn]);
  assert.deepEqual(await asked('&rejected=true'), [rejected]);
});

test('an unknown member of an object is an error, so it is never ignored', async (t) => {
  const emulator = await started(t);
  for (const [name, value] of [
    ['dates', { due: '2026-03-04', colour: 1 }],
    ['customFields', [{ id: 'IEAAAAAQJUAB5TXT', value: 'x', colour: 1 }]],
    ['effortAllocation', { mode: 'None', colour: 1 }],
    ['metadata', [{ key: 'a', value: 'b', colour: 1 }]],
  ] as const) {
    const { status, body } = await call(
      emulator,
      'PUT',
      `${task}?${name}=${encodeURIComponent(JSON.stringify(value))}`,
    );
    assert.deepEqual([status, body.error], invalid, name);
    assert.match(body.errorDescription, /"colour" is not a member of/);
  }
});

test('an ignored parameter in a batch is logged at once', async (t) => {
  const emulator = await started(t);
  const operations = JSON.stringify([
    { method: 'POST', path: '/folders/IEAAAAAQI4AB5FLD/tasks', parameters: { title: 'x', colour: 'red' } },
    {
      method: 'POST',
      path: '/folders/IEAAAAAQI4AB5FLD/folders',
      parameters: { title: 'x', importance: 'High' },
    },
  ]);
  const { headers } = await call(emulator, 'POST', '/batch', { form: { operations } });
  const names = ['operations[0].parameters.colour', 'operations[1].parameters.importance'];
  assert.equal(headers.get('emulator-ignored-parameters'), names.map(encodeURIComponent).join(', '));
  const { requests } = await control(emulator, 'GET', '/requests?ignored=true');
  assert.deepEqual(requests[0].ignored, names);
});

test('a request that the emulator does not have counts as ignored, unless a stub responds', async (t) => {
  const emulator = await started(t);
  await control(emulator, 'POST', '/stubs', { request: 'GET /approvals/1' });
  await fetch(`${emulator.authUrl}/nothing`);
  for (const path of ['/approvals', '/approvals/1', '/account', '/tasks/IEAAAAAQKQNOSUCH'])
    await call(emulator, 'GET', path);
  const { requests } = await control(emulator, 'GET', '/requests?ignored=true');
  assert.deepEqual(valuesOf(requests, 'path'), ['/nothing', '/api/v4/approvals']);
  const counted = [
    'GET /nothing: not emulated',
    'GET /api/v4/approvals: not emulated; assumed: other-endpoints',
  ];
  assert.deepEqual(findIgnored(requests), counted);
});

test('the first request of a kind that ignored something stays in the log, however many follow', async (t) => {
  const emulator = await started(t);
  for (let i = 0; i < 2; i++) await call(emulator, 'POST', `${task}/comments`, comment);
  // Not all at once: a busy machine would reset connections.
  for (let i = 0; i < 1_100; i++) await call(emulator, 'GET', '/account?access_token=x');
  const { requests } = await control(emulator, 'GET', '/requests?ignored=true');
  const first = requests.filter(({ ignored }: { ignored?: unknown }) => ignored !== undefined);
  assert.deepEqual(valuesOf(first, 'number'), [1]);
  await control(emulator, 'DELETE', '/requests');
  assert.deepEqual((await control(emulator, 'GET', '/requests?ignored=true')).requests, []);
});

testSecretsInLog(30);

test('each entry has the headers of its own request, however similar they are', async (t) => {
  const emulator = await started(t);
  const sent = [{ 'X-One': '1' }, { 'X-One': '1' }, { 'X-One': '2' }, {}, { 'X-Two': '2' }, { 'X-One': '2' }];
  for (const headers of sent) await call(emulator, 'GET', '/account', { headers });
  const { requests } = await control(emulator, 'GET', '/requests');
  assert.deepEqual(
    requests.map(({ headers }: { headers: Record<string, string> }) => [headers['x-one'], headers['x-two']]),
    rowsOf(sent, 'X-One', 'X-Two'),
  );
});

test('the log has a limit, and says how many entries are missing', async (t) => {
  const emulator = await started(t);
  // On one connection, without waiting for the responses.
  const request = `GET /api/v4/account HTTP/1.1\r\nHost: ${emulator.host}\r\n`;
  const socket = connect(Number(emulator.host.split(':')[1]), '127.0.0.1');
  socket.end(`${`${request}\r\n`.repeat(1_109)}${request}Connection: close\r\n\r\n`);
  const responses = await text(socket);
  assert.equal(responses.match(/HTTP\/1\.1 401 /g)?.length, 1_110);
  const { requests, last, removed } = await control(emulator, 'GET', '/requests');
  assert.equal(last, 1_110);
  assert.deepEqual(
    valuesOf(requests, 'number'),
    Array.from({ length: 1_000 }, (_, at) => 111 + at),
  );
  assert.equal(removed, 110);
  const url = emulator.authUrl;
  const counted = await run(['emulator', 'requests', '--expect', 'any=1110', '--url', url]);
  assert.equal(
    counted.errors,
    `wm: The requests cannot be counted: 110 are no longer in the log
  Count fewer: clear the log before the test (wm emulator requests --clear --url ${url}), or give --since.\n`,
  );
  assert.equal(counted.status, 1);
  const latest = await control(emulator, 'GET', '/requests?since=1105');
  assert.deepEqual([latest.requests.length, latest.removed], [5, 0]);
  await control(emulator, 'DELETE', '/requests');
  await call(emulator, 'GET', '/account');
  const after = await control(emulator, 'GET', '/requests');
  assert.deepEqual([after.requests.length, after.requests[0].number, after.removed], [1, 1_111, 0]);
});
