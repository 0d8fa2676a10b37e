// The short form of the trials, for every run of the tests. `npm run torture` has the long one.

import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { stageForAll } from './stage.ts';
import { killCommands, killHelpers, together } from './trials.ts';

const { service, stage } = await stageForAll();

test('a token that is still good costs no lock, no note and no write', async () => {
  const item = await stage.item();
  assert.equal((await stage.run('whoami')).status, 0);
  assert.deepEqual(await stage.item(), item);
  assert.deepEqual((await readdir(stage.folder)).toSorted(), ['profiles.json', 'tokens']);
  assert.equal(service.counts.asked, 0);
});

test('12 processes at once on an expired token: one renewal', async (t) => {
  t.diagnostic(JSON.stringify(await together(service, stage, 12, 1)));
});

test('the command killed at random instants: the next one works', async (t) => {
  t.diagnostic(JSON.stringify(await killCommands(service, stage, 6)));
});

test('the helper killed before it has sent: the command itself works', { skip: noProc() }, async (t) => {
  t.diagnostic(JSON.stringify(await killHelpers(service, stage, 3)));
});

function noProc(): string | false {
  return process.platform === 'linux' ? false : 'processes are found through /proc, which only Linux has';
}
