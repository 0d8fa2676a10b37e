// A large data file, to which the emulator appends what changed: each save is there after a kill, and the file is whole again at the end.

import assert from 'node:assert/strict';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type RunningEmulator, startEmulator } from '#emulator/emulator.ts';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { control } from '#test/support/service/control.ts';
import { records } from '#test/support/service/records.ts';
import { send } from '#test/support/service/send.ts';
import { handClock, update } from '#test/support/service/start-emulator.ts';
import { createFiles } from '#world/files.ts';
import { createHttp } from '#world/http.ts';
import { createLock } from '#world/lock.ts';
import { randomBytes } from '#world/random.ts';
import { createServer } from '#world/server.ts';
import type { Files } from '#world/world.ts';

/** A data file of 1.4 MB, and what starts an emulator with it. */
async function withLargeFile(t: TestContext) {
  const folder = await ownFolder(t);
  const real = createFiles({ WM_CONFIG_DIR: folder }, process.platform);
  let onSaved = () => {};
  const files: Files = {
    ...real,
    async write(...all) {
      await real.write(...all);
      onSaved();
    },
    async append(...all) {
      const file = await real.append(...all);
      return { ...file, sync: () => file.sync().then(() => onSaved()) };
    },
  };
  const clock = handClock();
  const begin = async (name: string): Promise<RunningEmulator> => {
    const world = {
      server: createServer(),
      http: createHttp({}),
      clock,
      files,
      lock: createLock(),
      randomBytes,
    };
    const emulator = await startEmulator(world, { dataFile: join(folder, name), fixedTokens: true });
    assert.ok(!('fault' in emulator), JSON.stringify(emulator));
    t.after(() => emulator.close());
    return emulator;
  };
  const read = (name: string) => readFile(join(folder, name), 'utf8');
  const first = await begin('data.json');
  const { taskIds } = await control(first, 'POST', '/tasks', { count: 2_000 });
  await first.close();
  assert.equal((await read('data.json')).split('\n').length, 2);
  const save = () => {
    const saved = new Promise<void>((resolve) => {
      onSaved = resolve;
    });
    clock.move(1_000);
    return saved;
  };
  const kill = (as: string) => copyFile(join(folder, 'data.json'), join(folder, as));
  return { folder, begin, read, save, kill, taskIds };
}

const titleOf = async (emulator: RunningEmulator) =>
  (await records(emulator, 'GET', `/tasks/${emulator.sampleTask}`))[0].title;

const isValid = async ({ baseUrl }: RunningEmulator, token: string) =>
  (await send(`${baseUrl}/account?access_token=${token}`)).status === 200;

test('appends each change: it survives a kill, unless its line was cut off, and a clean end rewrites the file', async (t) => {
  const { folder, begin, read, save, kill } = await withLargeFile(t);
  const emulator = await begin('data.json');
  const whole = (await read('data.json')).split('\n')[0];
  const { token } = await control(emulator, 'POST', '/tokens', { userId: 'KUAAADAQ' });
  await update(emulator, { title: 'first' });
  await save();
  await control(emulator, 'POST', '/revocations', { cause: 'user-revokes', token });
  await update(emulator, { title: 'second' });
  await control(emulator, 'POST', '/clock', { advanceSeconds: 3_600 });
  await save();
  await kill('killed.json');
  const text = await read('killed.json');
  assert.equal(text.split('\n')[0], whole);
  await writeFile(join(folder, 'cut.json'), text.slice(0, -1));
  const again = await begin('killed.json');
  assert.equal(await titleOf(again), 'second');
  assert.equal(await isValid(again, token), false);
  const [now, later] = await Promise.all([emulator, again].map((one) => control(one, 'GET', '/clock')));
  assert.equal(later.now, now.now);
  const cut = await begin('cut.json');
  assert.equal(await titleOf(cut), 'first');
  assert.equal(await isValid(cut, token), true);
  await emulator.close();
  const { tasks } = JSON.parse(await read('data.json'));
  assert.equal(tasks.find(({ id }: { id: string }) => id === emulator.sampleTask).title, 'second');
});

test('rewrites the file once the changes are as large as it, and after a reset', async (t) => {
  const { begin, read, save, taskIds } = await withLargeFile(t);
  const emulator = await begin('data.json');
  const size = (await read('data.json')).length;
  const changeAll = (importance: string) =>
    control(emulator, 'POST', '/mass-actions', { taskIds, parameters: { importance } });
  await changeAll('Low');
  await save();
  assert.ok((await read('data.json')).length > size * 1.5);
  await changeAll('High');
  await save();
  assert.ok((await read('data.json')).length < size * 1.1);
  await control(emulator, 'POST', '/reset', {});
  await save();
  assert.ok((await read('data.json')).length < 200_000);
});

test('rewrites the whole file if another program changed it', async (t) => {
  const { folder, begin, read, save } = await withLargeFile(t);
  const emulator = await begin('data.json');
  await writeFile(join(folder, 'data.json'), '{}');
  await update(emulator, { title: 'mine' });
  await save();
  const { tasks } = JSON.parse(await read('data.json'));
  assert.equal(tasks.length > 2_000, true);
});
