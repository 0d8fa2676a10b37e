// Old journals in the state folder, which are dropped: not while they are locked, and not by a clock that was wrong.
// test/transcript/task-journals.txt shows what else may be there.

import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { clockAt, emulated } from '#test/support/program/emulated.ts';
import { createWorld } from '#world/create-world.ts';

const { task: first, backlog: second } = sample;
const update = ['task', 'update', first, second, '--importance', 'High', '--yes'];

const day = 86_400_000;
const journal = (started: number) =>
  `${JSON.stringify({ journal: 'wm task update', version: 1, key: 'k', rows: 1, started })}\n`;

async function withFolder(context: TestContext) {
  const service = await emulated(context);
  const journals = join(service.folder, 'config', 'state', 'bulk');
  await mkdir(journals, { recursive: true });
  return { ...service, journals };
}

test('an old journal stays while another wm has it locked', async (context) => {
  const { wm, journals } = await withFolder(context);
  const old = join(journals, 'old.ndjson');
  await writeFile(old, journal(0));
  await writeFile(join(journals, 'later.ndjson'), journal(91 * day));
  const held = await createWorld().lock.acquire(`${old}.lock`, { timeoutMs: 0 });
  assert.ok(held);
  await wm(update, { exit: 0 });
  assert.ok((await readdir(journals)).includes('old.ndjson'));
  await held.release();
  await wm(update, { exit: 0 });
  assert.ok(!(await readdir(journals)).includes('old.ndjson'));
});

test('a clock that is set years ahead, and back, drops no journal', async (context) => {
  const { wm, journals } = await withFolder(context);
  const now = Date.UTC(2026, 10, 15);
  await writeFile(join(journals, 'unfinished.ndjson'), journal(now - 89 * day));
  for (const ahead of [1000 * day, day / 2, 1000 * day])
    assert.equal((await wm(update, { world: { clock: clockAt(now + ahead) } })).status, 0);
  assert.ok((await readdir(journals)).includes('unfinished.ndjson'));
});
