// Where settings and records are kept, for every platform, by its own rules for paths: on whatever system this runs.

import assert from 'node:assert/strict';
import { homedir } from 'node:os';
import { posix, win32 } from 'node:path';
import { test } from 'node:test';
import { createFiles } from '#world/files.ts';

interface Row {
  readonly at?: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly config: string;
  readonly state: string;
  readonly isDefault?: boolean;
}

const person = 'C:\\Users\\Jo Bär';
const roaming = `${person}\\AppData\\Roaming`;
const local = `${person}\\AppData\\Local`;
const usual = { USERPROFILE: person, APPDATA: roaming, LOCALAPPDATA: local };
const usualState = `${local}\\wm`;

const windows: Readonly<Record<string, Row>> = {
  'as Windows sets it': {
    environment: usual,
    config: `${roaming}\\wm`,
    state: usualState,
    isDefault: true,
  },
  'without APPDATA and LOCALAPPDATA': {
    environment: { USERPROFILE: person },
    config: `${roaming}\\wm`,
    state: usualState,
    isDefault: true,
  },
  'APPDATA and LOCALAPPDATA empty': {
    environment: { ...usual, APPDATA: '', LOCALAPPDATA: '' },
    config: `${roaming}\\wm`,
    state: usualState,
    isDefault: true,
  },
  'APPDATA relative, or on the current drive': {
    environment: { ...usual, APPDATA: 'here', LOCALAPPDATA: '\\there' },
    config: `${roaming}\\wm`,
    state: usualState,
    isDefault: true,
  },
  'APPDATA on a share, as with roaming profiles': {
    environment: { ...usual, APPDATA: '\\\\server\\people$\\jo' },
    config: '\\\\server\\people$\\jo\\wm',
    state: usualState,
    isDefault: true,
  },
  'XDG folders on a drive': {
    environment: { ...usual, XDG_CONFIG_HOME: 'D:/xdg', XDG_STATE_HOME: 'd:\\state\\' },
    config: 'D:\\xdg\\wm',
    state: 'd:\\state\\wm',
  },
  'XDG folders without a drive are none': {
    environment: { ...usual, XDG_CONFIG_HOME: '/home/jo/.config', XDG_STATE_HOME: 'D:state' },
    config: `${roaming}\\wm`,
    state: usualState,
    isDefault: true,
  },
  'WM_CONFIG_DIR on a drive': {
    environment: { ...usual, WM_CONFIG_DIR: 'D:\\wm' },
    config: 'D:\\wm',
    state: 'D:\\wm\\state',
  },
  'WM_CONFIG_DIR with slashes': {
    environment: { ...usual, WM_CONFIG_DIR: 'D:/one/../wm/' },
    config: 'D:\\wm',
    state: 'D:\\wm\\state',
  },
  'WM_CONFIG_DIR on a share': {
    environment: { ...usual, WM_CONFIG_DIR: '\\\\server\\share\\wm' },
    config: '\\\\server\\share\\wm',
    state: '\\\\server\\share\\wm\\state',
  },
  'WM_CONFIG_DIR with the prefix for long paths': {
    environment: { ...usual, WM_CONFIG_DIR: '\\\\?\\D:\\wm' },
    config: '\\\\?\\D:\\wm',
    state: '\\\\?\\D:\\wm\\state',
  },
  'WM_CONFIG_DIR relative': {
    environment: { ...usual, WM_CONFIG_DIR: '..\\.wm' },
    config: 'C:\\.wm',
    state: 'C:\\.wm\\state',
  },
  'WM_CONFIG_DIR relative, on a share': {
    at: '\\\\server\\share\\deep',
    environment: { ...usual, WM_CONFIG_DIR: '..\\..\\..\\wm' },
    config: '\\\\server\\share\\wm',
    state: '\\\\server\\share\\wm\\state',
  },
  'WM_CONFIG_DIR on the current drive': {
    environment: { ...usual, WM_CONFIG_DIR: '\\wm' },
    config: 'C:\\wm',
    state: 'C:\\wm\\state',
  },
  'WM_CONFIG_DIR relative to a drive’s folder': {
    environment: { ...usual, WM_CONFIG_DIR: 'C:wm' },
    config: 'C:\\work\\wm',
    state: 'C:\\work\\wm\\state',
  },
  'WM_CONFIG_DIR is the usual folder': {
    environment: { ...usual, WM_CONFIG_DIR: `${roaming}/wm/` },
    config: `${roaming}\\wm`,
    state: `${roaming}\\wm\\state`,
    isDefault: true,
  },
  'HOME is no folder of Windows': {
    environment: { ...usual, HOME: '/home/jo' },
    config: `${roaming}\\wm`,
    state: usualState,
    isDefault: true,
  },
  'no variable at all': {
    environment: {},
    config: win32.join(homedir(), 'AppData', 'Roaming', 'wm'),
    state: win32.join(homedir(), 'AppData', 'Local', 'wm'),
    isDefault: true,
  },
};

