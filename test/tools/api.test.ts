// `wm api`: what it sends, byte for byte, what it never sends, and what it prints.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { collectStreams } from '#test/support/program/streams.ts';
import { jsonReply } from '#test/support/service/raw-server.ts';
import { answer, ask, canary, firstLine, taskId } from '#test/support/service/scripted-service.ts';
import type { Person } from '#test/support/sign-in/person.ts';
import { personForEach } from '#test/support/sign-in/stage.ts';
import { dangerousPaths } from './dangerous-paths.ts';

let person: Person;
personForEach((created) => {
  person = created;
});

const page = (ids: readonly string[], nextPageToken?: string) =>
  jsonReply(200, { kind: 'tasks', data: ids.map((id) => ({ id })), nextPageToken });
const done = page([taskId]);

for (const [typed, line, body] of [
  [['GET', '/tasks'], 'GET /api/v4/tasks', ''],
  [['GET', '/api/v4/tasks?a=1'], 'GET /api/v4/tasks?a=1', ''],
  [['GET', 'api/v4/tasks'], 'GET /api/v4/tasks', ''],
  [['get', 'tasks?fields=[%22a%22]'], 'GET /api/v4/tasks?fields=[%22a%22]', ''],
  [
    ['GET', '/tasks', '-f', 'title=a b&c=@x', '-F', 'n=1'],
    'GET /api/v4/tasks?title=a%20b%26c%3D%40x&n=1',
    '',
  ],
  [['GET', '/tasks?a=1', '--state', 'x y'], 'GET /api/v4/tasks?a=1&state=x%20y', ''],
  [['PUT', `/tasks/${taskId}`, '-f', 'title=x', '-y'], `PUT /api/v4/tasks/${taskId}?title=x`, ''],
  [['POST', '/folders/A/tasks', '-f', 'title=a b'], 'POST /api/v4/folders/A/tasks', 'title=a%20b'],
  [['DELETE', '/tasks/A', '-f', 'a=1', '-y'], 'DELETE /api/v4/tasks/A?a=1', ''],
  [
    ['PUT', `/tasks/${taskId}`, '--method-tunnel', '-f', 'a=1', '-y'],
    `GET /api/v4/tasks/${taskId}?method=PUT&a=1`,
    '',
  ],
  [['POST', '/x', '--input', '-', '-f', 'a=1'], 'POST /api/v4/x?a=1', '{"b":2}'],
] as const) {
  test(`wm api ${typed.join(' ')}`, async () => {
    const { status, requests, output, errors } = await ask(['api', ...typed], [done], { input: '{"b":2}' });
    assert.equal(status, 0, errors);
    assert.equal(requests.length, 1);
    assert.equal(firstLine(requests[0]), `${line} HTTP/1.1`);
    assert.equal((requests[0] ?? '').split('\r\n\r\n')[1] ?? '', body);
    assert.deepEqual(JSON.parse(output), { kind: 'tasks', data: [{ id: taskId }] });
  });
}

test('sends a value too long for a URL as a form; -F reads a file', async () => {
  const path = join(person.folder, 'text.txt');
  await writeFile(path, 'x'.repeat(8_000));
  const { requests } = await ask(['api', 'PUT', '/tasks/A', '-F', `description=@${path}`, '--yes'], [done]);
  assert.equal(firstLine(requests[0]), 'PUT /api/v4/tasks/A HTTP/1.1');
  assert.ok(requests[0]?.endsWith(`description=${'x'.repeat(8_000)}`));
});

