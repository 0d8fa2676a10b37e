// What a request is on the wire: text comes back exactly, what cannot be sent is refused before anything is sent, and
// a long query moves into a form body at one exact length, after which the response is compared with what was sent.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { buildRequest, limitQuery, percentEncode } from '#client/request.ts';
import type { Operation } from '#contract/operation.ts';
import { operations } from '#contract/operations.ts';
import { anyCharacter } from '#test/support/any-character.ts';
import { jsonReply } from '#test/support/service/raw-server.ts';
import { ask, firstLine, hook, hookId, hooks, taskId } from '#test/support/service/scripted-service.ts';

const { createWebhook, getTasks, getWebhooks, listContacts, updateTask } = operations;
const anyText = fc.string({ unit: anyCharacter, maxLength: 300 });

/** Percent-decoding by hand: each %XX is a byte, each other character stands for itself, and the bytes are UTF-8. */
function decode(encoded: string): string {
  const bytes: number[] = [];
  for (let index = 0; index < encoded.length; index++) {
    const percent = encoded[index] === '%';
    bytes.push(
      percent ? Number.parseInt(encoded.slice(index + 1, index + 3), 16) : encoded.charCodeAt(index),
    );
    if (percent) index += 2;
  }
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(new Uint8Array(bytes));
}

/** The name and the value of each pair of a query or a form, in turn. */
function pairsOf(text: string): string[][] {
  return text.split('&').map((pair) => pair.split('=').map(decode));
}

test('any text round-trips, encoded in unreserved characters and %XX only', () => {
  const property = fc.property(anyText, (text) => {
    const encoded = percentEncode(text);
    assert.match(encoded, /^(?:[A-Za-z0-9\-_.~]|%[0-9A-F]{2})*$/);
    assert.equal(decode(encoded), text);
  });
  fc.assert(property, { numRuns: 2000 });
});

test('parameter names need no encoding', () => {
  for (const { parameters } of Object.values(operations))
    for (const name of Object.keys(parameters)) assert.match(name, /^[A-Za-z_]+$/);
});

test('the encoding, by hand', () => {
  assert.equal(percentEncode(" !'()*+&=/?#%~"), '%20%21%27%28%29%2A%2B%26%3D%2F%3F%23%25~');
  assert.equal(percentEncode('é日🎉'), '%C3%A9%E6%97%A5%F0%9F%8E%89');
  assert.equal(percentEncode('\u0000\r\n\u007f'), '%00%0D%0A%7F');
  assert.equal(percentEncode('\ufeffx'), '%EF%BB%BFx');
});

test('any description round-trips in the query or the form body, next to other parameters', () => {
  const property = fc.property(fc.string({ unit: anyCharacter, maxLength: 4000 }), (description) => {
    const { target, body } = limitQuery(
      buildRequest(updateTask, { taskId }, { status: 'Active', description }),
    );
    const query = target.split('?')[1] ?? '';
    const pairs = [query, String(body ?? '')].filter((text) => text !== '').flatMap(pairsOf);
    assert.deepEqual(pairs.toSorted(), [
      ['description', description],
      ['status', 'Active'],
    ]);
    assert.ok(target.length <= 16_000 + `/tasks/${taskId}?`.length, `${target.length}`);
    assert.ok(body === undefined || query === '', 'all in one of them');
  });
  fc.assert(property, { numRuns: 500 });
});

test('a JSON parameter is serialised once and encoded once', () => {
  const property = fc.property(fc.array(anyText, { maxLength: 5 }), (values) => {
    const customFields = values
      .filter((value) => !value.includes('\0') && !value.startsWith('\u0011'))
      .map((value) => ({ id: 'IEAAAAAQJUAAAAAB', value: JSON.stringify([value]) }));
    const { target, body } = buildRequest(updateTask, { taskId }, { customFields });
    const [[name, wire = ''] = []] = pairsOf(String(body ?? target.split('?')[1] ?? ''));
    assert.equal(name, 'customFields');
    assert.deepEqual(JSON.parse(wire), customFields);
  });
  fc.assert(property);
});

test('a lone surrogate is invalid, wherever it is', () => {
  const half = fc.constantFrom('\ud800', '\udbff', '\udc00', '\udfff');
  const property = fc.property(anyText, half, anyText, (before, lone, after) => {
    const text = before + lone + after;
    fc.pre(!text.isWellFormed());
    assert.throws(() => percentEncode(text), /half of a surrogate pair/);
    assert.throws(
      () => buildRequest(updateTask, { taskId }, { description: text }),
      /half of a surrogate pair/,
    );
  });
  fc.assert(property);
});

