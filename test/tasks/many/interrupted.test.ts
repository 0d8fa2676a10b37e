// A signal is heard from the first thing that a bulk leaves anywhere to the last: a copy of standard input must not stay
// behind, and nothing is sent once somebody has said stop.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { gate } from '#test/support/gate.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { handSignals } from '#test/support/program/manual-signals.ts';
import { createWorld } from '#world/create-world.ts';
import { createFiles } from '#world/files.ts';
import type { Files, HeldLock, Lock } from '#world/world.ts';

const { task: id } = sample;

const moments: Readonly<Record<string, (files: Files, interrupt: () => void) => Partial<Files>>> = {
  'a copy of standard input is begun': (files, interrupt) => ({
    openScratchFile() {
      interrupt();
      return files.openScratchFile();
    },
  }),
  'the journal is opened': (files, interrupt) => ({
    append(path, options) {
      if (path.endsWith('journal')) interrupt();
      return files.append(path, options);
    },
  }),
  'the file of --errors is opened': (files, interrupt) => ({
    append(path, options) {
      if (path.endsWith('errors.csv')) interrupt();
      return files.append(path, options);
    },
  }),
};

for (const [moment, at] of Object.entries(moments)) {
  test(`while ${moment}`, async (context) => {
    const { wm, folder, environment, task } = await emulated(context);
    const before = await task(id);
    const signals = handSignals();
    const real = createFiles(environment, process.platform, folder);
    let isClosed = false;
    const watched: Files = {
      ...real,
      async openScratchFile() {
        const scratch = await real.openScratchFile();
        const close = () => {
          isClosed = true;
          return scratch.close();
        };
        return { ...scratch, close };
      },
    };
    const files = { ...watched, ...at(watched, signals.interrupt) };
    const named = ['--journal', join(folder, 'journal'), '--errors', join(folder, 'errors.csv')];
    const ran = await wm(['task', 'update', '--from', '-', '--yes', ...named], {
      input: `id,title\n${id},x\n`,
      world: { files, process: signals.process },
      exit: 130,
    });
    assert.equal(ran.output, '');
    assert.deepEqual(await task(id), before);
    assert.equal(signals.listeners.size, 0);
    assert.ok(isClosed);
  });
}

test('while the journal is being locked: releases the lock once it is acquired', async (context) => {
  const { wm, folder, task } = await emulated(context);
  const before = await task(id);
  const journal = join(folder, 'journal');
  await writeFile(journal, '');
  const signals = handSignals();
  const { lock } = createWorld();
  const { opened, open } = gate();
  let attempt: Promise<HeldLock | undefined> | undefined;
  const slow: Lock = {
    ...lock,
    acquire(path, options) {
      signals.interrupt();
      attempt = opened.then(() => lock.acquire(path, options));
      return attempt;
    },
  };
  await wm(['task', 'update', '--from', '-', '--yes', '--journal', journal], {
    input: `id,title\n${id},x\n`,
    world: { lock: slow, process: signals.process },
    exit: 130,
  });
  open();
  await attempt;
  const held = await lock.acquire(`${journal}.lock`, { timeoutMs: 60_000 });
  assert.ok(held, 'nobody holds it any more');
  await held.release();
  assert.deepEqual(await task(id), before);
});