test('rejects paths that could send the token elsewhere, in any spelling; nothing is sent', async () => {
  for (const typed of [
    ...dangerousPaths.map(([path]) => ['GET', path]),
    ['GET', '/api/v4//evil.example/tasks'],
    ['GET', '/api/v4/../x'],
    ['GET', '/api/v4/'],
    ['GET', '\\\\evil.example'],
    ['GET', ''],
    ['GET', '/tasks', '-f', 'access_token=x'],
    ['GET', '/tasks', '-f', 'Access_Token=x'],
    ['POST', '/tasks', '-F', 'access_token =x'],
    ['GET', '/tasks', '-f', 'a[access_token]=x'],
    ['GET', '/tasks', '-f', ' method=DELETE'],
    ['GET', '/tasks', '-f', 'method=DELETE'],
    ['PATCH', '/tasks'],
    ['GET', '/tasks', '-f', 'x'],
    ['GET', '/tasks', '-f', '=x'],
    ['GET', '/tasks', '--input', '-'],
    ['PUT', '/tasks', '--input', '-', '--method-tunnel'],
    ['POST', '/tasks', '--paginate'],
  ]) {
    const { status, requests, errors } = await ask(['api', ...typed, '--yes', '--json'], [done], {
      input: '{}',
    });
    assert.deepEqual([status, requests, JSON.parse(errors).error.code], [2, [], 'usage'], typed.join(' '));
  }
});

test('accepts ids with dots and colons in a path', async () => {
  const { requests } = await ask(['api', 'GET', '/tasks/A.b:c=..d,E'], [done]);
  assert.equal(firstLine(requests[0]), 'GET /api/v4/tasks/A.b:c=..d,E HTTP/1.1');
});

test('PUT and DELETE need confirmation, tunneled too; POST does not', async () => {
  for (const [typed, method] of [
    [['PUT', '/tasks/A'], 'PUT'],
    [['DELETE', '/tasks/A'], 'DELETE'],
    [['DELETE', '/tasks/A', '--method-tunnel'], 'DELETE'],
  ] as const) {
    const { status, requests, errors } = await ask(['api', ...typed], [done]);
    assert.deepEqual([status, requests], [2, []]);
    assert.ok(errors.includes(`Not confirmed: Send ${method} /tasks/A?`), errors);
  }
  assert.equal((await ask(['api', 'POST', '/tasks/A'], [done])).requests.length, 1);
});

test('a parameter that names the method: the hint has that method, and works as printed', async () => {
  for (const [typed, hint] of [
    [['/tasks/A?method=delete&a=1'], 'wm api DELETE /tasks/A --method-tunnel'],
    [['/tasks/A', '-f', 'Method=DELETE'], 'wm api DELETE /tasks/A --method-tunnel'],
    [['/tasks/A', '-f', 'method[]=x'], 'wm api PUT /tasks/A --method-tunnel'],
  ] as const) {
    const { status, errors } = await ask(['api', 'GET', ...typed], [done]);
    assert.equal(status, 2);
    assert.ok(errors.endsWith(`  Leave it out, and give the method directly: ${hint}\n`), errors);
    const followed = await ask([...hint.split(' ').slice(1), '--dry-run'], [done]);
    assert.equal(followed.status, 0, followed.errors);
  }
});

test('read-only mode allows reads and rejects changes', async () => {
  const environment = { WM_READ_ONLY: '1' };
  assert.equal((await ask(['api', 'GET', '/tasks'], [done], { environment })).status, 0);
  for (const typed of [['POST'], ['PUT'], ['DELETE'], ['PUT', '--method-tunnel']]) {
    const [method = '', ...more] = typed;
    const ran = await ask(['api', method, '/tasks', ...more, '--yes', '--json'], [done], { environment });
    assert.deepEqual([ran.status, ran.requests], [2, []]);
    assert.equal(JSON.parse(ran.errors).error.code, 'read_only');
  }
});

