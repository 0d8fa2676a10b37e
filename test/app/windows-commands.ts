// Whole commands on a disk with the rules of Windows (test/support/disk/windows-disk.ts), in this process: sign in, refresh, update one
// and many, undo, sign out. Nothing fails, nothing is left open, and no token is left behind.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { createWindowsDisk, type WindowsDisk, type WindowsRules } from '#test/support/disk/windows-disk.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { helperInside } from '#test/support/program/helper-inside.ts';
import { json, secrets, tokens } from '#test/support/service/auth-service.ts';
import type { Person } from '#test/support/sign-in/person.ts';
import { personForEach, serviceForAll } from '#test/support/sign-in/stage.ts';
import { createWorld } from '#world/create-world.ts';
import { createFiles } from '#world/files.ts';
import { createLock } from '#world/lock.ts';
import { createProcesses } from '#world/process.ts';
import type { Environment, World } from '#world/world.ts';

/** The parts of a world that Windows makes different. */
function windowsWorld(environment: Environment, folder: string, { system }: WindowsDisk): Partial<World> {
  const real = createWorld();
  const processes = { ...createProcesses('win32'), onInterrupt: () => () => {}, onContinue: () => () => {} };
  const { world } = helperInside({
    ...real,
    environment,
    process: processes,
    files: createFiles(environment, 'win32', folder, undefined, system),
    lock: createLock('win32', real.clock, system),
  });
  return { files: world.files, lock: world.lock, process: world.process };
}

const disks: readonly (readonly [string, WindowsRules])[] = [
  ['NTFS', {}],
  ['a disk where what is removed goes with its last handle', { removed: 'when closed' }],
  ['NTFS with a virus scanner', { scans: 3 }],
  ['a disk that cannot tell where a path leads', { tellsRealPaths: false }],
];

