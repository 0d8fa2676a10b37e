// Many processes at once on an expired token, and helpers killed before they have sent anything, and
// in the one window that no program can close.

import { after, test } from 'node:test';
import { recordProcesses } from '#test/support/process/process-record.ts';
import { stageForAll } from './stage.ts';
import { killBeforeRequest, killInWindow, together } from './trials.ts';

const { service, stage } = await stageForAll();
const record = await recordProcesses();
after(() => record.close());

test('12 processes at once on an expired token: one refresh', async (t) => {
  t.diagnostic(JSON.stringify(await together(service, stage, 12, 1)));
});

test('the helper is killed before it sends: the command itself works', () =>
  killBeforeRequest(service, stage, record, 3));

test('the helper is killed between the rotation and the write: the same, and the next sign-in works', () =>
  killInWindow(service, stage));