test('--paginate follows the tokens to the end; --json combines the pages into one array', async () => {
  const pages = [page(['a', 'b'], 't 1'), page([], 't2'), page(['c'])];
  const merged = await ask(['api', 'GET', '/tasks?x=1', '--paginate', '--json'], pages);
  assert.deepEqual(JSON.parse(merged.output), [{ id: 'a' }, { id: 'b' }, { id: 'c' }]);
  assert.deepEqual(
    merged.requests.map(firstLine),
    ['', '&nextPageToken=t%201', '&nextPageToken=t2'].map((more) => `GET /api/v4/tasks?x=1${more} HTTP/1.1`),
  );
  const piped = await ask(['api', 'GET', '/tasks', '--paginate'], pages);
  assert.equal(piped.output.trimEnd().split('\n').length, 2);
  const filtered = await ask(['api', 'GET', '/tasks', '--paginate', '--jq', 'map(.id) | join(",")'], pages);
  assert.equal(filtered.output, 'a,b,c\n');
  const none = await ask(['api', 'GET', '/tasks', '--paginate', '--json'], [page([])]);
  assert.deepEqual(JSON.parse(none.output), []);
  const endless = await ask(['api', 'GET', '/tasks', '--paginate'], [page(['a'], 't')]);
  assert.equal(endless.status, 1);
  assert.match(endless.errors, /The list has no end/);
  const gone = jsonReply(404, { error: 'resource_not_found', errorDescription: 'A fault of the test' });
  const ended = await ask(['api', 'GET', '/tasks', '--paginate', '--json'], [page(['a'], 't'), gone]);
  assert.deepEqual([ended.status, ended.output], [5, '[{"id":"a"}']);
  const counted = await ask(
    ['api', 'GET', '/tasks', '--paginate', '--jq', 'length'],
    [page(['a'], 't'), gone],
  );
  assert.deepEqual([counted.status, counted.output], [5, '']);
});

test('prints an error and exits with its status', async () => {
  const body = { error: 'resource_not_found', errorDescription: 'gone' };
  const { status, output, errors } = await ask(['api', 'GET', '/tasks/A'], [jsonReply(404, body)]);
  assert.equal(status, 5);
  assert.deepEqual(JSON.parse(output), body);
  assert.match(errors, /404 resource_not_found/);
});

test('retries by method: a GET and a tunneled read, but not a POST; a redirect is an error', async () => {
  const broken = [jsonReply(500, { error: 'server_error', errorDescription: 'A fault of the test' })];
  assert.equal((await ask(['api', 'GET', '/tasks'], broken)).requests.length, 3);
  const post = await ask(['api', 'POST', '/tasks'], broken);
  assert.deepEqual([post.status, post.requests.length], [9, 1]);
  const put = await ask(['api', 'PUT', '/tasks/A', '--yes'], broken);
  assert.deepEqual([put.status, put.requests.length], [9, 3]);
  // The first one may have changed the task, so that the second one does not tell.
  const unclear = await ask(
    ['api', 'PUT', '/tasks/A', '--yes'],
    [...broken, jsonReply(400, { error: 'x', errorDescription: 'A fault of the test' })],
  );
  assert.deepEqual([unclear.status, unclear.requests.length], [9, 2]);
  const long = await ask(['api', 'PUT', '/tasks/A', '-f', 'a=1', '--yes'], [answer(414, [])]);
  assert.deepEqual([long.status, long.requests.length], [9, 1], long.errors);
  const moved = await ask(['api', 'GET', '/tasks'], [answer(302, ['Location: https://evil.example/'])]);
  assert.deepEqual([moved.status, moved.requests.length], [1, 1]);
  assert.match(moved.errors, /a redirect, which wm never follows/);
});

test('--include prints the status and the headers without secrets', async () => {
  const reply = answer(
    200,
    ['Content-Type: application/json', 'Set-Cookie: s=abc', `X-Echo: ${canary}`],
    '{"a":1}',
  );
  const { output } = await ask(['api', 'GET', '/tasks', '--include'], [reply]);
  assert.match(output, /^HTTP 200\n/);
  assert.match(output, /set-cookie: \[redacted\]/);
  assert.match(output, /x-echo: \[redacted\]/);
  assert.ok(!output.includes(canary) && !output.includes('s=abc'));
  assert.ok(output.endsWith('\n\n{"a":1}\n'));
});