const library = '/Users/jo/Library/Application Support/wm';
const mac: Readonly<Record<string, Row>> = {
  'as macOS sets it': {
    environment: { HOME: '/Users/jo' },
    config: library,
    state: `${library}/state`,
    isDefault: true,
  },
  'variables of Windows are nothing': {
    environment: { HOME: '/Users/jo', APPDATA: '/a', LOCALAPPDATA: '/l', USERPROFILE: '/u' },
    config: library,
    state: `${library}/state`,
    isDefault: true,
  },
  'XDG folders': {
    environment: { HOME: '/Users/jo', XDG_CONFIG_HOME: '/x', XDG_STATE_HOME: '/s' },
    config: '/x/wm',
    state: '/s/wm',
  },
  'XDG_CONFIG_HOME alone': {
    environment: { HOME: '/Users/jo', XDG_CONFIG_HOME: '/x' },
    config: '/x/wm',
    state: '/x/wm/state',
  },
  'a backslash is part of a name': {
    environment: { HOME: '/Users/jo', WM_CONFIG_DIR: 'a\\b' },
    config: '/work/a\\b',
    state: '/work/a\\b/state',
  },
};

const linux: Readonly<Record<string, Row>> = {
  'without XDG folders': {
    environment: { HOME: '/home/jo' },
    config: '/home/jo/.config/wm',
    state: '/home/jo/.local/state/wm',
    isDefault: true,
  },
  'XDG folders': {
    environment: { HOME: '/home/jo', XDG_CONFIG_HOME: '/x/', XDG_STATE_HOME: '/s' },
    config: '/x/wm',
    state: '/s/wm',
  },
  'XDG folders that are relative, or of Windows': {
    environment: { HOME: '/home/jo', XDG_CONFIG_HOME: 'x', XDG_STATE_HOME: 'C:\\s' },
    config: '/home/jo/.config/wm',
    state: '/home/jo/.local/state/wm',
    isDefault: true,
  },
  'WM_CONFIG_DIR relative': {
    environment: { HOME: '/home/jo', WM_CONFIG_DIR: '../.wm/' },
    config: '/.wm',
    state: '/.wm/state',
  },
  'no variable at all': {
    environment: {},
    config: posix.join(homedir(), '.config', 'wm'),
    state: posix.join(homedir(), '.local', 'state', 'wm'),
    isDefault: true,
  },
};

for (const [platform, rows] of [
  ['win32', windows],
  ['darwin', mac],
  ['linux', linux],
] as const) {
  for (const [name, { at, environment, config, state, isDefault = false }] of Object.entries(rows)) {
    test(`${platform}: ${name}`, () => {
      const files = createFiles(environment, platform, at ?? (platform === 'win32' ? 'C:\\work' : '/work'));
      assert.deepEqual(
        [files.configFolder, files.stateFolder, files.isDefaultConfigFolder],
        [config, state, isDefault],
      );
    });
  }
}
