// A refused token: renewed once, the request sent once more, and then the truth. Through a session of its own, because
// what renewing takes is told by the test.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Access, createSession, type SentChanges } from '#client/session.ts';
import { operations } from '#contract/operations.ts';
import { Failure } from '#failure.ts';
import { createTestClock } from '#test/support/clock.ts';
import { jsonReply, type RawServer, type Reply, startRawServer } from '#test/support/service/raw-server.ts';
import {
  answer,
  ask,
  firstLine,
  hook,
  hookId,
  hooks,
  lines,
  taskId,
} from '#test/support/service/scripted-service.ts';
import { createHttp } from '#world/http.ts';

const rejection = jsonReply(401, {
  error: 'not_authorized',
  errorDescription: 'Access token is unknown or invalid',
});
const good = jsonReply(200, hooks(hook));
const tokenOf = (request: string) => /^authorization: Bearer (\S+)$/im.exec(request)?.[1];

async function withSession<T>(
  reply: Reply,
  refresh: (
    rejected: Access,
    server: RawServer,
    clock: ReturnType<typeof createTestClock>,
  ) => Access | undefined,
  use: (session: ReturnType<typeof createSession>, server: RawServer) => Promise<T>,
): Promise<T> {
  const server = await startRawServer(reply);
  const clock = createTestClock((wait) => clock.advance(wait));
  const access = { token: 'first', baseUrl: `http://${server.host}/api/v4` };
  const credentials = {
    access: async () => access,
    refresh: async (stale: Access) => refresh(stale, server, clock),
  };
  const options = { timeoutMs: 5000, userAgent: 'test' };
  try {
    return await use(
      createSession({ http: createHttp({}), clock, random: () => 0.5 }, credentials, options),
      server,
    );
  } finally {
    await server.close();
  }
}

const send = (session: ReturnType<typeof createSession>) =>
  session.send(operations.getWebhooks, { webhookIds: hookId }, {});
const isFailure = (exit: number) => (error: unknown) => error instanceof Failure && error.exitStatus === exit;

test('refreshes once and retries once, with the new token at the new address', async () => {
  const otherServer = await startRawServer(() => good);
  const asked: Access[] = [];
  const renew = (stale: Access) => {
    asked.push(stale);
    return { token: 'second', baseUrl: `http://${otherServer.host}/api/v4` };
  };
  await withSession(
    () => rejection,
    renew,
    async (session, server) => {
      const { raw } = await send(session);
      assert.deepEqual(raw, [hook]);
      assert.deepEqual(server.requests.map(tokenOf), ['first']);
      assert.deepEqual(otherServer.requests.map(tokenOf), ['second']);
      assert.deepEqual(
        asked.map(({ token }) => token),
        ['first'],
      );
    },
  );
  await otherServer.close();
});

test('rejected again: exit 4 after two requests and one refresh', async () => {
  let renewals = 0;
  const renew = (_: Access, server: RawServer) => {
    renewals += 1;
    return { token: 'second', baseUrl: `http://${server.host}/api/v4` };
  };
  await withSession(
    () => rejection,
    renew,
    async (session, server) => {
      await assert.rejects(send(session), isFailure(4));
      assert.deepEqual(server.requests.map(tokenOf), ['first', 'second']);
      assert.equal(renewals, 1);
    },
  );
});

test('the refresh does not use up one of the three attempts', async () => {
  const replies = [rejection, 'cut', 'cut', good];
  await withSession(
    (_, count) => replies[count - 1] ?? 'cut',
    (_, server) => ({ token: 'second', baseUrl: `http://${server.host}/api/v4` }),
    async (session, server) => {
      assert.deepEqual((await send(session)).raw, [hook]);
      assert.equal(server.requests.length, 4);
    },
  );
});

test('a minute of waiting for the refresh does not count towards the time limit', async () => {
  await withSession(
    (request) => (tokenOf(request) === 'first' ? rejection : good),
    (_, server, clock) => {
      clock.advance(60_000);
      return { token: 'second', baseUrl: `http://${server.host}/api/v4` };
    },
    async (session) => assert.deepEqual((await send(session)).raw, [hook]),
  );
});