/** What a proxy, a firewall or a sign-in page sends with 200, by its name. */
const foreignPages = {
  html: answer(200, ['Content-Type: text/html'], '<title>Sign in</title>'),
  gzip: answer(200, ['Content-Type: application/json', 'Content-Encoding: gzip'], '\x1f\x8b'),
  'no content type': answer(200, [], '{"kind":"tasks","data":[]}'),
  empty: answer(200, []),
  'an empty 204': answer(204, []),
  'foreign JSON': jsonReply(200, { message: 'no Route matched' }),
  'no data': jsonReply(200, { kind: 'tasks' }),
  'an error with 200': jsonReply(200, { error: 'not_authorized', errorDescription: 'x' }),
};

for (const [name, foreign] of Object.entries(foreignPages))
  test(`a success that is not the service's, ${name}: an error, and no list`, async () => {
    const read = ['api', 'GET', '/tasks'];
    for (const argv of [
      read,
      [...read, '--json'],
      [...read, '--paginate'],
      [...read, '--paginate', '--json'],
    ]) {
      const ran = await ask(argv, [foreign]);
      assert.equal(ran.status, 1, ran.errors);
      assert.match(ran.errors, /not what the service promises/);
      if (argv.includes('--paginate')) assert.doesNotMatch(ran.output, /[^[\]\n]/);
    }
    const second = await ask([...read, '--paginate'], [page(['a'], 't'), foreign]);
    assert.deepEqual([second.status, second.output.trim().split('\n').length], [1, 1], second.errors);
    assert.match(second.errors, /not what the service promises/);
    for (const more of [[], ['--json'], ['--method-tunnel']]) {
      const change = await ask(['api', 'PUT', '/tasks/A', '-f', 'title=x', '--yes', ...more], [foreign]);
      assert.deepEqual([change.status, change.output, change.requests.length], [9, '', 1], change.errors);
      assert.doesNotMatch(change.errors, /without --json/);
      assert.match(change.errors, /The outcome of PUT \/tasks\/A is unknown/);
    }
  });

test('a deletion accepts any JSON without an error, or an empty body', async () => {
  for (const reply of [answer(204, []), jsonReply(200, {}), jsonReply(200, { kind: 'tasks', data: [] })])
    assert.equal((await ask(['api', 'DELETE', '/tasks/A', '--yes'], [reply])).status, 0);
  for (const reply of [foreignPages.html, foreignPages['an error with 200']])
    assert.equal((await ask(['api', 'DELETE', '/tasks/A', '--yes'], [reply])).status, 9);
});

test('writes a file to a pipe unchanged; with --json or on a terminal it is an error', async () => {
  const image = (headers: readonly string[]) => answer(200, headers, 'GIF89a');
  const path = '/attachments/IEAAAAAQIYAAAAAB/download/logo.gif';
  const piped = await ask(['api', 'GET', path], [image(['Content-Type: image/gif'])]);
  assert.deepEqual([piped.status, piped.output, piped.errors], [0, 'GIF89a', '']);
  const json = await ask(['api', 'GET', path, '--json'], [image(['Content-Type: image/gif'])]);
  assert.deepEqual([json.status, json.output], [1, '']);
  const { streams, texts } = collectStreams({ isTerminal: true });
  const shown = await ask(['api', 'GET', path], [image([])], { world: { streams } });
  assert.deepEqual([shown.status, texts.output], [1, '']);
  assert.match(texts.errors, /is not JSON, but 6 bytes \(of no type\)\n.*> FILE/);
});

