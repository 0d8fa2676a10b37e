// The client for programs, which a program in JavaScript may call with anything: what is no token and what is no host is a failure
// that says so, and nothing is sent.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '#failure.ts';
import { type ClientAccess, type ClientOptions, createClient } from '#library/client.ts';
import { jsonReply, startRawServer } from '#test/support/service/raw-server.ts';

const taskId = 'IEAAAAAQKQAB5BNG';
const rejected = jsonReply(401, { error: 'not_authorized', errorDescription: 'expired' });

/** What a program without types gives. */
function untyped(access: unknown): ClientAccess {
  return access as ClientAccess;
}

/** The failure of one call, and how many requests it sent. */
async function call(options: (host: string) => ClientOptions) {
  const server = await startRawServer(() => rejected);
  try {
    const client = createClient({ timeoutMs: 5000, ...options(server.host) });
    const failure = await client.send('getTasks', { taskIds: [taskId] }).then(
      () => assert.fail('it was sent'),
      (error: unknown) => error,
    );
    assert.ok(failure instanceof Failure, String(failure));
    return { failure, sent: server.requests.length };
  } finally {
    await server.close();
  }
}

const noTokens: readonly unknown[] = [
  '',
  undefined,
  null,
  5,
  'é',
  'a b',
  'a\r\nX: y',
  ['a'],
  { toString: () => 'a' },
];
for (const token of noTokens)
  test(`invalid token: ${JSON.stringify(token)}`, async () => {
    for (const give of [
      (access: ClientAccess) => access,
      (access: ClientAccess) => () => access,
      (access: ClientAccess) => async () => access,
    ]) {
      const { failure, sent } = await call((host) => ({ access: give(untyped({ token, host })) }));
      assert.deepEqual([failure.code, sent], ['usage', 0], failure.message);
      assert.match(failure.message, /^access\.token /);
    }
  });

const noHosts: readonly unknown[] = [
  undefined,
  null,
  5,
  ['api.example.com'],
  { toString: () => 'api.example.com' },
];
const wrong: readonly (readonly [what: string, access: unknown, message: RegExp])[] = [
  ...noHosts.map(
    (host) => [`host: ${JSON.stringify(host)}`, { token: 'a', host }, /^access\.host /] as const,
  ),
  ...[undefined, null, 'token'].map((access) => [`access: ${access}`, access, /^access /] as const),
  ['access: a function without a result', () => undefined, /^access /],
];
for (const [what, access, message] of wrong)
  test(`invalid ${what}`, async () => {
    const { failure } = await call(() => ({ access: untyped(access) }));
    assert.equal(failure.code, 'usage', failure.message);
    assert.match(failure.message, message);
  });

test('the result of refresh is validated like the first access; undefined means no new token', async () => {
  const withRefresh = (renewed: unknown) =>
    call((host) => ({
      access: { token: 'a', host },
      refresh: async () => renewed as ClientAccess | undefined,
    }));
  const bad = await withRefresh({ token: 'a\r\nX: y', host: 'api.example.com' });
  assert.deepEqual([bad.failure.code, bad.sent], ['usage', 1]);
  for (const nothing of [undefined, null]) {
    const none = await withRefresh(nothing);
    assert.deepEqual([none.failure.code, none.sent], ['sign_in_needed', 1]);
  }
});

type Untyped = (name: string, path: object, parameters: object) => Promise<unknown>;

test('an invalid call fails with the reason, and nothing is sent', async () => {
  const client = createClient({ access: { token: 'a', host: '127.0.0.1:1' } });
  // As a program without types calls it.
  const send = client.send as unknown as Untyped;
  const both = { taskId, taskID: taskId };
  const status =
    'status: "Done" is not one of Active, Deferred, Completed, Cancelled; did you mean Completed?';
  for (const [name, path, parameters, message, hint] of [
    ['updateTasks', { taskId }, {}, '"updateTasks" is not an operation', 'Did you mean updateTask?'],
    ['toString', {}, {}, '"toString" is not an operation', undefined],
    ['updateTask', {}, {}, 'updateTask needs taskId', 'Give { taskId } before the parameters.'],
    ['updateTask', both, {}, '"taskID" is not in the path of updateTask', 'Did you mean taskId?'],
    [
      'updateTask',
      { taskId },
      { titel: 'x' },
      '"titel" is not a parameter of updateTask',
      'Did you mean title?',
    ],
    ['updateTask', { taskId }, { status: 'Done' }, status, undefined],
  ] as const)
    await assert.rejects(send(name, path, parameters), { code: 'usage', message, hint });
});

test('a misspelt or wrong option fails at the start, and is named', () => {
  const access = { token: 'a', host: '127.0.0.1:1' };
  /** As JavaScript calls it. */
  const create = (options: unknown) => Reflect.apply(createClient, undefined, [options]);
  for (const [options, message] of [
    [{ access, timeout: 5 }, /^"timeout" is not an option of createClient: access, refresh, timeoutMs, /],
    [{ access, timeoutMs: '5' }, /^createClient: timeoutMs is not a number, 0 or more$/],
    [{ access, timeoutMs: Number.NaN }, /^createClient: timeoutMs is not a number, 0 or more$/],
    [{ access, refresh: access }, /^createClient: refresh is not a function$/],
    [{ access, trace: true }, /^createClient: trace is not a function$/],
    [{ access, userAgent: 5 }, /^createClient: userAgent is not a string$/],
    [undefined, /^The options of createClient are not an object$/],
  ] as const)
    assert.throws(
      () => create(options),
      (error) => error instanceof Failure && error.code === 'usage' && message.test(error.message),
      String(message),
    );
});

test('a misspelt or wrong option of pages fails, and nothing is sent', async () => {
  const client = createClient({ access: { token: 'a', host: '127.0.0.1:1' } });
  const readPages = (options: unknown) =>
    Reflect.apply(client.pages, client, ['listTasks', {}, {}, options]).next();
  for (const [options, message] of [
    [{ pagesize: 5 }, '"pagesize" is not an option of pages: pageSize, limit, timeoutMs'],
    [{ limit: '5' }, 'pages: limit is not a number, 0 or more'],
    [{ limit: -1 }, 'pages: limit is not a number, 0 or more'],
  ] as const)
    await assert.rejects(readPages(options), { code: 'usage', message });
});
