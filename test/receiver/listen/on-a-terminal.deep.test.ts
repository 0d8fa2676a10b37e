// What `wm webhook listen` writes to a terminal, as a terminal gets it; test/terminal/listen.test.ts shows it on a screen.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { emulated } from '#test/support/program/emulated.ts';
import { deliver, listen, startTarget } from './running-listener.ts';

const task = 'IEAAAAAQKQAB5BNG';
const statusChanged = [{ eventType: 'TaskStatusChanged', taskId: task }];

test('on a screen: a delivery in flight, its retry, a duplicate, and a footer that is removed at the end', async (context) => {
  // The second attempt is held, until the screen has shown what became of the first.
  const target = await startTarget(context, (response) => {
    response.writeHead(503).end();
    target.respond(200);
    target.hold();
  });
  const listener = await listen(context, `--forward-to ${target.url}`, { columns: 200 });
  await deliver(listener, statusChanged, { key: 'a' });
  await listener.prints(/#1 {2}TaskStatusChanged {2}\w+ {2}503 in [\d.]+ m?s, next attempt in [\d.]+ m?s/);
  await target.has(2);
  target.release();
  await listener.prints(/#1 {2}TaskStatusChanged {2}\w+ {2}200 in [\d.]+ m?s, attempt 2\n/);
  await deliver(listener, statusChanged, { key: 'a' });
  await listener.prints(/\d\d:\d\d:\d\d {2}#1 {2}came again\n/);
  await listener.prints(/1 received, 1 duplicate, 1 forwarded/);
  const { status, output, errors } = await listener.stop();
  assert.equal(status, 0);
  assert.equal(errors, '1 received, 1 duplicate, 1 forwarded.\n');
  assert.ok(output.endsWith('\r\u001b[J'), 'the footer is gone');
});

// Another task than the one that waits, which would wait behind it.
test('plain lines for a screen reader, also for waiting and printed deliveries', async (context) => {
  const down = '--forward-to http://127.0.0.1:1/ --print TaskDeleted';
  const listener = await listen(context, down, { columns: 200, environment: { ACCESSIBLE: '1' } });
  await deliver(listener, statusChanged);
  await listener.prints(/127\.0\.0\.1:1\/ cannot be reached/);
  await deliver(listener, [{ eventType: 'TaskDeleted', taskId: 'OTHER' }], { key: 'b' });
  await listener.prints(/#2 {2}TaskDeleted {2}\w+ {2}waits to be forwarded\n/);
  await listener.prints(/#2 {2}TaskDeleted {2}\w+\n/);
  await deliver(listener, [{ eventType: 'TaskDeleted', taskId: 'OTHER' }], { key: 'b' });
  await listener.prints(/#2 {2}came again\n/);
  const { output } = await listener.stop();
  assert.ok(!output.includes('\u001b'));
});

test('shows the title of a task that a command has read on this machine, without a request', async (context) => {
  const { wm, folder, environment } = await emulated(context);
  const read = await wm(['task', 'get', task, '--jq', '.title']);
  const { WM_HOST = '', WM_TOKEN = '' } = environment;
  const setting = { folder: join(folder, 'config'), environment: { WM_HOST, WM_TOKEN } };
  const listener = await listen(context, '--json', setting);
  await deliver(listener, statusChanged);
  const { title } = await listener.next('delivery');
  assert.equal(title, read.output.trim());
  assert.notEqual(title, '');
});

test('at 80 columns, a long title is cut, and the outcome of a waiting delivery is still shown', async (context) => {
  const target = await startTarget(context, 503);
  const listener = await listen(context, `--forward-to ${target.url}`, { columns: 80 });
  await deliver(listener, [{ ...statusChanged[0], title: 'Write the launch page '.repeat(9) }]);
  const [line] = await listener.prints(/\d\d:\d\d:\d\d {2}#1 {2}.*503 in [\d.]+ m?s, next/);
  assert.match(line, / {2}TaskStatusChanged {2}Write [^ ]* {2}503 in /);
  await listener.stop();
});
