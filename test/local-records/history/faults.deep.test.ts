// The history on a disk that fails at each of its calls: the change is made, and the history takes the next one.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { createFaultySystem, faults, type Plan } from '#test/support/disk/faulty-system.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { createFiles } from '#world/files.ts';
import { outcomes, updateTask } from './recorded.ts';

test('each disk call fails once, or permanently, or writes half', async (context) => {
  const stage = await emulated(context);
  let round = 0;
  const attempt = async (plan?: Plan) => {
    const environment = { WM_CONFIG_DIR: join(stage.folder, `round-${round++}`) };
    const disk = createFaultySystem(plan);
    const own = { ...stage.environment, ...environment };
    const files = createFiles(own, process.platform, stage.folder, () => '/', disk.system);
    const ran = await stage.wm(updateTask(`round ${round}`), { environment, world: { files } });
    await disk.close();
    assert.equal(ran.status, 0, `${JSON.stringify(plan)} ${ran.errors}`);
    assert.equal((await stage.task(sample.task)).title, `round ${round}`);
    return { disk, ran, environment };
  };
  const { calls } = (await attempt()).disk;
  const places = calls.flatMap((call, at) => (call.includes('state') ? [at] : []));
  assert.ok(calls.filter((call) => /^write .*history/.test(call)).length === 2, calls.join('\n'));
  const shown = new Set<string>();
  for (const at of places) {
    for (const fault of faults) {
      const { disk, ran, environment } = await attempt({ at, fault });
      const warnings = ran.errors.match(/Cannot record the change in the history/g)?.length ?? 0;
      assert.ok(warnings <= 1, ran.errors);
      if (warnings === 1) for (const call of disk.struck) shown.add(call.split(' ')[0] ?? '');
      // Somebody has made room.
      const next = await stage.wm(updateTask('next'), { environment });
      assert.deepEqual([next.status, next.errors], [0, ''], disk.struck.join());
      assert.equal((await outcomes(stage, environment)).at(-1), 'done');
    }
  }
  const expected = ['close', 'lstat', 'mkdir', 'open', 'open-to-read', 'readdir', 'stat', 'write'];
  assert.deepEqual([...shown].toSorted(), expected);
});
