// What `wm doctor` says of the state folder: how much is in it, and which runs of others hold their journals.

import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { emulated } from '#test/support/program/emulated.ts';
import { createWorld } from '#world/create-world.ts';

async function state(t: TestContext) {
  const { wm, folder } = await emulated(t);
  const at = join(folder, 'config', 'state');
  await mkdir(join(at, 'bulk'), { recursive: true });
  await mkdir(join(at, 'undo'));
  await mkdir(join(at, 'history'));
  return {
    journal: async (name: string, ...lines: readonly object[]) => {
      const header = { journal: 'wm task update', version: 3, key: name, rows: 1, started: 0 };
      const path = join(at, 'bulk', `${name}.ndjson`);
      await writeFile(path, [header, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(''));
      return path;
    },
    undoLog: (name: string, bytes: number) =>
      writeFile(join(at, 'undo', `${name}.ndjson`), 'x'.repeat(bytes)),
    history: (bytes: number) => writeFile(join(at, 'history', 'changes.1.2026-11.ndjson'), 'x'.repeat(bytes)),
    async found() {
      const { status, output } = await wm(['doctor', '--json']);
      assert.equal(status, 0);
      const rows: { check: string; result: string; found: string }[] = JSON.parse(output);
      const own = rows.find(({ check }) => check === 'state folder');
      return { result: own?.result, found: own?.found.replace(at, 'STATE') ?? '' };
    },
  };
}

test('sizes are in bytes, then kB, then MB', async (t) => {
  const { undoLog, found } = await state(t);
  for (const [bytes, size] of [
    [999, '999 bytes'],
    [1_000, '1.0 kB'],
    [999_900, '999.9 kB'],
    [1_000_000, '1.0 MB'],
    [12_340_000, '12.3 MB'],
  ] as const) {
    await undoLog('one', bytes);
    assert.equal((await found()).found, `STATE holds 0 bulk journals (0 bytes) and 1 undo log (${size})`);
  }
  await undoLog('two', 60_000);
  assert.equal((await found()).found, 'STATE holds 0 bulk journals (0 bytes) and 2 undo logs (12.4 MB)');
});

test('mentions a history if there is one', async (t) => {
  const { history, found } = await state(t);
  await history(812);
  assert.equal(
    (await found()).found,
    'STATE holds 0 bulk journals (0 bytes), 0 undo logs (0 bytes) and a history (812 bytes)',
  );
});

test('counts unfinished runs apart from those in progress, and ignores finished ones', async (t) => {
  const { journal, found } = await state(t);
  const { lock } = createWorld();
  const held = [];
  for (const name of ['a', 'b']) {
    const path = await journal(name);
    held.push(await lock.acquire(`${path}.lock`, { timeoutMs: 0 }));
  }
  await journal('c', { finished: true });
  const running = await found();
  assert.match(
    running.found,
    /^STATE holds 3 bulk journals \(\d+ bytes\) and 0 undo logs \(0 bytes\); 2 runs are in progress$/,
  );
  assert.equal(running.result, 'good');
  for (const lock of held) await lock?.release();
  const unfinished = await found();
  assert.match(unfinished.found, /\(0 bytes\); 2 runs are unfinished$/);
  assert.equal(unfinished.result, 'notice');
});

test('a journal that never had a lock counts as an unfinished run', async (t) => {
  const { journal, found } = await state(t);
  const path = await journal('a', { sent: 2 });
  await rm(`${path}.lock`, { force: true });
  assert.match((await found()).found, /; 1 run is unfinished$/);
});
