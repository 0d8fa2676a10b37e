// Folders and paths under wine: the usual ones, with spaces and letters of other languages, on a share, and long ones.

import assert from 'node:assert/strict';
import { mkdir, readdir, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setWindows, testRows, type Windows } from './wine.ts';

/** Signs in, updates and undoes with the folder. No path in what is printed mixes the slashes. */
async function work(windows: Windows, folder: string): Promise<void> {
  const environment = { WM_TOKEN_STORE: 'file', WM_CONFIG_DIR: folder };
  const { host, token, sampleTask: id } = windows.emulator;
  const printed: string[] = [];
  const wm = async (typed: readonly string[], input?: string) => {
    const ran = await windows.good(typed, { environment, ...(input === undefined ? {} : { input }) });
    printed.push(ran.output, ran.errors);
    return ran;
  };
  const signedIn = await wm(['login', '--with-token', '--host', host, '--verbose'], `${token}\n`);
  assert.match(signedIn.errors, /default\.json/);
  await wm(['config', 'set', 'timeout', '40']);
  assert.match((await wm(['config', 'list'])).output, /^timeout\t40$/m);
  await windows.put('two.csv', `id,title\n${id},Ä\n`);
  const bulk = await wm([
    'task',
    'update',
    '--from',
    windows.path('two.csv'),
    '--undoable',
    '--yes',
    '--verbose',
  ]);
  assert.ok(bulk.errors.includes(`Journal: ${folder}\\state\\bulk\\`), bulk.errors);
  await wm(['task', 'undo', id, '--yes', '--verbose']);
  await wm(['history', '--verbose']);
  await wm(['doctor']);
  await wm(['logout', '--yes', '--verbose']);
  for (const text of printed) assert.doesNotMatch(text, /\\[^\s"]*[^\s":]\/[^/]|[A-Z]:\/[^/]/);
}

testRows(['Folders with spaces and letters of any language'], async (test) => {
  const windows = await setWindows(test);
  await work(windows, windows.path('Jö Bär & 日本', 'wm'));
});

testRows(['Paths over 260 characters, UNC'], async (test) => {
  const windows = await setWindows(test);
  await work(windows, windows.path('long'.repeat(40), 'path'.repeat(40), 'wm'));
  const share = resolve('build/windows/prefix/dosdevices/unc/server');
  await mkdir(share, { recursive: true });
  const name = windows.folder.split('/').at(-1) ?? '';
  await symlink(windows.folder, join(share, name));
  await work(windows, `\\\\server\\${name}\\wm`);
});

testRows(['Folder of settings', 'Folder of records', 'A relative WM_CONFIG_DIR'], async (test) => {
  const windows = await setWindows(test, { signedOut: false });
  const placeWith = async (folder: string | undefined) => {
    const ran = await windows.good(['config', 'list'], { environment: { WM_CONFIG_DIR: folder } });
    return /stored in (.*)\\config\.json/.exec(ran.errors)?.[1];
  };
  const usual = await placeWith(undefined);
  assert.match(usual ?? '', /^C:\\users\\\w+\\AppData\\Roaming\\wm$/);
  assert.equal(await placeWith('a/../b'), windows.path('b'));
  assert.equal(await placeWith('\\wm x'), 'C:\\wm x');

  const environment = { WM_CONFIG_DIR: undefined };
  await windows.good(['task', 'update', windows.emulator.sampleTask, '--status', 'Completed'], {
    environment,
  });
  const user = usual?.split('\\')[2] ?? '';
  const records = resolve('build/windows/prefix/drive_c/users', user, 'AppData/Local/wm');
  assert.ok((await readdir(records)).includes('history'));
});

testRows(['Completion in PowerShell'], async (test) => {
  const windows = await setWindows(test);
  assert.match((await windows.good(['completion', 'powershell'])).output, /Register-ArgumentCompleter/);
  const ran = await windows.wm(['completion', 'install']);
  assert.equal(ran.status, 1, ran.errors);
  assert.match(ran.errors, /Add this line to your profile: if \(Get-Command wm /);
});
