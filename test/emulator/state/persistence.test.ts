// A data file on a failing disk: the emulator does not start, or reports that the file is not up to date.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call, update } from '#test/support/service/start-emulator.ts';
import { fillable, inFolder } from './failing-disk.ts';

test('a full disk: a line in the log, a header in each response, and recovery once there is room', async (t) => {
  const { clock, start, titleInFile } = await inFolder(t);
  const { disk, state } = fillable();
  const { emulator, logged, lines } = await start(disk);
  assert.ok(!('fault' in emulator));
  const warning = async () => (await call(emulator, 'GET', '/account')).headers.get('emulator-warning');
  state.isFull = true;
  await update(emulator, { title: 'unsaved' });
  assert.equal(await warning(), null);
  clock.move(50);
  await lines(1);
  assert.match(
    logged[0] ?? '',
    /data\.json could not be saved: ENOSPC: .*\. The emulator continues in memory and will retry\.$/,
  );
  assert.equal(
    await warning(),
    "The data file could not be saved: ENOSPC: no space left on device, write 'd?t?'",
  );
  // A control request and the rejection of a page have it too.
  for (const headers of [{}, { Origin: 'https://evil.example' }]) {
    const response = await fetch(`${emulator.controlUrl}/clock`, { headers });
    assert.match(response.headers.get('emulator-warning') ?? '', /ENOSPC/);
  }
  const rejected = logged.length;
  /** Time goes on, and so does the emulator: by the time that it has answered, it has tried. */
  const go = async (isOver: () => boolean) => {
    while (!isOver()) {
      clock.move(1_000);
      await warning();
    }
  };
  await go(() => state.tries === 4);
  state.isFull = false;
  await go(() => logged.length > rejected);
  // Nothing about the attempts between, which failed as the first one did.
  assert.match(logged[rejected] ?? '', /data\.json is saved again\.$/);
  assert.equal(await warning(), null);
  assert.equal(await titleInFile(), 'unsaved');
  assert.equal(await emulator.close(), undefined);
});

test('a failed save is tried once more at the end', async (t) => {
  const { clock, start, titleInFile } = await inFolder(t);
  for (const isMended of [true, false]) {
    const { disk, state } = fillable();
    const { emulator, lines } = await start(disk);
    assert.ok(!('fault' in emulator));
    const started = clock.now();
    state.isFull = true;
    await update(emulator, { title: `mended: ${isMended}` });
    clock.move(50);
    await lines(1);
    state.isFull = !isMended;
    const end = await emulator.close();
    assert.equal(end?.lastSaved, isMended ? undefined : started);
    assert.equal(end === undefined, isMended);
    assert.equal(await titleInFile(), 'mended: true');
    // Twice asked, the same answer.
    assert.deepEqual(await emulator.close(), end);
  }
});