for (const id of ['.', '..']) {
  test(`the id ${id} is invalid, alone and in a list`, async () => {
    assert.throws(() => buildRequest(updateTask, { taskId: id }, {}), /cannot be part of a URL path/);
    assert.throws(
      () => buildRequest(getTasks, { taskIds: ['IEAAA', id] }, {}),
      /cannot be part of a URL path/,
    );
    const asked = await ask(['task', 'get', id], []);
    assert.equal(asked.status, 2, asked.errors);
    assert.match(asked.errors, /^wm: "\.\.?" cannot be part of a URL path\n/);
    assert.deepEqual(asked.requests, []);
  });
}

test('ids like ... and a..b are valid', async () => {
  assert.equal(buildRequest(updateTask, { taskId: '...' }, {}).target, '/tasks/...');
  assert.equal(buildRequest(getTasks, { taskIds: ['a..b', 'x:=_-'] }, {}).target, '/tasks/a..b,x%3A%3D_-');
});

test('sends a hundred ids in one request, and one more in a second', async () => {
  const hundred = Array.from({ length: 100 }, (_, index) => `IEAAAAAQJ${String(index).padStart(3, '0')}`);
  const records = [...hundred, hookId].map((id) => ({ ...hook, id }));
  const asked = await ask(['webhook', 'get', ...hundred, hookId], (request) =>
    jsonReply(200, hooks(...records.filter(({ id }) => firstLine(request).includes(id)))),
  );
  assert.equal(asked.status, 0, asked.errors);
  assert.deepEqual(asked.requests.map(firstLine), [
    `GET /api/v4/webhooks/${hundred.join(',')} HTTP/1.1`,
    `GET /api/v4/webhooks/${hookId} HTTP/1.1`,
  ]);
  assert.throws(
    () => buildRequest(getWebhooks, { webhookIds: [...hundred, hookId] }, {}),
    /101 ids exceed the limit of 100/,
  );
  assert.throws(() => buildRequest(getWebhooks, { webhookIds: [] }, {}), /contains no id/);
});

// 16,000 bytes of query are the most; `description=` takes 12 of them.
const shownTask = jsonReply(200, { kind: 'tasks', data: [{ id: taskId }] });
for (const { length, limit, inBody } of [
  { length: 15_988, limit: [], inBody: false },
  { length: 15_989, limit: [], inBody: true },
  { length: 88, limit: ['--query-limit', '100'], inBody: false },
  { length: 89, limit: ['--query-limit', '100'], inBody: true },
]) {
  test(`a description of ${length} bytes goes into the ${inBody ? 'body' : 'query'} ${limit.join(' ')}`, async () => {
    const text = 'd'.repeat(length);
    const argv = ['task', 'update', taskId, '--description', text, ...limit];
    const asked = await ask(argv, [shownTask]);
    assert.equal(asked.status, 0, asked.errors);
    const [head = '', body] = asked.requests[0]?.split('\r\n\r\n') ?? [];
    const form = /^Content-Type: application\/x-www-form-urlencoded$/im;
    const dryRun = await ask([...argv, '--dry-run'], []);
    assert.ok(dryRun.output.includes(inBody ? `\n\ndescription=${text}\n` : `?description=${text}\n`));
    if (inBody) {
      assert.equal(firstLine(head), `PUT /api/v4/tasks/${taskId} HTTP/1.1`);
      assert.equal(body, `description=${text}`);
      assert.match(head, form);
      assert.match(head, new RegExp(`^Content-Length: ${12 + length}$`, 'im'));
    } else {
      assert.equal(firstLine(head), `PUT /api/v4/tasks/${taskId}?description=${text} HTTP/1.1`);
      assert.equal(body, '');
      assert.doesNotMatch(head, form);
    }
  });
}

test('moves all values of a query that is too long, in order: the service accepts all or none', () => {
  const long = 'd'.repeat(16_000);
  const update = { title: 'x', description: long, follow: true };
  const { target, body } = limitQuery(buildRequest(updateTask, { taskId }, update));
  assert.equal(body, `title=x&description=${long}&follow=true`);
  assert.equal(target, `/tasks/${taskId}`);
});

