// `wm audit-log`: who may read it, the filters that wm applies, and records of which nothing is known.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call, query } from '#test/support/service/start-emulator.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { openTerminal, skip } from '#test/support/terminal/terminal.ts';

test('shows relative times on a terminal', { skip }, async (context) => {
  const stage = await setStage(context);
  await call(stage.emulator, 'POST', `/webhooks?${query({ hookUrl: 'https://hooks.example.com/a' })}`);
  const terminal = openTerminal(context, stage, 'wm audit-log', { columns: 160 });
  await terminal.shows(/time +operation +user +user id/);
  await terminal.shows(/(?:now|seconds? ago|minutes? ago) +WebhookCreated/);
  assert.equal(await terminal.ended, 0);
});
