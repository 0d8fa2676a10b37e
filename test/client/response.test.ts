// Answers that are not the service's: each is a failure that says so, none is believed. And answers of a newer service,
// which are: what it has added is kept in JSON, and breaks no table.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { listening } from '#test/support/service/listening.ts';
import { jsonReply, startRawServer } from '#test/support/service/raw-server.ts';
import {
  answer,
  ask,
  askAt,
  hook,
  hookId,
  hooks,
  lines,
  taskId,
} from '#test/support/service/scripted-service.ts';
import type { Streams } from '#world/world.ts';

const json = 'Content-Type: application/json';
const html = '<!doctype html><title>Sign in to the guest network</title>';

const foreign = [
  ['a web page', answer(200, ['Content-Type: text/html'], html), /expected JSON, got text\/html/],
  [
    'JSON that calls itself text',
    answer(200, ['Content-Type: text/plain'], '{"kind":"webhooks","data":[]}'),
    /text\/plain/,
  ],
  ['no content type', answer(200, [], '{"kind":"webhooks","data":[]}'), /expected JSON, got no content type/],
  ['application/jsonp', answer(200, ['Content-Type: application/jsonp'], '{}'), /application\/jsonp/],
  ['no body', answer(200, [json]), /the body is not a JSON object/],
  [
    'half of a JSON text',
    answer(200, [json], '{"kind":"webhooks","data":['),
    /the body is not a JSON object/,
  ],
  ['a JSON list', answer(200, [json], '[]'), /the body is not a JSON object/],
  ['JSON null', answer(200, [json], 'null'), /the body is not a JSON object/],
  [
    'another kind',
    jsonReply(200, { kind: 'tasks', data: [{ id: taskId }] }),
    /expected kind webhooks, got "tasks"/,
  ],
  ['no kind', jsonReply(200, { data: [hook] }), /the body has no kind/],
  ['no data', jsonReply(200, { kind: 'webhooks' }), /data is not a list of records/],
  [
    'data that is an object',
    jsonReply(200, { kind: 'webhooks', data: hook }),
    /data is not a list of records/,
  ],
  ['data of texts', jsonReply(200, { kind: 'webhooks', data: [hookId] }), /data is not a list of records/],
  [
    'a record without an id',
    jsonReply(200, hooks({ ...hook, id: undefined })),
    /has no id, which Webhook requires/,
  ],
  ['an id that is a number', jsonReply(200, hooks({ ...hook, id: 12 })), /id: 12 is not text/],
  ['204 for a read', answer(204, []), /expected JSON/],
] as const;

for (const [name, reply, says] of foreign) {
  test(`bad response: ${name}`, async () => {
    const asked = await ask(lines.GET, [reply]);
    assert.equal(asked.status, 1, asked.errors);
    assert.equal(asked.output, '');
    assert.match(asked.errors, /^wm: The response is not what the service promises\n/);
    assert.match(asked.errors, says);
    assert.equal(asked.requests.length, 1, 'asking again would bring the same');
  });
}

test('bad response: bytes that are not UTF-8', async () => {
  const body = Buffer.from(JSON.stringify(hooks({ ...hook, reason: '?' })));
  body[body.lastIndexOf('?')] = 0xff;
  const server = createServer((_, response) =>
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(body),
  );
  const port = await listening(server);
  const asked = await askAt({ host: `127.0.0.1:${port}` }, lines.GET);
  server.close();
  assert.equal(asked.status, 1, asked.errors);
  assert.match(asked.errors, /the body is not a JSON object in UTF-8/);
});

test('gives up on a response larger than 32 MB before reading it', async () => {
  const asked = await ask(lines.GET, [answer(200, [json], 'x', 33_554_433)]);
  assert.equal(asked.status, 7, asked.errors);
  assert.match(asked.errors, /^wm: The response is too large\n {2}it is larger than 32 MB\n/);
  assert.equal(asked.requests.length, 1);
});

test('a response that is cut off is retried, then a network failure', async () => {
  const cut = answer(200, [json], '{"kind":"webhooks"', 500);
  const asked = await ask(lines.GET, [cut]);
  assert.equal(asked.status, 7, asked.errors);
  assert.equal(asked.requests.length, 3);
  const cured = await ask(lines.GET, [cut, jsonReply(200, hooks(hook))]);
  assert.equal(cured.status, 0, cured.errors);
});

test('additions of a newer service stay in JSON unchanged', async () => {
  const record = {
    ...hook,
    status: 'Paused',
    reason: { code: 7, list: [null, 'é\u001b'] },
    recursive: 'deep',
    accountId: null,
  };
  const asked = await ask([...lines.GET, '--json'], [jsonReply(200, { ...hooks(record), page: 1 })]);
  assert.equal(asked.status, 0, asked.errors);
  assert.deepEqual(JSON.parse(asked.output), record);
  const list = await ask(['webhook', 'list', '--json'], [jsonReply(200, hooks(record, hook))]);
  assert.deepEqual(JSON.parse(list.output), [record, hook]);
});

test('other content types that are JSON', async () => {
  for (const type of ['application/json; charset=UTF-8', 'APPLICATION/JSON', 'application/vnd.api+json']) {
    const asked = await ask(lines.GET, [answer(200, [`Content-Type: ${type}`], JSON.stringify(hooks(hook)))]);
    assert.equal(asked.status, 0, asked.errors);
  }
});

