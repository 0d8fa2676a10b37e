// npm run torture: 50 processes at once, 20 times; 300 kills; every fault; with counts. Takes a few minutes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stageForAll } from '../renewal/stage.ts';
import { killCommands, killHelpers, killInWindow, together, windowWidth } from '../renewal/trials.ts';

const { service, stage } = await stageForAll();

function tell(what: string, counts: unknown): void {
  process.stderr.write(`${what}: ${JSON.stringify(counts)}\n`);
}

test('50 processes at once with an expired token, 20 rounds', async () => {
  tell('together', await together(service, stage, 50, 20));
});

test('200 kills of the command, at any step', async () =>
  tell('kills of the command', await killCommands(service, stage, 200)));

test('100 kills of the helper, at any step', async () => {
  tell('kills of the helper', await killHelpers(service, stage, 100));
});

test('10 kills of the helper in the unavoidable window', async () => {
  for (let kill = 0; kill < 10; kill++) await killInWindow(service, stage);
  tell('kills in the window', { kills: 10, clearMessages: 10 });
});

test('the width of that window', async () => {
  tell('milliseconds from the rotation to the disk', await windowWidth(service, stage, 30));
});

test('a response that takes 20 s', async () => {
  await stage.expire();
  service.faults.push({ when: 'before', what: 'slow', milliseconds: 20_000 });
  const ended = await stage.run('whoami');
  assert.equal(ended.status, 0, ended.errors);
  tell('slow answer', { seconds: 20, status: ended.status });
});