test('a minute before the first attempt does not count either', async () => {
  const server = await startRawServer(() => good);
  const clock = createTestClock((wait) => clock.advance(wait));
  const timeouts: number[] = [];
  const http = createHttp({});
  const credentials = {
    async access() {
      clock.advance(60_000);
      return { token: 'first', baseUrl: `http://${server.host}/api/v4` };
    },
    refresh: async () => undefined,
  };
  const world = {
    clock,
    random: () => 0.5,
    http: {
      send: (...[request, options]: Parameters<typeof http.send>) => {
        timeouts.push(options.timeoutMs);
        return http.send(request, options);
      },
    },
  };
  await send(createSession(world, credentials, { timeoutMs: 5000, userAgent: 'test' }));
  assert.deepEqual(timeouts, [5000]);
  await server.close();
});

test('a token from the environment cannot be refreshed: one request, exit 4', async () => {
  for (const line of Object.values(lines)) {
    const asked = await ask(line, [rejection]);
    assert.equal(asked.status, 4, asked.errors);
    assert.equal(asked.requests.length, 1);
    assert.match(
      asked.errors,
      /^wm: The service responded with 401 not_authorized\n {2}Access token is unknown or invalid\n/m,
    );
  }
});

test('rejects a token that no header can carry before anything is sent', async () => {
  for (const token of ['two words', 'li\rne', 'a\nHost: evil.example.com', 'ключ', '\u0000']) {
    const asked = await ask(lines.GET, [good], { environment: { WM_TOKEN: token } });
    assert.equal(asked.status, 2, asked.errors);
    assert.match(asked.errors, /^wm: WM_TOKEN\b/);
    assert.deepEqual(asked.requests, []);
    assert.ok(!asked.errors.includes(token));
  }
});

test('tracks a change for as long as its outcome is unknown', {
  timeout: 120_000,
}, async () => {
  const server = await startRawServer((_, count) =>
    count < 3 ? 'cut' : jsonReply(200, { kind: 'tasks', data: [{ id: taskId }] }),
  );
  const pending: unknown[] = [];
  const changes: SentChanges = new Map();
  const clock = createTestClock((wait) => {
    pending.push(...changes.values());
    clock.advance(wait);
  });
  const access = { token: 'first', baseUrl: `http://${server.host}/api/v4` };
  const credentials = { access: async () => access, refresh: async () => undefined };
  const session = createSession({ http: createHttp({}), clock, random: () => 0.5 }, credentials, {
    timeoutMs: 5000,
    userAgent: 'test',
    changes,
  });
  const sending = session.send(operations.updateTask, { taskId }, { title: 'what was typed' });
  await sending;
  const unknown = {
    request: `PUT /tasks/${taskId}`,
    outcome: 'unknown',
    look: `wm api GET /tasks/${taskId}`,
  };
  assert.deepEqual(pending, [unknown, unknown]);
  assert.deepEqual([...changes.values()], [{ ...unknown, outcome: 'done' }]);
  await server.close();
});

test('a web page with a 401 comes from the proxy, and still no token is shown', async () => {
  const asked = await ask(
    [...lines.GET, '--verbose'],
    [answer(401, ['Content-Type: text/html'], '<h1>Proxy</h1>')],
  );
  assert.equal(asked.status, 1);
  assert.doesNotMatch(asked.errors, /canary/);
  assert.equal(firstLine(asked.requests[0]), `GET /api/v4/webhooks/${hookId} HTTP/1.1`);
});

test('a failed refresh after a lost response leaves the outcome of the change unknown', {
  timeout: 120_000,
}, async () => {
  const server = await startRawServer((_, count) => (count === 1 ? 'cut' : rejection));
  const clock = createTestClock((wait) => clock.advance(wait));
  const access = { token: 'first', baseUrl: `http://${server.host}/api/v4` };
  const expired = new Failure('sign_in_needed', { message: 'The sign-in has expired' });
  const credentials = { access: async () => access, refresh: () => Promise.reject(expired) };
  const world = { http: createHttp({}), clock, random: () => 0.5 };
  const session = createSession(world, credentials, { timeoutMs: 5000, userAgent: 'test' });
  await assert.rejects(session.send(operations.updateTask, { taskId }, { title: 'new' }), {
    code: 'outcome_unknown',
    why: 'The sign-in has expired',
  });
  assert.equal(server.requests.length, 2);
  await assert.rejects(session.send(operations.updateTask, { taskId }, { title: 'new' }), {
    code: 'sign_in_needed',
  });
  await server.close();
});
