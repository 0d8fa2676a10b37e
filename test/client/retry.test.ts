// When a request is sent again, and what is said when it does not help: a read has failed (7), a change that may have
// arrived has an unknown outcome (9), a change that never left has failed (7).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decideRetry } from '#client/request-failure.ts';
import { createTestClock } from '#test/support/clock.ts';
import { freePort } from '#test/support/service/free-port.ts';
import { jsonReply, startRawServer } from '#test/support/service/raw-server.ts';
import {
  answer,
  ask,
  askAt,
  firstLine,
  hook,
  hooks,
  lines,
  taskId,
} from '#test/support/service/scripted-service.ts';
import { createHttp } from '#world/http.ts';
import type { HttpFault } from '#world/world.ts';

const down = jsonReply(500, { error: 'server_error', errorDescription: 'Try later' });
const missing = jsonReply(404, { error: 'resource_not_found', errorDescription: 'No such webhook' });
const task = jsonReply(200, { kind: 'tasks', data: [{ id: taskId }] });
const good = { GET: jsonReply(200, hooks(hook)), PUT: task, DELETE: jsonReply(200, hooks()) };
const bad = {
  '500': down,
  '503': answer(503, []),
  '408': answer(408, []),
  'a lost answer': 'cut',
  'half a head': 'HTTP/1.1 200 OK\r\nConte',
} as const;

for (const method of ['GET', 'PUT', 'DELETE'] as const) {
  const exit = method === 'GET' ? 7 : 9;
  for (const [name, reply] of Object.entries(bad)) {
    test(`${method}, ${name}: three attempts at the same request, then ${exit}`, async () => {
      const asked = await ask(lines[method], [reply]);
      assert.equal(asked.status, exit, asked.errors);
      assert.equal(asked.requests.length, 3);
      assert.equal(new Set(asked.requests).size, 1);
      assert.equal(firstLine(asked.requests[0]).split(' ')[0], method);
      // Of a change nobody knows; and of a read it goes without saying.
      assert.doesNotMatch(asked.errors, /[Nn]othing was changed/);
    });

    test(`${method}, ${name} twice: the third attempt gives the response`, async () => {
      const asked = await ask(lines[method], [reply, reply, good[method]]);
      assert.equal(asked.status, 0, asked.errors);
      assert.equal(asked.requests.length, 3);
      const [first = -1, second = -1] = asked.clock.waits;
      assert.ok(first >= 0 && first <= 500 && second >= 0 && second <= 1000, `${first}, ${second}`);
    });
  }
}

test('DELETE: 404 on the first attempt means nothing was deleted, after a lost response it means success', async () => {
  const first = await ask(lines.DELETE, [missing]);
  assert.equal(first.status, 0, first.errors);
  assert.match(first.errors, /no longer exists\. Nothing was deleted\./);
  for (const reply of ['cut', down]) {
    const later = await ask([...lines.DELETE, '--json'], [reply, missing]);
    assert.equal(later.status, 0, later.errors);
    assert.deepEqual(JSON.parse(later.output), { id: hook.id, hookUrl: hook.hookUrl, deleted: true });
  }
  // The response may be a proxy's, so it counts only once the webhook is seen to be gone.
  let deletions = 0;
  const server = await startRawServer((request) => {
    if (request.startsWith('DELETE')) return ++deletions === 1 ? 'cut' : missing;
    return deletions === 0 ? good.GET : down;
  });
  const unread = await askAt(server, lines.DELETE).finally(() => server.close());
  assert.equal(unread.status, 9, unread.errors);
  assert.match(unread.errors, /could not read back whether it took effect/);
  const limited = await ask(lines.DELETE, [
    jsonReply(429, { error: 'too_many_requests', errorDescription: 'A fault of the test' }),
    missing,
  ]);
  assert.match(limited.errors, /no longer exists\. Nothing was deleted\./);
});

test('DELETE: responses that count as success', async () => {
  for (const reply of [
    answer(204, []),
    answer(200, []),
    jsonReply(200, hooks()),
    jsonReply(200, hooks(hook)),
    jsonReply(200, {}),
    jsonReply(202, { kind: 'ids', data: ['IEAAAAAQJAAAAAAB'] }),
  ]) {
    const asked = await ask(lines.DELETE, [reply]);
    assert.equal(asked.status, 0, asked.errors);
    assert.equal(asked.requests.length, 1);
  }
});

