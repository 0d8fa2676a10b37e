// The request that each control command makes (`wm emulator emit`, `wm emulator stub`, `wm emulator token` and so on), as --dry-run
// and --curl show it, and the answers of what is no emulator.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { run } from '#test/support/program/program.ts';
import { listening } from '#test/support/service/listening.ts';
import { jsonReply, startRawServer } from '#test/support/service/raw-server.ts';
import type { World } from '#world/world.ts';

const url = 'http://127.0.0.1:4010';
const taskId = 'IEAAAAAQKQAB5BNG';
const user = 'KUAABENQ';

const requests: readonly (readonly [args: string, request: string, body?: object])[] = [
  ['clock', 'GET /clock'],
  ['clock --freeze', 'POST /clock', { freeze: true }],
  ['deliveries', 'GET /deliveries'],
  ['deliveries --settled --webhook a/b', 'GET /deliveries?settled=true&webhookId=a%2Fb'],
  ['emit TaskCreated --payload {"taskId":"X"}', 'POST /events', { taskId: 'X', eventType: 'TaskCreated' }],
  [
    'emit CommentAdded --duplicate --out-of-order',
    'POST /events',
    { eventType: 'CommentAdded', variants: ['duplicate', 'out-of-order'] },
  ],
  [
    'emit CommentAdded --single-object',
    'POST /events',
    { eventType: 'CommentAdded', variants: ['single-object'] },
  ],
  ['fault', 'GET /faults'],
  ['fault --clear', 'DELETE /faults'],
  ['fault any --status 503 --times 2', 'POST /faults', { request: 'any', status: 503, times: 2 }],
  ['fault any --delay 1h30m', 'POST /faults', { request: 'any', delayMs: 5_400_000 }],
  ['fault any --json-body {"a":1} --count 2', 'POST /faults', { request: 'any', times: 2, json: { a: 1 } }],
  ['stub', 'GET /stubs'],
  ['stub --clear', 'DELETE /stubs'],
  ['stub get /a/{id} --status 201', 'POST /stubs', { request: 'GET /a/{id}', status: 201 }],
  [
    'stub get /a --body text --content-type text/plain',
    'POST /stubs',
    { request: 'GET /a', body: 'text', contentType: 'text/plain' },
  ],
  [
    'stub get /a --retry-after 5 --delay 250ms',
    'POST /stubs',
    { request: 'GET /a', retryAfter: 5, delayMs: 250 },
  ],
  ['requests', 'GET /requests'],
  ['requests --clear', 'DELETE /requests'],
  ['requests --rejected --since 5 --operation token', 'GET /requests?since=5&operation=token&rejected=true'],
  ['mails', 'GET /mails'],
  ['snapshot', 'GET /seed'],
  ['make-tasks', 'POST /tasks', { count: 1 }],
  [`mass-action ${taskId} --parameters {}`, 'POST /mass-actions', { taskIds: [taskId], parameters: {} }],
  ['reset', 'POST /reset', {}],
  [`revoke Password-Reset --user ${user}`, 'POST /revocations', { cause: 'password-reset', userId: user }],
  [
    'revoke password-policy-changed --account IEAAAAAQ',
    'POST /revocations',
    { cause: 'password-policy-changed', accountId: 'IEAAAAAQ' },
  ],
  ['token', 'GET /tokens'],
  [`token ${user} --application A1`, 'POST /tokens', { userId: user, applicationId: 'A1' }],
  ['user', 'GET /users'],
  [`user ${user}`, 'GET /users'],
  [`user ${user} --allow-all`, `POST /users/${user}`, { denied: [] }],
  ['user a/b --licence Lowest', 'POST /users/a%2Fb', { licence: 'lowest' }],
  ['user a/b --remove', 'DELETE /users/a%2Fb'],
];

for (const [args, request, body] of requests) {
  const [method, path] = request.split(' ');
  test(`${args}: --dry-run and --curl show the request without sending it`, async () => {
    const shown = async (...how: readonly string[]) => {
      const ran = await run(['emulator', ...args.split(' '), '--url', `${url}/`, ...how]);
      assert.deepEqual([ran.status, ran.errors], [0, '']);
      return ran.output;
    };
    const text = JSON.stringify(body);
    const data = body === undefined ? '' : ` -d '${text}'`;
    assert.equal(
      await shown('--dry-run'),
      `${method} ${url}/_emulator${path}\n${body === undefined ? '' : `\n${text}\n`}`,
    );
    assert.deepEqual(JSON.parse(await shown('--dry-run', '--json')), {
      method,
      url: `${url}/_emulator${path}`,
      body: body ?? null,
    });
    assert.equal(
      await shown('--curl'),
      `curl -sS${method === 'DELETE' ? ' -X DELETE' : ''} '${url}/_emulator${path}'${data}\n`,
    );
  });
}

test('--curl does not show a token: the error says what to do instead', async () => {
  const args = ['emulator', 'revoke', 'user-revokes', '--token-stdin', '--url', url, '--curl'];
  const { status, output, errors } = await run(args, { input: 'canary' });
  assert.equal(errors, 'wm: --curl cannot show a token\n  To see the request without the token: --dry-run\n');
  assert.deepEqual([status, output], [2, '']);
});

for (const address of ['4010', 'http://emulator.example.com:4010', 'http://127.0.0.2:4010']) {
  test(`${address} is not the address of an emulator`, async () => {
    const { status, errors } = await run(['emulator', 'reset', '--url', address]);
    assert.equal(
      errors,
      `wm: ${address} is not the address of an emulator\n  The address has the form http://127.0.0.1:PORT.\n`,
    );
    assert.equal(status, 2);
  });
}