test('--dry-run and --curl show the request without confirmation', async () => {
  const line = ['api', 'POST', '/x', '--input', '-'];
  const dry = await ask([...line, '--dry-run', '--json'], [done], { input: '{"b":2}' });
  const shown = JSON.parse(dry.output);
  assert.deepEqual([dry.requests, shown.method, shown.body], [[], 'POST', '{"b":2}']);
  assert.equal(shown.headers['content-type'], 'application/json');
  const curl = await ask([...line, '--curl'], [done], { input: '{"b":2}' });
  assert.match(curl.output, /-H 'Content-Type: application\/json'/);
  assert.deepEqual(curl.requests, []);
  const plain = await ask(['api', 'GET', '/tasks', '--dry-run'], [done]);
  assert.deepEqual([plain.requests, plain.errors], [[], 'Dry run: nothing was sent.\n']);
});

for (const [what, words, pairs] of [
  [
    'a secret',
    ['POST', '/webhooks', '-f', 'hookUrl=https://a.test/', '-f', 'secret=canary-secret'],
    ['secret=canary-secret'],
  ],
  ['a secret alone', ['POST', '/webhooks', '-F', 'secret=canary-secret'], ['secret=canary-secret']],
  [
    'a secret in the query',
    ['PUT', '/webhooks/A?secret=canary-secret', '-f', 'status=Active'],
    ['secret=canary-secret'],
  ],
  [
    'a password in a hookUrl',
    ['POST', '/webhooks', '-f', 'hookUrl=https://me:canary-secret@a.test/$x?b=c@d'],
    ['hookUrl=https://me:canary-secret@a.test/$x?b=c@d'],
  ],
] as const)
  test(`--dry-run and --curl show a variable instead of ${what}; curl sends the same as wm`, async () => {
    for (const flags of [['--dry-run'], ['--dry-run', '--json'], ['--curl']]) {
      const shown = await ask(['api', ...words, ...flags], [done]);
      assert.equal(shown.status, 0, shown.errors);
      assert.match(shown.output, /\$WM_(?:WEBHOOK_SECRET|HOOK_LOGIN)\b/);
      assert.doesNotMatch(shown.output + shown.errors, /canary-secret/);
      if (flags[0] !== '--curl' || process.platform === 'win32') continue;
      const script = `curl() { printf '%s\\n' "$@"; }\n${shown.output}`;
      const env = { WM_TOKEN: 'x', WM_WEBHOOK_SECRET: 'canary-secret', WM_HOOK_LOGIN: 'me:canary-secret' };
      const sent = spawnSync('/bin/sh', ['-c', script], { env, encoding: 'utf8' }).stdout.split('\n');
      for (const pair of pairs) assert.ok(sent.includes(pair), sent.join('\n'));
    }
  });

test('sends a binary body as is, and cannot show it', async () => {
  const path = join(person.folder, 'image.gif');
  await writeFile(path, Buffer.from('GIF89a\xff', 'latin1'));
  const sent = await ask(['api', 'POST', '/x', '--body', path], [done]);
  assert.match(sent.requests[0] ?? '', /content-type: application\/octet-stream[\s\S]*\r\n\r\nGIF89a\xff$/i);
  const dry = await ask(['api', 'POST', '/x', '--body', path, '--dry-run'], [done]);
  assert.deepEqual([dry.status, dry.requests, dry.output], [2, [], '']);
  assert.match(dry.errors, /--body is not text/);
});

test('records a change in the history, with its path and outcome', async () => {
  const environment = { WM_CONFIG_DIR: person.folder };
  await ask(['api', 'PUT', `/tasks/${taskId}`, '-f', 'title=secret-title', '--yes'], [done], { environment });
  await ask(
    ['api', 'DELETE', '/tasks/B', '--yes'],
    [jsonReply(403, { error: 'access_forbidden', errorDescription: 'A fault of the test' })],
    {
      environment,
    },
  );
  const { output } = await ask(['history', '--json'], [done], { environment });
  const entries: { operation: string; outcome: string }[] = JSON.parse(output);
  assert.deepEqual(
    entries.map(({ operation, outcome }) => [operation, outcome]),
    [
      [`PUT /tasks/${taskId}`, 'done'],
      ['DELETE /tasks/B', 'failed'],
    ],
  );
  assert.ok(!output.includes('secret-title'));
});