test('an unknown status is shown unchanged, and wrong types leave empty cells, in a pipe and on a terminal', async () => {
  const reply = jsonReply(
    200,
    hooks({ ...hook, status: 'Paused', hookUrl: 12, events: { all: true } }, hook),
  );
  const piped = await ask(['webhook', 'list'], [reply]);
  assert.equal(piped.status, 0, piped.errors);
  const cells = piped.output.split('\n').map((line) => line.split('\t'));
  assert.deepEqual(
    cells.map(([id, status, , url]) => [id, status, url]),
    [
      [hookId, 'Paused', ''],
      [hookId, 'Active', 'https://example.com/hook'],
      ['', undefined, undefined],
    ],
  );
  const terminal = await askOnTerminal(['webhook', 'list'], reply);
  assert.equal(terminal.status, 0);
  assert.match(terminal.text, /^Paused .* IEAAAAAQJAAAAAAB$/m);
  assert.match(terminal.text, /^Active .* IEAAAAAQJAAAAAAB$/m);
});

test('shows unknown values of a task: status, importance, type of dates, mode of effort', async () => {
  const task = {
    id: taskId,
    title: 'x',
    status: 'OnHold',
    importance: 'Critical',
    scope: 'ArTask',
    dates: { type: 'Recurring', start: '2026-12-01T09:00:00' },
    billingType: 'Prepaid',
    effortAllocation: { mode: 'Shared', totalEffort: 60 },
  };
  const reply = (request: string) =>
    jsonReply(
      200,
      request.includes('/tasks') ? { kind: 'tasks', data: [task] } : { kind: 'workflows', data: [] },
    );
  const cellsOf = async (argv: readonly string[]) => {
    const ran = await ask(argv, reply);
    assert.equal(ran.status, 0, ran.errors);
    return ran.output.trimEnd().split('\t');
  };
  assert.deepEqual((await cellsOf(['task', 'list'])).slice(0, 5), [
    taskId,
    'OnHold',
    'x',
    'Critical',
    '2026-12-01T09:00:00',
  ]);
  const fields = ['--fields', 'billingType,effortAllocation'];
  assert.deepEqual((await cellsOf(['task', 'get', taskId, ...fields])).filter(Boolean), [
    taskId,
    'OnHold',
    'x',
    'Critical',
    'Recurring, 2026-12-01T09:00:00',
    'Prepaid',
    '{"mode":"Shared","totalEffort":60}',
  ]);
  const terminal = await askOnTerminal(['task', 'get', taskId], reply(`/tasks/${taskId}`));
  for (const line of ['status: +OnHold', 'importance: +Critical', 'dates: +Recurring, .*', 'scope: +ArTask'])
    assert.match(terminal.text, new RegExp(`^${line}$`, 'm'));
});

test('control characters and reversed text in a record do not reach the terminal', async () => {
  const title = 'a\u001b[2J\u009b31mb\u202ec\u0007\r\nd';
  const reply = jsonReply(200, { kind: 'tasks', data: [{ id: taskId, title }] });
  const terminal = await askOnTerminal(['task', 'get', taskId], reply);
  assert.equal(terminal.status, 0);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
  assert.doesNotMatch(terminal.text, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  assert.ok(terminal.text.includes('a\ufffd[2J\ufffd31mb\ufffdc\ufffd d'), JSON.stringify(terminal.text));
});

/** Standard output and errors as one terminal, without colour. */
async function askOnTerminal(
  typed: readonly string[],
  reply: string,
): Promise<{ status: number; text: string }> {
  let text = '';
  const output = {
    isTerminal: true,
    columns: 100,
    raw: new PassThrough(),
    write: async (more: string) => {
      text += more;
    },
  };
  const input = {
    isTerminal: false,
    readAll: async () => new Uint8Array(),
    raw: new PassThrough(),
  };
  const streams: Streams = { input, output, errors: output };
  const { status } = await ask([...typed, '--no-color', '--quiet'], [reply], { world: { streams } });
  return { status, text };
}

test('a deletion whose response contains an error is not a success: the webhook is read again', async () => {
  const error = { error: 'access_forbidden', errorDescription: 'You may not' };
  const methods: string[] = [];
  const server = await startRawServer((request) => {
    methods.push(request.split(' ', 1)[0] ?? '');
    return request.startsWith('DELETE') ? jsonReply(200, error) : jsonReply(200, hooks(hook));
  });
  const asked = await askAt(server, lines.DELETE);
  await server.close();
  assert.equal(asked.output, '');
  assert.equal(asked.status, 9, asked.errors);
  assert.match(
    asked.errors,
    /still exists, and the deletion may yet take effect\n.*not what the service promises/,
  );
  // The webhook and what else delivers to its URL, then the deletion, then whether it is gone.
  assert.deepEqual(methods, ['GET', 'GET', 'DELETE', 'GET']);
});

test('a change whose response has no record has an unknown outcome', async () => {
  const asked = await ask(lines.PUT, [jsonReply(200, { kind: 'tasks', data: [] })]);
  assert.equal(asked.status, 9, asked.errors);
  assert.match(asked.errors, /expected the record \w+, got 0 records/);
  assert.equal(asked.requests.length, 1);
});

test('a list with another page is incomplete; an empty page token ends it, and one that is not a string is an error', async () => {
  const incomplete =
    'Cannot check whether a webhook already delivers to this URL: The list of webhooks is not complete: the service returned it in pages, which its contract does not document\n';
  for (const [nextPageToken, says] of [
    ['p2', incomplete],
    ['', ''],
    [null, ''],
    [
      2,
      'Cannot check whether a webhook already delivers to this URL: The response is not what the service promises: nextPageToken is not a text\n',
    ],
  ] as const) {
    const server = await startRawServer((request) =>
      jsonReply(200, request.startsWith('GET') ? { ...hooks(), nextPageToken } : hooks(hook)),
    );
    const asked = await askAt(server, lines.POST);
    await server.close();
    assert.equal(asked.status, 0, asked.errors);
    assert.equal(asked.errors, `${says}No secret: deliveries will not be signed.\nAccount IEAAAAAQ\n`);
  }
});
