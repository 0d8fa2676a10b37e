// Changes to a file of settings lose nothing: neither those of others at the same time, nor what is in the file when the disk
// is full.

import assert from 'node:assert/strict';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { settingNames, settings } from '#cli/settings/setting-table.ts';
import { createFaultySystem } from '#test/support/disk/faulty-system.ts';
import { run } from '#test/support/program/program.ts';
import { createWorld } from '#world/create-world.ts';
import { createFiles } from '#world/files.ts';
import { createLock } from '#world/lock.ts';
import type { Environment } from '#world/world.ts';
import { stageSettings } from './settings-stage.ts';

test('concurrent changes are all in the file', async (t) => {
  const { wm, path } = await stageSettings(t);
  const names = Array.from({ length: 20 }, (_, at) => `p${at}`);
  const ran = await Promise.all([
    ...names.map((name, at) => wm(['config', 'set', 'timeout', `${at + 1}`, '--profile', name])),
    wm(['config', 'set', 'color', 'false']),
    wm(['config', 'set', 'client-id', 'app']),
  ]);
  for (const { status, errors } of ran) assert.equal(status, 0, errors);
  const { profiles, ...others } = JSON.parse(await readFile(path, 'utf8'));
  assert.deepEqual(others, { color: false, 'client-id': 'app' });
  assert.deepEqual(profiles, Object.fromEntries(names.map((name, at) => [name, { timeout: at + 1 }])));
  assert.equal((await stat(path)).mode & 0o777, 0o600);
});

test('config list says where settings are stored, or would be', async (t) => {
  const { wm, path } = await stageSettings(t);
  assert.ok((await wm(['config', 'list'])).errors.startsWith(`The settings would be stored in ${path}.`));
  await wm(['config', 'set', 'timeout', '5']);
  assert.ok((await wm(['config', 'list'])).errors.startsWith(`The settings are in ${path}.`));
});

test('config list shows each value unchanged with its source, even an invalid variable', async (t) => {
  const { path, folder, environment } = await stageSettings(t);
  const list = async (variables: Environment) => {
    const argv = ['config', 'list', '--json', '--timeout', '7'];
    const files = createFiles(environment, process.platform, folder);
    const ran = await run(argv, { environment: { ...environment, ...variables }, world: { files } });
    const rows: { key: string; value: unknown; from: string; origin: string }[] = JSON.parse(ran.output);
    return (key: string) => {
      const row = rows.find((row) => row.key === key);
      return [row?.value, row?.from, row?.origin];
    };
  };
  await mkdir(join(folder, 'config'));
  await writeFile(path, '{ "read-only": true }');
  const shown = await list({
    ...{ WM_PROFILE: 'work', WM_AUTH_URL: 'ftp://x', WM_TOKEN_STORE: 'x', WM_CALLBACK_PORT: '8400' },
    ...{ CLICOLOR_FORCE: '0', CI: '1' },
  });
  assert.deepEqual(shown('profile'), ['work', 'environment', 'WM_PROFILE']);
  assert.deepEqual(shown('auth-url'), ['ftp://x', 'environment', 'WM_AUTH_URL']);
  assert.deepEqual(shown('token-store'), ['x', 'environment', 'WM_TOKEN_STORE']);
  assert.deepEqual(shown('callback-port'), [8400, 'environment', 'WM_CALLBACK_PORT']);
  assert.deepEqual(shown('timeout'), [7, 'flag', '--timeout']);
  assert.deepEqual(shown('read-only'), [true, 'user', path]);
  assert.deepEqual(shown('color'), [true, 'default', 'default']);
  assert.deepEqual(shown('input'), [false, 'environment', 'CI']);
});

test('waits for a lock that another process holds, then names it', async (t) => {
  const { wm, environment, folder, path } = await stageSettings(t);
  const { system } = createFaultySystem();
  const lock = createLock(process.platform, createWorld().clock, system);
  const busy = { ...lock, acquire: async () => undefined, holder: async () => undefined };
  const files = createFiles(environment, process.platform, folder);
  const { errors } = await wm(['config', 'set', 'timeout', '5'], { exit: 1, world: { files, lock: busy } });
  assert.match(errors, /^wm: Another wm is still changing the settings\n[\s\S]*The settings are unchanged\./);
  await assert.rejects(readFile(path));
});

test('docs/config-file.md has a line for each setting, with its help', async () => {
  const page = await readFile('docs/config-file.md', 'utf8');
  const listed = [...page.matchAll(/^\| `([\w-]+)` +\|[^|]*\| (.*?) *\|/gm)].map(([, name, help]) => [
    name,
    help,
  ]);
  assert.deepEqual(
    listed,
    settingNames.map((name) => [name, settings[name].help]),
  );
});