for (const [address, start] of [
  ['http://127.0.0.1:1', 'wm emulator start --port 1'],
  ['https://localhost:1', 'wm emulator start --port 1 --tls'],
  ['http://[::1]', 'wm emulator start'],
] as const) {
  test(`connection refused at ${address}: says how to start an emulator there`, async () => {
    const refused = { fault: 'connection-refused', sent: false, detail: 'connect ECONNREFUSED' } as const;
    const { status, errors } = await run(['emulator', 'reset', '--url', address], {
      world: { http: { send: async () => refused } },
    });
    assert.equal(
      errors,
      `wm: No emulator responds at ${address}/_emulator/reset\n  connect ECONNREFUSED\n  To start one: ${start}\n`,
    );
    assert.equal(status, 7);
  });
}

test('commands that wait for deliveries to dead receivers have an hour, unless --timeout is shorter', async () => {
  const limits: number[] = [];
  const slow = { fault: 'timeout', sent: true, detail: 'no response' } as const;
  const send: World['http']['send'] = async (_, { timeoutMs }) => {
    limits.push(timeoutMs ?? 0);
    return slow;
  };
  const wm = (args: string) =>
    run(['emulator', ...args.split(' '), '--url', 'http://127.0.0.1:1'], { world: { http: { send } } });
  const { status, errors } = await wm('clock --advance 1h');
  assert.deepEqual(
    [status, errors],
    [
      7,
      'wm: The emulator at http://127.0.0.1:1/_emulator/clock did not respond within 3600 s\n  no response\n  It may still be at work. To wait longer: --timeout SECONDS.\n',
    ],
  );
  await wm('deliveries --settled');
  await wm('clock --advance 1h --timeout 5');
  await wm('clock');
  assert.deepEqual(limits, [3_600_000, 3_600_000, 5_000, 30_000]);
});

for (const [args, body, why] of [
  ['mails', '{"data":[]}', 'its response has no mails'],
  ['mails', '{"mails":{}}', 'its response has no mails'],
  ['fault', 'null', 'its response has no faults'],
  ['user --json', '[]', 'its response has no users'],
  ['reset', '<html>', undefined],
  ['reset', '{}', 'its response has no reset'],
  ['reset --json', '{"data":[]}', 'its response has no reset'],
  ['revoke password-reset', '{"kind":"tasks"}', 'its response has no revoked'],
  ['revoke password-reset', '{"revoked":null}', 'its response has no revoked'],
  [`mass-action ${taskId} --parameters {}`, '[]', 'its response has no tasks'],
  [`user ${user} --remove`, '{"removed":true}', 'its response has no tokens'],
] as const) {
  test(`${args}: a server that responds with ${body} is not an emulator`, async (t) => {
    const server = await startRawServer(() => jsonReply(200, body));
    t.after(() => server.close());
    const words = args.split(' ');
    const ran = await run(['emulator', ...words, '--url', `http://${server.host}`]);
    assert.deepEqual([ran.status, ran.output], [1, '']);
    const message = 'The server at that address is not an emulator';
    const hint = `Give --url or set WM_EMULATOR_URL. \`wm emulator start\` prints the address; \`wm emulator exec\` sets the variable.`;
    if (words.includes('--json')) assert.equal(JSON.parse(ran.errors).error.message, `${message}: ${why}`);
    else assert.equal(ran.errors, `wm: ${message}\n${why === undefined ? '' : `  ${why}\n`}  ${hint}\n`);
  });
}

test('https to an emulator that serves http: does not blame a certificate', async (t) => {
  const server = createServer((_, response) => response.end());
  t.after(() => server.close());
  const url = `https://127.0.0.1:${await listening(server)}`;
  const { status, errors } = await run(['emulator', 'mails', '--url', url]);
  assert.equal(status, 7, errors);
  assert.match(
    errors,
    /^wm: Cannot establish a trusted connection to https.*\n {2}the server does not speak TLS at this port\n/,
  );
  assert.doesNotMatch(errors, /certificate|--ca/);
});

test('reports an unexplained failure of the emulator by its status code', async (t) => {
  const server = await startRawServer((_, count) => jsonReply(502, count === 1 ? '{}' : '"down"'));
  t.after(() => server.close());
  for (const _ of ['an object', 'a text']) {
    const { status, errors } = await run(['emulator', 'clock', '--url', `http://${server.host}`]);
    assert.deepEqual([status, errors], [1, 'wm: The emulator responded with 502\n']);
  }
});

for (const [duration, milliseconds] of [
  ['0', 0],
  ['1.5', 1_500],
  ['1.0004', 1_000],
  ['90s', 90_000],
  ['250ms', 250],
  ['1m30s', 90_000],
  ['2d12h', 216_000_000],
  ['1h1ms', 3_600_001],
] as const) {
  test(`a delay of ${duration} is ${milliseconds} ms`, async () => {
    const args = ['emulator', 'fault', 'any', '--delay', duration, '--url', url, '--dry-run', '--json'];
    assert.equal(JSON.parse((await run(args)).output).body.delayMs, milliseconds);
  });
}

for (const duration of ['', 's', '1.', '1.2.3', '1.2.3s', '1h30', '-1s', '1 s', '1H', '1s x', '1ss']) {
  test(`a delay of ${JSON.stringify(duration)} is an error`, async () => {
    const args = ['emulator', 'fault', 'any', `--delay=${duration}`, '--url', url];
    const { status, errors } = await run(args);
    assert.equal(
      errors,
      `wm: --delay: ${JSON.stringify(duration)} is not a duration, such as 90s, 5m or 1h30m\n`,
    );
    assert.equal(status, 2);
  });
}
