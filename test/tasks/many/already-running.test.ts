// A bulk that is running already: whoever starts it once more is told so, with the process that runs it, and nothing of
// the journal that this one still writes.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { untilInFolder } from '#test/support/disk/until-in-folder.ts';
import { gate } from '#test/support/gate.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { beforeUpdate } from '#test/support/service/around-http.ts';
import { skip } from '#test/support/terminal/terminal.ts';
import { createWorld } from '#world/create-world.ts';
import { createFiles } from '#world/files.ts';

const { task: first, backlog: second, milestone: third } = sample;

async function bulk(context: TestContext) {
  const service = await emulated(context);
  const path = join(service.folder, 'tasks.csv');
  const journal = join(service.folder, 'journal');
  await writeFile(path, `id,title\n${[first, second, third].map((id) => `${id},x`).join('\n')}\n`);
  const argv = ['task', 'update', '--from', path, '--yes', '--concurrency', '1', '--journal', journal];
  return { ...service, path, journal, argv };
}

/** The real network, on which the nth update waits until `release`. */
function holdUpdate(nth: number) {
  const [arrival, departure] = [gate(), gate()];
  const http = beforeUpdate(nth, () => {
    arrival.open();
    return departure.opened;
  });
  return { world: { http }, arrived: arrival.opened, release: departure.open };
}

test('while it runs, no other wm starts, continues or discards it', async (context) => {
  const { wm, argv, journal, folder } = await bulk(context);
  const { world, arrived, release } = holdUpdate(2);
  const running = wm(argv, { world });
  await arrived;
  const before = await readFile(journal, 'utf8');
  for (const more of [[], ['--resume'], ['--restart']]) {
    const ran = await wm([...argv, ...more], { exit: 2 });
    assert.equal(
      ran.errors,
      `wm: Another wm (pid ${process.pid}) is running this bulk update\n  Wait until it ends. Journal: ${journal}\n`,
    );
    assert.equal(ran.output, '');
  }
  assert.equal(await readFile(journal, 'utf8'), before);
  release();
  const ran = await running;
  assert.equal(ran.status, 0, ran.errors);
  // The first has the history.
  assert.deepEqual((await readdir(folder)).toSorted(), ['config', 'journal', 'journal.lock', 'tasks.csv']);
});

test('a run whose process is unknown is reported as another wm', async (context) => {
  const { wm, argv, journal } = await bulk(context);
  const { lock } = createWorld();
  const held = await lock.acquire(`${journal}.lock`, { timeoutMs: 0 });
  assert.ok(held);
  const ran = await wm(argv, { world: { lock: { ...lock, holder: async () => undefined } }, exit: 2 });
  assert.ok(
    ran.errors.endsWith(
      `wm: Another wm is running this bulk update\n  Wait until it ends. Journal: ${journal}\n`,
    ),
  );
  await held.release();
  await wm(argv, { exit: 0 });
});

test('doctor does not suggest continuing it either', async (context) => {
  const { wm, argv } = await bulk(context);
  const own = argv.slice(0, -2);
  const { world, arrived, release } = holdUpdate(2);
  const running = wm(own, { world });
  await arrived;
  const during = await wm(['doctor']);
  assert.match(during.output, /1 run is in progress/);
  assert.doesNotMatch(during.output, /not finished|--resume/);
  release();
  assert.equal((await running).status, 0);
});

test('names another process that runs it; after `kill -9`, --resume sends the row in flight again', {
  skip,
}, async (context) => {
  const { wm, task, argv, environment, journal, folder, control, emulator } = await bulk(context);
  await control('faults', { request: 'updateTask', silence: true, times: 1 });
  const child = spawn(process.execPath, [resolve('bin/wm.js'), ...argv, '--verbose'], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  // The journal has the row that is being sent before the request leaves.
  const sent = async () => (await readFile(journal, 'utf8').catch(() => '')).includes('"sent"');
  await untilInFolder(folder, sent);
  const during = await wm([...argv, '--resume'], { exit: 2 });
  assert.match(during.errors, new RegExp(`^wm: Another wm \\(pid ${child.pid}\\) is running`));
  const ended = new Promise((done) => child.on('close', done));
  child.kill('SIGKILL');
  await ended;
  // The kill may have come before the request left; then the fault still waits for one.
  await fetch(`${emulator.controlUrl}/faults`, { method: 'DELETE' });
  const resumed = await wm([...argv, '--resume'], { exit: 0 });
  assert.match(resumed.errors, /^Sent before without a response, and sent again now: line 2 /m);
  for (const id of [first, second, third]) assert.equal((await task(id)).title, 'x');
});

test('a disk that is full at the first line leaves a journal that blocks no run', async (context) => {
  const { wm, argv, journal, folder, environment } = await bulk(context);
  const files = createFiles(environment, process.platform, folder);
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {
    code: 'ENOSPC',
    syscall: 'write',
  });
  const world = {
    files: {
      ...files,
      async append(path: string, options: { mode: number }) {
        const file = await files.append(path, options);
        const write = () => {
          throw full;
        };
        return path === journal ? { ...file, write } : file;
      },
      // Nor can it be taken away again.
      remove: async (path: string) => (path === journal ? Promise.reject(full) : files.remove(path)),
    },
  };
  await wm(argv, { world, exit: 1 });
  await wm(argv, { exit: 0 });
});
