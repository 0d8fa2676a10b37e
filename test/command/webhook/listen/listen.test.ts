// `wm webhook listen` as users run it: deliveries come in over HTTP, are stored, and are forwarded.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { deliver, listen, startListener, startTarget } from './running-listener.ts';

const task = 'IEAAAAAQKQAB5BNG';
const statusChanged = [{ eventType: 'TaskStatusChanged', taskId: task, title: 'Write the launch page' }];
const json = ['--port', '0', '--json'];

async function ownFolder(test: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'wm-listen-'));
  test.after(() => rm(folder, { recursive: true, maxRetries: 3 }));
  return folder;
}

test('a delivery is stored, acknowledged and forwarded with its own bytes and headers', async (context) => {
  const folder = await ownFolder(context);
  const target = await startTarget(context);
  const listener = await listen(context, [...json, '--forward-to', target.url], { folder });
  assert.equal(await deliver(listener, statusChanged, { key: 'key-1' }), 200);
  const stored = await listener.next('stored');
  assert.deepEqual(
    [stored['sequence'], stored['events'], stored['ids'], stored['title'], stored['signature']],
    [1, ['TaskStatusChanged'], [task], 'Write the launch page', 'valid'],
  );
  const { target: name, outcome, verdict } = await listener.next('attempt');
  assert.deepEqual([name, outcome, verdict], [target.url, '200', 'forwarded']);
  const [forwarded] = target.received;
  assert.equal(forwarded?.body, JSON.stringify(statusChanged));
  assert.equal(forwarded.headers['idempotency-key'], 'key-1');
  assert.equal(forwarded.headers['x-wm-delivery'], '1');
  const { status, errors } = await listener.stop();
  assert.equal(status, 0);
  assert.match(errors, /^1 received, 1 forwarded\.$/m);
  const last = listener.records().at(-1);
  assert.deepEqual([last?.['kind'], last?.['received'], last?.['waiting']], ['ended', 1, 0]);
});

test('what was not forwarded is forwarded by the next run, in order', async (context) => {
  const folder = await ownFolder(context);
  const nobody = 'http://127.0.0.1:1/hook';
  const first = await listen(context, [...json, '--forward-to', nobody, '--drain', '0'], { folder });
  for (const key of ['a', 'b', 'c'])
    assert.equal(await deliver(first, [{ eventType: 'TaskCreated', taskId: task, key }], { key }), 200);
  await first.next('target');
  const { errors } = await first.stop();
  assert.match(errors, /127\.0\.0\.1:1\/hook cannot be reached \(connect ECONNREFUSED 127\.0\.0\.1:1\)/);
  assert.match(
    errors,
    /^3 received, 3 waiting\. What waits is forwarded when wm webhook listen runs again\.$/m,
  );
  const target = await startTarget(context);
  const second = await listen(context, [...json, '--forward-to', target.url], { folder });
  assert.equal((await second.next('listening'))['waiting'], 3);
  await target.has(3);
  assert.deepEqual(
    target.received.map(({ body }) => JSON.parse(body)[0].key),
    ['a', 'b', 'c'],
  );
  assert.equal((await second.stop()).status, 0);
});

test('a second receiver on the same journal says who has it', async (context) => {
  const folder = await ownFolder(context);
  await listen(context, ['--port', '0'], { folder });
  const { status, errors } = await startListener(context, ['--port', '0'], { folder }).ended;
  assert.equal(status, 1);
  assert.match(errors, new RegExp(`Another receiver uses the journal .*\\n.*process ${process.pid}`));
});

test('a port that is in use ends it', async (context) => {
  const folder = await ownFolder(context);
  const { port } = await listen(context, ['--port', '0'], { folder });
  const other = ['--port', `${port}`, '--journal', join(folder, 'other')];
  const { status, errors } = await startListener(context, other, { folder }).ended;
  assert.equal(status, 2);
  assert.match(errors, new RegExp(`cannot listen on 127\\.0\\.0\\.1 port ${port}\\n.*another program`));
});
