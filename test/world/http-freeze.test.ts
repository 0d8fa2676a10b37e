// A response that came in time and lies unread: the process was stopped, the machine slept, or the timer was merely
// called before the socket was read. Real sockets, and a clock that the test moves in the very turn in which the server
// has written.

import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createTestClock, type TestClock } from '#test/support/clock.ts';
import { listening } from '#test/support/service/listening.ts';
import { createHttp } from '#world/http.ts';
import { createUndiciHttp } from '#world/http-undici.ts';
import type { Http } from '#world/world.ts';

const limits = { timeoutMs: 30_000, maxBytes: 32 * 1024 * 1024 };

const ways: Readonly<Record<string, (clock: TestClock) => Promise<Http>>> = {
  node: async (clock) => createHttp({}, clock),
  undici: async (clock) => createUndiciHttp({}, clock),
  many: async (clock) => (await createHttp({}, clock).withConnections?.(64)) ?? assert.fail(),
};

/** The address of a server that calls `respond` for what comes on each connection. */
async function serve(context: TestContext, respond: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('data', () => respond(socket)).on('error', () => {});
  });
  context.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${await listening(server)}/`;
}

function ok(body: string): string {
  return `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`;
}

for (const [way, create] of Object.entries(ways)) {
  const get = async (context: TestContext, clock: TestClock, respond: (socket: Socket) => void) => {
    const url = await serve(context, respond);
    return (await create(clock)).send({ method: 'GET', url, headers: {} }, limits);
  };

  for (const [description, move] of Object.entries({
    'stopped for 40 s': (clock: TestClock) => clock.stop(40_000),
    'stopped just before the limit': (clock: TestClock) => {
      clock.advance(29_900);
      clock.stop(200);
    },
    'asleep for a night, and the limit soon after': (clock: TestClock) => {
      clock.sleepMachine(8 * 3_600_000);
      clock.advance(30_000);
    },
    'not frozen at all, the timer first': (clock: TestClock) => clock.advance(30_000),
  })) {
    test(`${way}: ${description}: the response in the socket counts`, async (context) => {
      const clock = createTestClock();
      const outcome = await get(context, clock, (socket) => {
        socket.write(ok('here'));
        move(clock);
      });
      assert.ok('body' in outcome, JSON.stringify(outcome));
      assert.equal(new TextDecoder().decode(outcome.body), 'here');
    });
  }

  test(`${way}: reads a long response to its end, over several turns`, async (context) => {
    const clock = createTestClock();
    const body = 'x'.repeat(256 * 1024);
    const outcome = await get(context, clock, (socket) => {
      socket.write(ok(body));
      clock.advance(30_000);
    });
    assert.ok('body' in outcome, JSON.stringify(outcome));
    assert.equal(outcome.body.length, body.length);
  });

  test(`${way}: after a freeze the time limit starts again, and ends`, async (context) => {
    const clock = createTestClock();
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const outcome = get(context, clock, () => asked());
    await isAsked;
    clock.stop(3_600_000);
    for (let turn = 0; turn < 10; turn++) await clock.nextTurn();
    clock.advance(29_000);
    for (let turn = 0; turn < 10; turn++) await clock.nextTurn();
    const early = await Promise.race([outcome, clock.nextTurn()]);
    assert.equal(early, undefined);
    clock.advance(1000);
    const ended = await outcome;
    assert.deepEqual('fault' in ended && [ended.fault, ended.sent], ['timeout', true]);
  });

  test(`${way}: a server that never stops sending does not outlast the time limit`, async (context) => {
    const clock = createTestClock();
    let isOver = false;
    const outcome = get(context, clock, (socket) => {
      const pour = () => {
        if (isOver || socket.destroyed) return;
        socket.write('x'.repeat(1024), () => setImmediate(pour));
      };
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 30000000\r\n\r\n', pour);
      clock.advance(30_000);
    });
    const ended = await outcome;
    isOver = true;
    assert.equal('fault' in ended && ended.fault, 'timeout');
  });
}
