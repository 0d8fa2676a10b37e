// `wm webhook listen` on a terminal: lines of finished deliveries, what is under way and the counters below them, and the keys.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { deliver, secret, startTarget } from '#test/receiver/listen/running-listener.ts';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { key, type Setting } from '#test/support/terminal/terminal.ts';

const statusChanged = [
  { eventType: 'TaskStatusChanged', taskId: 'IEAAAAAQKQAB5BNG', title: 'Write the launch page' },
];

async function onStage(context: TestContext) {
  const stage = await setStage(context);
  return async (flags: string, setting: Setting = {}) => {
    const environment = { WM_WEBHOOK_SECRET: secret, ...setting.environment };
    const line = `wm webhook listen --port 0 ${flags}`;
    const terminal = openInProcess(context, stage, line, { ...setting, environment });
    const [, port] = await terminal.shows(/Listening on http:\/\/127\.0\.0\.1:(\d+)\//);
    return { ...terminal, terminal, port: Number(port) };
  };
}

test('completes a line once the delivery is forwarded; keys show a delivery and the counters', async (context) => {
  const open = await onStage(context);
  const responses: (() => void)[] = [];
  const target = await startTarget(context, (response) => void responses.push(() => response.end()));
  const { terminal, port } = await open(`--forward-to ${target.url}`);
  await terminal.screenShows('0 received  (? for keys)');
  await deliver({ port }, statusChanged, { key: 'key-1' });
  await terminal.screenShows(
    /^\d\d:\d\d:\d\d {2}#1 {2}TaskStatusChanged {2}Write the launch page {2}\.\.\.\n1 received, 1 waiting/m,
  );
  await target.has(1);
  responses.pop()?.();
  const lines = await terminal.screenShows(
    /Write the launch page {2}200 in [\d.]+ m?s\n1 received, 1 forwarded/m,
  );
  assert.equal(lines.filter((line) => line.includes('#1')).length, 1);

  terminal.type('?');
  await terminal.screenShows('show the last delivery: headers and body', 'c');
  await terminal.screenShows(/^1 received, 1 forwarded$/m, '17');
  await terminal.screenShows('#17  (d or Enter: show it)', key.backspace);
  await terminal.screenShows('#1  (d or Enter: show it)', key.enter);
  await terminal.screenShows(
    /^Delivery #1, received[\s\S]*^Idempotency-Key: key-1[\s\S]*"title": "Write the launch page"/im,
  );
  terminal.type('99d');
  await terminal.screenShows('Delivery #99 was not found.', 'q');
  assert.equal(await terminal.ended, 0);
  assert.match(terminal.text, /1 received, 1 forwarded\.\s*$/);
});

test('hostile text moves no cursor; a narrow window breaks nothing; Ctrl-C ends listen', async (context) => {
  const open = await onStage(context);
  const { terminal, port } = await open('', { columns: 60 });
  terminal.type('d');
  await terminal.screenShows('No delivery has come yet.');
  const title = '\u001b[2J\u001b]0;owned\u0007\u202egnp';
  await deliver({ port }, [{ eventType: 'TaskCreated', taskId: 'A', title }]);
  await terminal.screenShows(/#1 {2}TaskCreated {2}.\[2J.\]0;owned/);
  terminal.resize(30, 30);
  await deliver({ port }, [{ eventType: 'TaskDeleted', taskId: 'B' }]);
  await terminal.screenShows(/#2\s+TaskDeleted\s+B\s[\s\S]*2 received/, 'd');
  await terminal.screenShows('Delivery #2', key.interrupt);
  assert.equal(await terminal.ended, 0);
  assert.ok(!terminal.raw.includes('owned\u0007'));
});

test('on a dumb terminal, prints plain lines and reads keys as lines', async (context) => {
  const open = await onStage(context);
  const { terminal, port } = await open('', { environment: { TERM: 'dumb' } });
  await deliver({ port }, statusChanged);
  await terminal.shows(/#1 {2}TaskStatusChanged {2}Write the launch page\n/, '1d\r');
  await terminal.shows('Delivery #1, received', 'c\r');
  await terminal.shows('1 received', 'what?\r');
  await terminal.shows('show this help', 'q\r');
  assert.equal(await terminal.ended, 0);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: cursor movements begin with one
  assert.doesNotMatch(terminal.raw, /\u001b\[/);
});
