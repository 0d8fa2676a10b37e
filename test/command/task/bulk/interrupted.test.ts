// A signal is heard from the first thing that a bulk leaves anywhere to the last: a copy of standard input must not stay
// behind, and nothing is sent once somebody has said stop.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { sample } from '../../../../src/emulator/state/sample-ids.ts';
import { createFiles } from '../../../../src/world/files.ts';
import type { Files } from '../../../../src/world/world.ts';
import { emulated } from '../../emulated.ts';
import { handSignals } from '../../manual-signals.ts';

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
    });
    assert.equal(ran.status, 130, ran.errors);
    assert.equal(ran.output, '');
    assert.deepEqual(await task(id), before);
    assert.equal(signals.listeners.size, 0);
    assert.ok(isClosed);
  });
}
