// Changes to a file of settings lose nothing: neither those of others at the same time, nor what is in the file when the disk
// is full.

import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { settingNames, settings } from '#cli/settings/setting-table.ts';
import { createFaultySystem } from '#test/support/disk/faulty-system.ts';
import { printedCommand } from '#test/support/program/printed.ts';
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

test('does not write through a symbolic link named .wm.json in a folder', async (t) => {
  const { wm, folder } = await stageSettings(t);
  const target = join(folder, 'other.json');
  await symlink(target, join(folder, '.wm.json'));
  for (const content of [undefined, '{}']) {
    if (content !== undefined) await writeFile(target, content);
    const { errors } = await wm(['config', 'set', 'timeout', '5', '--directory'], { exit: 2 });
    assert.match(errors, /\.wm\.json is a link\n {2}Edit the file that it leads to: \S+other\.json\n/);
  }
  assert.equal(await readFile(target, 'utf8'), '{}');
});

test('removes empty sections and members, and keeps the others', async (t) => {
  const { wm, path, folder } = await stageSettings(t);
  const content = async () => JSON.parse(await readFile(path, 'utf8'));
  await wm(['config', 'set', 'timeout', '5', '--profile', 'a']);
  await wm(['config', 'set', 'color', 'false', '--profile', 'a']);
  await wm(['config', 'set', 'timeout', '6', '--profile', 'b']);
  await wm(['config', 'unset', 'timeout', '--profile', 'a']);
  assert.deepEqual(await content(), { profiles: { a: { color: false }, b: { timeout: 6 } } });
  await wm(['config', 'unset', 'color', '--profile', 'a']);
  assert.deepEqual(await content(), { profiles: { b: { timeout: 6 } } });
  await wm(['config', 'unset', 'timeout', '--profile', 'b']);
  assert.deepEqual(await content(), {});
  const json = await wm(['config', 'unset', 'timeout', '--profile', 'b', '--json']);
  assert.deepEqual(JSON.parse(json.output), { key: 'timeout', removed: false });
  const both = await wm(['config', 'set', 'timeout', '5', '--profile', 'b', '--directory']);
  assert.deepEqual([both.status, await readdir(folder)], [2, ['config']]);
});

for (const [content, line] of [
  ['[]', 1],
  ['{\n"profiles": 5\n}', 2],
  ['\n\n{ "a" }', 3],
] as const) {
  test(`leaves a file alone if a setting does not fit into it: ${JSON.stringify(content)}`, async (t) => {
    const { wm, path, folder } = await stageSettings(t);
    await mkdir(join(folder, 'config'));
    await writeFile(path, content);
    const { errors } = await wm(['config', 'set', 'timeout', '5', '--profile', 'a'], { exit: 2 });
    assert.ok(errors.startsWith(`wm: ${path}, line ${line}: `), errors);
    assert.equal(await readFile(path, 'utf8'), content);
  });
}

for (const [content, name] of [
  ['', '0 bytes'],
  ['\0'.repeat(64), 'NUL bytes'],
  ['\r\n', 'a line break'],
] as const)
  test(`an empty config.json counts as no settings, with one warning; an empty .wm.json is an error: ${name}`, async (t) => {
    const { wm, folder, path } = await stageSettings(t);
    await mkdir(join(folder, 'config'));
    await writeFile(path, content);
    const warning = `${path} is empty, perhaps after a crash: none of its settings apply. Restore or remove it.\n`;
    for (const argv of [
      ['webhook', 'events'],
      ['config', 'list'],
    ]) {
      const ran = await wm(argv, { exit: 0 });
      assert.ok(ran.errors.startsWith(warning), ran.errors);
      assert.equal(ran.errors.match(/is empty/g)?.length, 1, ran.errors);
    }
    await wm(['config', 'set', 'timeout', '40'], { exit: 0 });
    assert.deepEqual(JSON.parse(await readFile(path, 'utf8')), { timeout: 40 });
    assert.equal((await wm(['webhook', 'events'])).errors, '');
    await writeFile(join(folder, '.wm.json'), content);
    const inFolder = await wm(['webhook', 'events'], { exit: 2 });
    assert.match(inFolder.errors, /\.wm\.json/);
  });

test('names each mistake in a settings file with its line, and the hint removes it', async (t) => {
  const { wm, path, folder } = await stageSettings(t);
  const mistakes = [
    ['"profile": "a"', 'profile cannot be set in this file'],
    ['"timeout": "5"', 'timeout: "5" is not a number'],
    ['"client-id": ""', 'client-id: "" must not be empty'],
    ['"color": 5', 'color: 5 is not one of true, false'],
    ['"auth-url": "https://a.example"'],
    ['"auth-url": "https://a.example"', '"auth-url" appears twice in one object'],
    ['"profiles": { "a": 5', 'the settings of the profile a are not an object'],
    ['"-": {}', '"-" is not a profile name'],
    ['"b": { "read-only": true }}', 'read-only of a profile is stored with its sign-in, not in this file'],
  ];
  await mkdir(join(folder, 'config'));
  await writeFile(path, `{\n${mistakes.map(([text]) => text).join(',\n')}\n}`);
  const rows: { check: string; found: string; remedy: string }[] = JSON.parse(
    (await wm(['doctor', '--json'])).output,
  );
  const found = rows.filter(({ check }) => check === 'settings');
  assert.deepEqual(
    found.map((row) => row.found.replace(`${path}, `, '')),
    mistakes.flatMap(([, problem], index) => (problem ? [`line ${index + 2}: ${problem}`] : [])),
  );
  const removable = found.filter(({ remedy }) => remedy.includes('To remove it: '));
  for (const { remedy } of removable) await wm(printedCommand(remedy, 'To remove it: '), { exit: 0 });
  assert.deepEqual(JSON.parse(await readFile(path, 'utf8')), {
    'auth-url': 'https://a.example',
    profiles: { a: 5, '-': {} },
  });

  await writeFile(path, '\xff', 'latin1');
  const { errors } = await wm(['config', 'list']);
  assert.ok(errors.startsWith(`wm: ${path}, line 1: the file is not UTF-8 text\n`), errors);
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
