// A data file on a disk that fails: whatever the disk refuses, the emulator either does not start, or says that the file
// does not hold what it should.

import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startEmulator } from '../../../src/emulator/emulator.ts';
import { createClock } from '../../../src/world/clock.ts';
import { createFiles } from '../../../src/world/files.ts';
import { createHttp } from '../../../src/world/http.ts';
import { createLock } from '../../../src/world/lock.ts';
import { createServer } from '../../../src/world/server.ts';
import { createFaultySystem, type FaultySystem, faults, type Plan } from '../../faulty-system.ts';
import { call, handClock, update } from '../start.ts';

async function inFolder(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'wm-persistence-'));
  t.after(() => rm(folder, { recursive: true }));
  const dataFile = join(folder, 'data.json');
  const clock = handClock();
  const start = async ({ system }: FaultySystem) => {
    const logged: string[] = [];
    let wake: (() => void)[] = [];
    const log = (line: string) => {
      logged.push(line);
      for (const one of wake) one();
      wake = [];
    };
    /** Resolves once that many lines are in the log. */
    const lines = async (count: number) => {
      while (logged.length < count) await new Promise<void>((resolve) => wake.push(resolve));
    };
    const files = createFiles({ WM_CONFIG_DIR: folder }, process.platform, folder, undefined, system);
    const lock = createLock(process.platform, createClock(), system);
    const world = { server: createServer(), http: createHttp({}), clock, files, lock };
    const emulator = await startEmulator(world, { dataFile, log });
    return { emulator, logged, lines };
  };
  /** The title that the file holds; nothing where there is no file. Fails where it holds half of one. */
  const titleInFile = async (): Promise<string | undefined> => {
    const text = await readFile(dataFile, 'utf8').catch(() => undefined);
    if (text === undefined) return undefined;
    const { tasks } = JSON.parse(text);
    return tasks.find(({ id }: { id: string }) => id === 'IEAAAAAQKQAB5BNG').title;
  };
  return { folder, dataFile, clock, start, titleInFile };
}

test('for every call to the file system that fails: nothing is lost without a word', async (t) => {
  const { folder, start, titleInFile } = await inFolder(t);
  const seen = { runs: 0, notStarted: 0, reported: 0, saved: 0 };
  for (const fault of faults) {
    for (const isThere of [false, true]) {
      for (let at = 0; ; at++) {
        for (const name of await readdir(folder)) await rm(join(folder, name));
        if (isThere) {
          const { emulator } = await start(createFaultySystem());
          assert.ok(!('fault' in emulator));
          await update(emulator, { title: 'before' });
          assert.equal(await emulator.close(), undefined);
        }
        const plan: Plan = { at, fault };
        const disk = createFaultySystem(plan);
        const { emulator } = await start(disk);
        seen.runs += 1;
        const what = JSON.stringify({ ...plan, isThere, struck: disk.struck });
        if ('fault' in emulator) {
          seen.notStarted += 1;
          assert.notEqual(emulator.detail, '', what);
        } else {
          await update(emulator, { title: 'after' });
          const end = await emulator.close();
          if (end === undefined) {
            seen.saved += 1;
            assert.equal(await titleInFile(), 'after', what);
          } else {
            seen.reported += 1;
            assert.match(end.detail, /^E[A-Z]+: /, what);
          }
        }
        await disk.close();
        // What was there before is still there, whole.
        const title = await titleInFile();
        if (isThere) assert.ok(title === 'before' || title === 'after', `${what}: ${title}`);
        const again = await start(createFaultySystem());
        assert.ok(!('fault' in again.emulator), what);
        assert.equal(await again.emulator.close(), undefined);
        assert.deepEqual((await readdir(folder)).sort(), ['data.json', 'data.json.lock'], what);
        if (disk.calls.length <= at) break;
      }
    }
  }
  t.diagnostic(JSON.stringify(seen));
  assert.ok(seen.notStarted > 0 && seen.reported > 0 && seen.saved > 0);
});

/** A disk that can be filled, and counts the writes that were tried. */
function fillable() {
  const disk = createFaultySystem();
  const state = { isFull: false, tries: 0 };
  disk.before = (name) => {
    if (!name.startsWith('write ')) return undefined;
    state.tries += 1;
    return state.isFull
      ? Promise.reject(new Error("ENOSPC: no space left on device, write 'dätä'"))
      : undefined;
  };
  return { disk, state };
}

test('a disk that fills up: a line in the log, a header in each response, and all is well once there is room', async (t) => {
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

test('what could not be saved is tried once more at the end', async (t) => {
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

test('what a killed emulator left beside its data file is removed at the next start', async (t) => {
  const { folder, dataFile, start } = await inFolder(t);
  await writeFile(`${dataFile}.0b7ad3ab-4af9-4a0a-8f4c-0d3ec8b2a2f1`, '{"tokens":');
  const { emulator } = await start(createFaultySystem());
  assert.ok(!('fault' in emulator));
  assert.deepEqual((await readdir(folder)).sort(), ['data.json', 'data.json.lock']);
  await emulator.close();
});