/** The quick suite has plain NTFS, and what happens there alone. */
export async function testOnWindows(suite: 'quick' | 'deep'): Promise<void> {
  const service = await serviceForAll();
  let person: Person;
  personForEach((newPerson) => {
    person = newPerson;
  });
  for (const [name, rules] of disks) {
    if ((name === 'NTFS') !== (suite === 'quick')) continue;
    describe(name, () => {
      test('sign in, refresh concurrently and again, use another account, sign out', async () => {
        const disk = createWindowsDisk(rules);
        const environment = { WM_CONFIG_DIR: person.folder, WM_TOKEN_STORE: 'file' };
        const world = windowsWorld(environment, person.folder, disk);
        const application = { WM_CLIENT_ID: 'app', WM_CLIENT_SECRET: secrets.clientSecret };
        const good = (...argv: string[]) => person.wm(argv, { world, environment: application });
        await good('login', '--auth-url', service.url);
        await good('login', '--auth-url', service.url, '--profile', 'other');
        let used = 0;
        service.answer = (response) =>
          json(response, 200, tokens(service.host, { refresh_token: `canary-${++used}` }));
        await Promise.all([good('auth', 'refresh'), good('auth', 'refresh'), good('auth', 'refresh')]);
        await good('auth', 'refresh');
        assert.equal((await person.item()).refreshToken, `canary-${used}`);
        await good('auth', 'switch', 'other');
        await good('whoami');
        await good('auth', 'list');
        for (const profile of ['default', 'other']) await good('logout', '--yes', '--profile', profile);
        const left = [...(await person.files())].filter(([, text]) => text.includes('canary'));
        assert.deepEqual(left, []);
        assert.deepEqual(disk.open(), []);
      });

      test('update one task and many, with a journal and an errors file; undo', async (context) => {
        const { emulator, folder, environment, wm: plain, task } = await emulated(context);
        const disk = createWindowsDisk(rules);
        const world = windowsWorld(environment, folder, disk);
        const wm = async (status: number, ...argv: string[]) => {
          const ran = await plain(argv, { world });
          assert.equal(ran.status, status, `${argv.join(' ')}\n${ran.errors}\n${disk.refused.join('\n')}`);
          return ran;
        };
        const id = emulator.sampleTask;
        const before = (await task(id)).title;
        await wm(0, 'task', 'update', id, '--title', 'one', '--undoable');
        await wm(0, 'task', 'undo', id, '--yes');
        assert.equal((await task(id)).title, before);

        const input = join(folder, 'tasks.csv');
        const errors = join(folder, 'failed.csv');
        const journal = join(folder, 'journal.ndjson');
        await writeFile(input, `\ufeffid,title\r\n${id},"two\r\nlines"\r\nIEAAAAAQKQZZZZZZ,nobody\r\n`);
        // What an earlier run has left there is replaced.
        await writeFile(errors, 'old\n'.repeat(1000));
        const files = ['--from', input, '--errors', errors, '--journal', journal];
        const many = ['task', 'update', ...files, '--yes', '--undoable'];
        const first = await wm(8, ...many);
        assert.match(first.errors, /1 of 2 rows/);
        assert.match(await readFile(errors, 'utf8'), /IEAAAAAQKQZZZZZZ,nobody/);
        assert.doesNotMatch(await readFile(errors, 'utf8'), /old/);
        assert.match((await task(id)).title, /^two/);
        await wm(0, 'task', 'undo', id, '--yes');
        assert.equal((await task(id)).title, before);
        assert.deepEqual(disk.open(), []);
      });

      test('a bulk run that ended early: resume it, and restart it', async (context) => {
        const { folder, environment, wm: plain, task, control } = await emulated(context);
        const disk = createWindowsDisk(rules);
        const world = windowsWorld(environment, folder, disk);
        const ids = [sample.task, sample.backlog, sample.milestone];
        const input = join(folder, 'tasks.csv');
        await writeFile(input, `id,title\r\n${ids.map((id) => `${id},one\r\n`).join('')}`);
        const argv = ['task', 'update', '--from', input, '--yes', '--concurrency', '1', '--verbose'];
        /** The journal is the usual one. `sent`: requests. */
        const wm = async (status: number, sent: number, ...more: string[]) => {
          const ran = await plain([...argv, '--errors', join(folder, 'Failed.csv'), ...more], { world });
          assert.equal(ran.status, status, `${ran.errors}\n${disk.refused.join('\n')}`);
          assert.equal(ran.errors.match(/PUT /g)?.length ?? 0, sent, ran.errors);
          assert.deepEqual(disk.open(), []);
          return ran;
        };
        // The first row ends with an unknown outcome, after three tries; the others are updated.
        await control('faults', { request: 'updateTask', cutAfter: 0, when: 'after', times: 3 });
        const early = await wm(8, 5);
        const journal = /^Journal: (.*)$/m.exec(early.errors)?.[1] ?? '';
        assert.match(journal, /\\config\\state[\\/]bulk[\\/][0-9a-f]{32}\.ndjson$/);
        assert.match((await wm(2, 0)).errors, /2 of 3 rows are done, 1 unknown\n/);
        assert.match((await wm(0, 1, '--resume')).errors, /^Sent before without a response.*line 2 \(/m);
        for (const id of ids) assert.equal((await task(id)).title, 'one');
        await control('faults', { request: 'updateTask', cutAfter: 0, when: 'after', times: 3 });
        await wm(8, 5);
        await wm(0, 3, '--restart');
        assert.match((await wm(0, 3, '--resume')).errors, /^Nothing to resume/m);
      });
    });
  }

  if (suite === 'deep') return;

  test('names the token file that another process keeps open', async () => {
    const disk = createWindowsDisk();
    const environment = { WM_CONFIG_DIR: person.folder, WM_TOKEN_STORE: 'file' };
    const world = windowsWorld(environment, person.folder, disk);
    const login = ['login', '--with-token', '--host', service.host];
    await person.wm(login, { world, input: secrets.access });
    const path = join(person.folder, 'tokens', 'default.json');
    const reader = await disk.system.promises.open(path, 'r');
    const ran = await person.wm(login, { exit: 1, world, input: secrets.access });
    await reader.close();
    assert.match(ran.errors, /EPERM/);
    assert.ok(ran.errors.replaceAll('\\', '/').includes(path), ran.errors);
    assert.equal((await person.item()).accessToken, secrets.access);
  });

  test('shows the holder of a lock on Windows to a waiting process', async () => {
    const disk = createWindowsDisk();
    const lock = createLock('win32', createWorld().clock, disk.system);
    const path = join(person.folder, 'a.lock');
    const held = await lock.acquire(path, { timeoutMs: 0 });
    assert.ok(held);
    assert.equal(await lock.acquire(path, { timeoutMs: 0 }), undefined);
    assert.equal((await lock.holder(path))?.pid, process.pid);
    await held.release();
    assert.equal(await lock.holder(path), undefined);
    const next = await lock.acquire(path, { timeoutMs: 0 });
    assert.equal((await lock.holder(path))?.pid, process.pid);
    await next?.release();
    assert.deepEqual(disk.open(), []);
  });
}