test('a change with an unreadable successful response has an unknown outcome, and is not retried', async () => {
  const portal = answer(200, ['Content-Type: text/html'], '<title>Guest network</title>');
  for (const method of ['PUT', 'DELETE'] as const) {
    const asked = await ask(lines[method], [portal]);
    assert.equal(asked.status, 9, asked.errors);
    assert.match(asked.errors, /text\/html/);
    assert.equal(asked.requests.length, 1);
  }
});

test('a change that was lost once and then rejected has an unknown outcome', async () => {
  const refusal = jsonReply(400, {
    error: 'invalid_request',
    errorDescription: 'It is not in the recycle bin',
  });
  const denied = jsonReply(401, { error: 'not_authorized', errorDescription: 'A fault of the test' });
  for (const reply of [
    refusal,
    denied,
    jsonReply(403, { error: 'not_allowed', errorDescription: 'A fault of the test' }),
    missing,
  ]) {
    const asked = await ask(['task', 'update', taskId, '--restore'], ['cut', reply]);
    assert.equal(asked.status, 9, asked.errors);
    assert.equal(asked.requests.length, 2);
  }
  const certain = await ask(['task', 'update', taskId, '--restore'], [refusal]);
  assert.equal(certain.status, 2, certain.errors);
});

test('connection refused: three attempts, and a change that was never sent changed nothing', async () => {
  const closedHost = { host: `127.0.0.1:${await freePort()}` };
  for (const line of Object.values(lines)) {
    const asked = await askAt(closedHost, line);
    assert.equal(asked.status, 7, asked.errors);
    assert.match(asked.errors, /^wm: Connection refused\n/m);
    assert.equal(/The request changed nothing\./.test(asked.errors), line !== lines.GET, asked.errors);
    // What is looked at beforehand is tried as often.
    assert.equal(asked.clock.waits.length, line === lines.POST || line === lines.DELETE ? 4 : 2);
  }
});

test('a timeout: 7 for a read, 9 for a change, and no time for another attempt', async () => {
  for (const [method, exit] of [
    ['GET', 7],
    ['PUT', 9],
    ['DELETE', 9],
  ] as const) {
    const { silence, world } = createSilence();
    const asked = await ask([...lines[method], '--timeout', '1'], silence, { world });
    assert.equal(asked.status, exit, asked.errors);
    assert.match(asked.errors, /no complete response within \d+ ms/);
    assert.equal(asked.requests.length, 1);
    assert.doesNotMatch(asked.errors, /[Nn]othing was changed/);
  }
});

test('a timeout of a POST: looked for in the list, never retried', async () => {
  const { silence, world } = createSilence();
  const asked = await ask(
    [...lines.POST, '--timeout', '1'],
    (request) => (request.startsWith('POST') ? silence() : jsonReply(200, hooks())),
    { world },
  );
  assert.equal(asked.status, 9, asked.errors);
  assert.deepEqual(asked.requests.map(firstLine), [
    'POST /api/v4/webhooks HTTP/1.1',
    'GET /api/v4/webhooks HTTP/1.1',
  ]);
});

/** Silence of a service, in which a second passes at once. */
function createSilence() {
  const clock = createTestClock();
  const silence = () => {
    setImmediate(() => clock.advance(1000));
    return 'silence' as const;
  };
  const commandClock = { ...clock, after: () => () => {}, sleep: async () => {} };
  return { silence, world: { clock: commandClock, http: createHttp({}, clock) } };
}

for (const [name, reply] of Object.entries({
  ...bad,
  'a web page': answer(200, ['Content-Type: text/html'], '<p>'),
})) {
  test(`POST, ${name}: never retried`, async () => {
    const asked = await ask(lines.POST, (request) =>
      request.startsWith('POST') ? reply : jsonReply(200, hooks()),
    );
    assert.equal(asked.status, 9, asked.errors);
    assert.equal(asked.requests.filter((request) => request.startsWith('POST')).length, 1);
    assert.match(asked.errors, /wm webhook list/);
  });
}

test('does not retry a permanent fault or one that we caused', () => {
  const attempt = { method: 'GET', attempt: 1, remainingMs: 60_000, now: 0, random: 0.5 } as const;
  const isRetried = (fault: HttpFault['fault']) =>
    decideRetry({ ...attempt, outcome: { fault, sent: false, detail: '' } }).again;
  for (const fault of ['tls', 'address-not-allowed', 'too-large', 'aborted'] as const)
    assert.equal(isRetried(fault), false, fault);
  for (const fault of [
    'connection-refused',
    'unreachable',
    'proxy',
    'timeout',
    'reset',
    'malformed',
  ] as const)
    assert.equal(isRetried(fault), true, fault);
});
