// A task update and its undo on a disk that fails, full or broken, at every few of its calls: what was undone is as it was, and what
// either says is so.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { createHurriedClock } from '#test/support/clock.ts';
import { everyCall, tellsOfDisk } from '#test/support/disk/every-call.ts';
import type { FaultySystem } from '#test/support/disk/faulty-system.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { createWorld } from '#world/create-world.ts';
import { createFiles } from '#world/files.ts';
import { createLock } from '#world/lock.ts';

const id = sample.task;

test('an update and its undo: nothing is lost, and every message is true', async (context) => {
  const { wm, task, folder } = await emulated(context);
  const titleNow = async () => (await task(id)).title;

  async function undo(faulty: FaultySystem): Promise<string> {
    const config = join(folder, randomUUID());
    const environment = { WM_CONFIG_DIR: config };
    const clock = { ...createWorld().clock, sleep: createHurriedClock().sleep };
    const world = {
      clock,
      files: createFiles(environment, process.platform, folder, undefined, faulty.system),
      lock: createLock(process.platform, clock, faulty.system),
    };
    const before = await titleNow();
    const title = `changed ${config.slice(-8)}`;
    const updated = await wm(['task', 'update', id, '--title', title, '--undoable'], { environment, world });
    if (updated.status !== 0) assert.ok(tellsOfDisk(updated.errors), updated.errors);
    if ((await titleNow()) !== title) {
      assert.notEqual(updated.status, 0);
      return 'not updated';
    }
    const undone = await wm(['task', 'undo', id, '--yes'], { environment, world });
    faulty.mend();
    if (undone.status !== 0) assert.ok(tellsOfDisk(undone.errors), undone.errors);
    if (/Nothing was sent/.test(undone.errors)) assert.equal(await titleNow(), title, undone.errors);
    if (undone.status !== 0 && (await titleNow()) === title) {
      const again = await wm(['task', 'undo', id, '--yes'], { environment });
      assert.equal(again.status, 0, `${updated.errors}\n${undone.errors}\n${again.errors}`);
    }
    assert.equal(await titleNow(), before, undone.errors);
    return undone.status === 0 ? 'undone' : 'undone after a failure';
  }

  const counts = await everyCall(undo, { step: 11 });
  assert.deepEqual(counts.violations, []);
  assert.ok(counts.struck > 5, JSON.stringify(counts));
});
