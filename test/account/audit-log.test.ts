// `wm audit-log`: who may read it, the filters that wm applies, and records of which nothing is known.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample, sampleTokens } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { call, query } from '#test/support/service/start-emulator.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { openTerminal, skip } from '#test/support/terminal/terminal.ts';
import { answering } from '../webhooks/records.ts';
import { rowsOf } from '../workspace/rows.ts';

test('entries by user and by operation', async (context) => {
  const { emulator, wm } = await emulated(context);
  const create = async (token: string) =>
    (
      await call(emulator, 'POST', `/webhooks?${query({ hookUrl: 'https://hooks.example.com/a' })}`, {
        headers: { Authorization: `Bearer ${token}` },
      })
    ).body.data[0].id;
  const [ofAda, ofBen] = [await create(sampleTokens.ada), await create(sampleTokens.ben)];
  await call(emulator, 'DELETE', `/webhooks/${ofAda}`);
  const objects = async (...typed: readonly string[]) =>
    rowsOf((await wm(['audit-log', ...typed])).output).map(([, operation, , user, , object]) => [
      operation,
      user,
      object,
    ]);
  const [first, second, third] = [
    ['WebhookDeleted', sample.ada, ofAda],
    ['WebhookCreated', sample.ben, ofBen],
    ['WebhookCreated', sample.ada, ofAda],
  ];
  assert.deepEqual(await objects(), [first, second, third]);
  assert.deepEqual(await objects('--user', 'ADA@paper-lantern.example'), [first, third]);
  assert.deepEqual(await objects('--user', sample.ben), [second]);
  assert.deepEqual(await objects('--operation', 'deleted'), [first]);
  assert.deepEqual(await objects('--limit', '1'), [first]);
  const json = JSON.parse((await wm(['audit-log', '--json'])).output);
  assert.equal(json[1].userEmail, 'ben@paper-lantern.example');
  const none = await wm(['audit-log', '--operation', 'zzz']);
  assert.deepEqual([none.output, none.errors, none.status], ['', 'None of 3 entries matches.\n', 0]);
});

test('exit 3 for a user who is not an administrator', async (context) => {
  const { wm } = await emulated(context);
  const { errors } = await wm(['audit-log'], { exit: 3, environment: { WM_TOKEN: sampleTokens.ben } });
  assert.match(errors, /Only administrators may read the audit log/);
});

test('an entry without any field that wm knows has empty cells', async (context) => {
  const { wm } = await answering(context, {
    'GET audit_log': [
      { kind: 'auditLog', data: [{ what: 'else' }, { eventDate: '2026-03-01T08:00:00Z', userId: 7 }] },
    ],
  });
  const { output } = await wm(['audit-log']);
  assert.deepEqual(rowsOf(output), [
    ['', '', '', '', '', '', ''],
    ['2026-03-01T08:00:00Z', '', '', '', '', '', ''],
  ]);
  assert.deepEqual(JSON.parse((await wm(['audit-log', '--json'])).output)[0], { what: 'else' });
});

test('shows relative times on a terminal', { skip }, async (context) => {
  const stage = await setStage(context);
  await call(stage.emulator, 'POST', `/webhooks?${query({ hookUrl: 'https://hooks.example.com/a' })}`);
  const terminal = openTerminal(context, stage, 'wm audit-log', { columns: 160 });
  await terminal.shows(/time +operation +user +user id/);
  await terminal.shows(/(?:now|seconds? ago|minutes? ago) +WebhookCreated/);
  assert.equal(await terminal.ended, 0);
});
