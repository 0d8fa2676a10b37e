// Where settings and records are kept, for every platform, by its own rules for paths: on whatever system this runs.

import assert from 'node:assert/strict';
import { homedir, userInfo } from 'node:os';
import { posix, win32 } from 'node:path';
import { test } from 'node:test';
import { createFiles } from '#world/files.ts';

interface Folders {
  readonly config: string;
  readonly state: string;
  readonly isDefault?: boolean;
}

type Row = readonly [
  name: string,
  environment: Readonly<Record<string, string>>,
  folders: Folders,
  currentFolder?: string,
];

const person = 'C:\\Users\\Jo Bär';
const roaming = `${person}\\AppData\\Roaming`;
const local = `${person}\\AppData\\Local`;
const usual = { USERPROFILE: person, APPDATA: roaming, LOCALAPPDATA: local };
const usualFolders = { config: `${roaming}\\wm`, state: `${local}\\wm`, isDefault: true };
const onWindows = (config: string) => ({ config, state: `${config}\\state` });
const onPosix = (config: string) => ({ config, state: `${config}/state` });

const windows: readonly Row[] = [
  ['as Windows sets it', usual, usualFolders],
  ['without APPDATA and LOCALAPPDATA', { USERPROFILE: person }, usualFolders],
  ['APPDATA and LOCALAPPDATA empty', { ...usual, APPDATA: '', LOCALAPPDATA: '' }, usualFolders],
  [
    'APPDATA relative, or on the current drive',
    { ...usual, APPDATA: 'here', LOCALAPPDATA: '\\there' },
    usualFolders,
  ],
  [
    'APPDATA on a share, as with roaming profiles',
    { ...usual, APPDATA: '\\\\server\\people$\\jo' },
    { ...usualFolders, config: '\\\\server\\people$\\jo\\wm' },
  ],
  [
    'XDG folders on a drive',
    { ...usual, XDG_CONFIG_HOME: 'D:/xdg', XDG_STATE_HOME: 'd:\\state\\' },
    { config: 'D:\\xdg\\wm', state: 'd:\\state\\wm' },
  ],
  [
    'XDG folders without a drive are none',
    { ...usual, XDG_CONFIG_HOME: '/home/jo/.config', XDG_STATE_HOME: 'D:state' },
    usualFolders,
  ],
  ['WM_CONFIG_DIR on a drive', { ...usual, WM_CONFIG_DIR: 'D:\\wm' }, onWindows('D:\\wm')],
  ['WM_CONFIG_DIR with slashes', { ...usual, WM_CONFIG_DIR: 'D:/one/../wm/' }, onWindows('D:\\wm')],
  [
    'WM_CONFIG_DIR on a share',
    { ...usual, WM_CONFIG_DIR: '\\\\server\\share\\wm' },
    onWindows('\\\\server\\share\\wm'),
  ],
  [
    'WM_CONFIG_DIR with the prefix for long paths',
    { ...usual, WM_CONFIG_DIR: '\\\\?\\D:\\wm' },
    onWindows('\\\\?\\D:\\wm'),
  ],
  ['WM_CONFIG_DIR relative', { ...usual, WM_CONFIG_DIR: '..\\.wm' }, onWindows('C:\\.wm')],
  [
    'WM_CONFIG_DIR relative, on a share',
    { ...usual, WM_CONFIG_DIR: '..\\..\\..\\wm' },
    onWindows('\\\\server\\share\\wm'),
    '\\\\server\\share\\deep',
  ],
  ['WM_CONFIG_DIR on the current drive', { ...usual, WM_CONFIG_DIR: '\\wm' }, onWindows('C:\\wm')],
  [
    'WM_CONFIG_DIR relative to a drive’s folder',
    { ...usual, WM_CONFIG_DIR: 'C:wm' },
    onWindows('C:\\work\\wm'),
  ],
  [
    'WM_CONFIG_DIR is the usual folder',
    { ...usual, WM_CONFIG_DIR: `${roaming}/wm/` },
    { ...onWindows(`${roaming}\\wm`), isDefault: true },
  ],
  ['HOME is no folder of Windows', { ...usual, HOME: '/home/jo' }, usualFolders],
  [
    'no variable at all',
    {},
    {
      config: win32.join(homedir(), 'AppData', 'Roaming', 'wm'),
      state: win32.join(homedir(), 'AppData', 'Local', 'wm'),
      isDefault: true,
    },
  ],
];

const HOME = '/home/jo';
const library = { ...onPosix('/home/jo/Library/Application Support/wm'), isDefault: true };
const mac: readonly Row[] = [
  ['as macOS sets it', { HOME }, library],
  [
    'variables of Windows are nothing',
    { HOME, APPDATA: '/a', LOCALAPPDATA: '/l', USERPROFILE: '/u' },
    library,
  ],
  ['XDG folders', { HOME, XDG_CONFIG_HOME: '/x', XDG_STATE_HOME: '/s' }, { config: '/x/wm', state: '/s/wm' }],
  ['XDG_CONFIG_HOME alone', { HOME, XDG_CONFIG_HOME: '/x' }, onPosix('/x/wm')],
  [
    'WM_CONFIG_DIR before XDG_STATE_HOME',
    { HOME, XDG_STATE_HOME: '/x', WM_CONFIG_DIR: 'here' },
    onPosix('/work/here'),
  ],
  ['a backslash is part of a name', { HOME, WM_CONFIG_DIR: 'a\\b' }, onPosix('/work/a\\b')],
];

const below = (home: string) => ({
  config: posix.join(home, '.config', 'wm'),
  state: posix.join(home, '.local', 'state', 'wm'),
  isDefault: true,
});
const linux: readonly Row[] = [
  ['without XDG folders', { HOME }, below(HOME)],
  [
    'XDG folders',
    { HOME, XDG_CONFIG_HOME: '/x/', XDG_STATE_HOME: '/s' },
    { config: '/x/wm', state: '/s/wm' },
  ],
  [
    'XDG folders that are relative, or of Windows',
    { HOME, XDG_CONFIG_HOME: 'x', XDG_STATE_HOME: 'C:\\s' },
    below(HOME),
  ],
  ['XDG_STATE_HOME alone', { HOME, XDG_STATE_HOME: '/x' }, { ...below(HOME), state: '/x/wm' }],
  ['XDG_CONFIG_HOME empty', { HOME, XDG_CONFIG_HOME: '' }, below(HOME)],
  ['WM_CONFIG_DIR relative', { HOME, WM_CONFIG_DIR: '../.wm/' }, onPosix('/.wm')],
  ['WM_CONFIG_DIR before XDG folders', { HOME, XDG_CONFIG_HOME: '/x', WM_CONFIG_DIR: '/w' }, onPosix('/w')],
  ['WM_CONFIG_DIR empty', { HOME, WM_CONFIG_DIR: '' }, below(HOME)],
  ['no variable at all', {}, below(homedir())],
  // What is no whole path would be another folder in every current folder.
  ['HOME empty', { HOME: '' }, below(userInfo().homedir)],
  ['HOME relative', { HOME: 'relative' }, below(userInfo().homedir)],
];

for (const [platform, rows, work] of [
  ['win32', windows, 'C:\\work'],
  ['darwin', mac, '/work'],
  ['linux', linux, '/work'],
] as const)
  for (const [name, environment, { config, state, isDefault = false }, at = work] of rows)
    test(`${platform}: ${name}`, () => {
      const files = createFiles(environment, platform, at);
      assert.deepEqual(
        [files.configFolder, files.stateFolder, files.isDefaultConfigFolder, files.currentFolder],
        [config, state, isDefault, at],
      );
    });
