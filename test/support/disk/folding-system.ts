// The file system of the test with names as macOS or Windows compare them: a file is found under other spellings of its
// name, and keeps the spelling that it was made with. Where the test itself runs there, the disk does so already.

import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { FileSystem } from '#world/file-system.ts';

export type Folding = 'darwin' | 'win32';

/** APFS looks at neither case nor the form of accents, NTFS at no case. */
const isSameName: Readonly<Record<Folding, (one: string, other: string) => boolean>> = {
  darwin: (one, other) => one.normalize('NFC').toLowerCase() === other.normalize('NFC').toLowerCase(),
  win32: (one, other) => one.toUpperCase() === other.toUpperCase(),
};

/** `system` with the paths of that platform. */
export function foldingSystem(system: FileSystem, platform: Folding): FileSystem {
  const at = (path: string) => foundAs(path, platform);
  const shown = (path: string) =>
    platform === 'win32' && process.platform !== 'win32' ? path.replaceAll('/', '\\') : path;
  const { promises: disk } = system;
  return {
    ...system,
    promises: {
      open: (path, flags, mode) => disk.open(at(path), flags, mode),
      stat: (path, options) => disk.stat(at(path), options),
      statfs: (path) => disk.statfs(at(path)),
      realpath: async (path) => shown(await disk.realpath(at(path))),
      readlink: (path) => disk.readlink(at(path)),
      readdir: (path) => disk.readdir(at(path)),
      mkdir: (path, options) => disk.mkdir(at(path), options),
      mkdtemp: (prefix) => disk.mkdtemp(at(prefix)),
      rename: (from, to) => disk.rename(at(from), at(to)),
      unlink: (path) => disk.unlink(at(path)),
      rm: (path, options) => disk.rm(at(path), options),
    },
    readdirSync: (path) => system.readdirSync(at(path)),
    statSync: (path, options) => system.statSync(at(path), options),
    lstatSync: (path, options) => system.lstatSync(at(path), options),
    openSync: (path, flags, mode) => system.openSync(at(path), flags, mode),
    readFileSync: (path) => system.readFileSync(at(path)),
    realpathSync: { native: (path) => shown(system.realpathSync.native(at(path))) },
  };
}

/** The path as the disk of the test spells it; names that are not there stay as they are. */
function foundAs(path: string, platform: Folding): string {
  if (process.platform === platform) return path;
  const parts = (platform === 'win32' ? path.replaceAll('\\', '/') : path).split('/');
  let found = parts[0] === '' ? '/' : '';
  for (const part of parts) {
    if (part === '') continue;
    const exact = join(found, part);
    const isExact = lstatSync(exact, { throwIfNoEntry: false }) !== undefined;
    found = isExact ? exact : join(found, otherSpelling(found, part, platform) ?? part);
  }
  return found;
}

function otherSpelling(folder: string, name: string, platform: Folding): string | undefined {
  try {
    return readdirSync(folder || '.').find((one) => isSameName[platform](one, name));
  } catch {
    return undefined;
  }
}
