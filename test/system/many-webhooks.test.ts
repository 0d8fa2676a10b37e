// 10,000 active webhooks and 1,000 task updates that match ten of them each: every delivery is made, once, over a bounded
// number of connections. In a place of its own since it takes some seconds.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { settled } from '#test/support/service/control.ts';
import { listening } from '#test/support/service/listening.ts';
import { call, started } from '#test/support/service/start-emulator.ts';

const webhooks = 10_000;
const updates = 1_000;
const each = 10;
/** Of the emulator, where nothing else is said. */
const connections = 32;
/** Each is the folder of ten webhooks. */
const folders = webhooks / each;

interface Got {
  readonly webhookId: string;
  readonly taskId: string;
  readonly title: string;
  readonly key: string;
}

/** Runs `work` for 0 to `count` less one, so many at once. */
async function eachOf(count: number, atOnce: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}

test('10,000 webhooks, 1,000 updates that match ten each: 10,000 deliveries, no duplicates, on bounded connections', {
  timeout: 600_000,
}, async (t) => {
  const got: Got[] = [];
  const warnings: string[] = [];
  const warned = (warning: Error) => warnings.push(warning.message);
  process.on('warning', warned);
  t.after(() => process.off('warning', warned));
  const open = new Set<Socket>();
  let mostOpen = 0;
  const receiver = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (piece: string) => {
      body += piece;
    });
    request.on('end', () => {
      const key = String(request.headers['idempotency-key']);
      for (const { webhookId, taskId, title } of JSON.parse(body))
        got.push({ webhookId, taskId, title, key });
      response.end();
    });
  });
  receiver.on('connection', (socket: Socket) => {
    open.add(socket);
    mostOpen = Math.max(mostOpen, open.size);
    socket.on('close', () => open.delete(socket));
  });
  const port = await listening(receiver);
  t.after(() => {
    receiver.close();
    receiver.closeAllConnections();
  });
  const emulator = await started(t, { allowLocalHooks: true });

  // A thousand folders with a task in each, by batches, as any client would make them.
  const ids = async (path: string, what: string, from: readonly string[]) => {
    const made: string[] = [];
    for (let at = 0; at < from.length; at += 100) {
      const operations = from.slice(at, at + 100).map((parent, index) => ({
        method: 'POST',
        path: `/folders/${parent}/${what}`,
        parameters: { title: `${what} ${at + index}` },
      }));
      const { body } = await call(emulator, 'POST', path, {
        body: JSON.stringify({ operations }),
        headers: { 'Content-Type': 'application/json' },
      });
      emulator.clock.move(1_000);
      const job = await call(emulator, 'GET', `/async_job/${body.data[0].id}`);
      made.push(...job.body.data[0].results.map((one: { data: { id: string }[] }) => one.data[0]?.id));
    }
    return made;
  };
  const parents = await ids(
    '/batch',
    'folders',
    Array.from({ length: folders }, () => 'IEAAAAAQI4AB5FLD'),
  );
  const tasks = await ids('/batch', 'tasks', parents);
  assert.deepEqual([new Set(parents).size, new Set(tasks).size], [folders, folders]);

  const hooksOf = new Map<string, string[]>();
  await eachOf(webhooks, 16, async (index) => {
    const parent = parents[index % folders] ?? '';
    const { status, body } = await call(emulator, 'POST', `/folders/${parent}/webhooks`, {
      body: new URLSearchParams({
        hookUrl: `http://127.0.0.1:${port}/${index}`,
        events: '[TaskTitleChanged]',
      }),
    });
    assert.equal(status, 200);
    hooksOf.set(parent, [...(hooksOf.get(parent) ?? []), body.data[0].id]);
  });
  assert.deepEqual(
    [...hooksOf.values()].map(({ length }) => length),
    Array.from({ length: folders }, () => each),
  );

  const began = performance.now();
  await eachOf(updates, 8, async (index) => {
    const { status } = await call(emulator, 'PUT', `/tasks/${tasks[index]}?title=new+${index}`);
    assert.equal(status, 200);
  });
  await settled(emulator);
  const seconds = (performance.now() - began) / 1_000;

  const describe = (one: Pick<Got, 'webhookId' | 'taskId' | 'title'>) =>
    `${one.webhookId} ${one.taskId} ${one.title}`;
  const expected = tasks.flatMap((taskId, index) =>
    (hooksOf.get(parents[index] ?? '') ?? []).map((webhookId) =>
      describe({ webhookId, taskId, title: `new ${index}` }),
    ),
  );
  assert.equal(expected.length, updates * each);
  assert.deepEqual(got.map(describe).toSorted(), expected.toSorted());
  // An event has one key, whichever webhook hears of it.
  assert.equal(new Set(got.map(({ key }) => key)).size, updates);
  assert.ok(mostOpen <= connections, `${mostOpen} connections were open at once`);
  t.diagnostic(
    `${got.length} deliveries in ${seconds.toFixed(1)} s, at most ${mostOpen} connections at once`,
  );
  assert.deepEqual(emulator.logged, []);
  // Node takes many listeners of one signal for a leak, and says so to whoever runs the emulator.
  assert.deepEqual(warnings, []);
});