for (const status of [414, 431]) {
  test(`after a ${status}, sends the query as a form, once`, async () => {
    const asked = await ask(
      ['task', 'update', taskId, '--title', 'a b'],
      [jsonReply(status, {}), jsonReply(200, { kind: 'tasks', data: [{ id: taskId, title: 'a b' }] })],
    );
    assert.equal(asked.status, 0, asked.errors);
    assert.deepEqual(asked.requests.map(firstLine), [
      `PUT /api/v4/tasks/${taskId}?title=a%20b HTTP/1.1`,
      `PUT /api/v4/tasks/${taskId} HTTP/1.1`,
    ]);
    assert.equal(asked.requests[1]?.split('\r\n\r\n')[1], 'title=a%20b');
    const rejected = await ask(['task', 'update', taskId, '--title', 'x'], [jsonReply(status, {})]);
    assert.deepEqual([rejected.status, rejected.requests.length], [9, 2], rejected.errors);
    const get = await ask(['webhook', 'get', hookId], [jsonReply(status, {})]);
    assert.deepEqual([get.status, get.requests.length], [1, 1], get.errors);
  });
}

const [ada, ben] = ['KUAAADAQ', 'KUAABENQ'];
const shown = {
  title: 'Old',
  status: 'Active',
  importance: 'Normal',
  dates: { type: 'Planned', start: '2026-03-02T09:00:00', due: '2026-03-03T17:00:00', duration: 960 },
  responsibleIds: [ada],
  parentIds: ['IEAAAAAQI7777777'],
};
for (const [flags, names] of [
  [['--title', ' Old '], undefined],
  [['--title', 'New'], 'title'],
  [['--status', 'Completed', '--importance', 'High'], 'status, importance'],
  [['--start', '2026-03-02', '--due', '2026-03-03'], undefined],
  [['--start', '2026-03-02', '--due', '2026-03-04'], 'dates'],
  [['--add-responsibles', `${ada},${ben}`], undefined],
  [['--add-responsibles', ben], 'addResponsibles'],
  [['--remove-responsibles', ben], undefined],
  [['--remove-responsibles', ada], 'removeResponsibles'],
  [['--add-parents', 'IEAAAAAQI7777778'], 'addParents'],
  [['--add-followers', ben], undefined],
  [['--description', 'x', '--follow'], undefined],
] as const) {
  test(`after a form, compares the response with ${flags.join(' ')}`, async () => {
    const reply = jsonReply(200, { kind: 'tasks', data: [{ id: taskId, ...shown }] });
    const asked = await ask(['task', 'update', taskId, ...flags, '--query-limit', '0'], [reply]);
    assert.equal(asked.status, names === undefined ? 0 : 9, asked.errors);
    if (names !== undefined)
      assert.match(
        asked.errors,
        new RegExp(`it does not show ${names} as sent\\. The service may ignore forms`),
      );
    const query = await ask(['task', 'update', taskId, ...flags], [reply]);
    assert.equal(query.status, 0, query.errors);
  });
}

test('the parameters of a GET never move to a body, which the service would not read', async () => {
  const ids = Array.from({ length: 100 }, (_, index) => `IEAAA${'A'.repeat(70)}${index}`);
  const asked = await ask(
    ['task', 'get', ...ids, '--fields', 'effortAllocation'],
    [jsonReply(200, { kind: 'tasks', data: ids.map((id) => ({ id })) })],
  );
  assert.equal(asked.status, 0, asked.errors);
  const [head = '', body] = asked.requests[0]?.split('\r\n\r\n') ?? [];
  assert.equal(firstLine(head).slice(-47), '?fields=%5B%22effortAllocation%22%5D HTTP/1.1'.padStart(47, '9'));
  assert.equal(body, '');
  const long = limitQuery(buildRequest(listContacts, {}, { name: 'n'.repeat(18_000) }));
  assert.equal(long.target, `/contacts?name=${'n'.repeat(18_000)}`);
  assert.equal(long.body, undefined);
});

test('a missing required parameter is invalid', () => {
  assert.throws(() => buildRequest(createWebhook, {}, {}), /hookUrl is required/);
});

test('does not send a parameter without a value, or one that the operation does not have', () => {
  const contacts: Operation = listContacts;
  assert.equal(buildRequest(contacts, {}, { name: undefined }).target, '/contacts');
  assert.equal(buildRequest(contacts, {}, { nope: 'x' }).target, '/contacts');
  assert.equal(buildRequest(contacts, {}, { nope: 'x', name: 'y' }).target, '/contacts?name=y');
});

test('a path needs all its ids, and only one where it takes no list', () => {
  assert.throws(() => buildRequest(updateTask, {}, {}), { message: '/tasks/{taskId} needs taskId' });
  assert.throws(() => buildRequest(updateTask, { taskId: ['IEAAA', 'IEAAB'] }, {}), {
    message: '2 ids exceed the limit of 1',
  });
  assert.equal(buildRequest(updateTask, { taskId: ['IEAAA'] }, {}).target, '/tasks/IEAAA');
});
