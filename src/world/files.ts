// Reads and writes files whole, and knows where settings are kept. The folder is worked out here rather than by the
// package env-paths, which looks at the process's own environment, once, while it is being loaded; so it could neither
// be given another environment nor be loaded on demand for a property that is read at once.

import { mkdir, mkdtemp, open, readFile, rm, unlink } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { Environment, Files } from './world.ts';

export function createFiles(
  environment: Environment,
  platform: NodeJS.Platform,
  currentFolder: string = process.cwd(),
): Files {
  const chosen = environment['WM_CONFIG_DIR'];
  return {
    configFolder: chosen ? resolve(currentFolder, chosen) : usualFolder(environment, platform),
    configFolderIsDefault: !chosen,
    currentFolder,
    async read(path) {
      try {
        return await readFile(path);
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    async write(path, content, { mode }) {
      const { default: writeFileAtomic } = await import('write-file-atomic');
      const folder = dirname(path);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const bytes = typeof content === 'string' ? Buffer.from(content) : Buffer.from(content);
      await writeFileAtomic(path, bytes, { mode, fsync: true });
      if (platform !== 'win32') await syncFolder(folder);
    },
    async remove(path) {
      try {
        await unlink(path);
        return true;
      } catch (error) {
        if (isMissing(error)) return false;
        throw error;
      }
    },
    makeTemporaryFolder: (prefix) => mkdtemp(join(tmpdir(), prefix)),
    removeFolder: (path) => rm(path, { recursive: true, force: true, maxRetries: 3 }),
  };
}

function usualFolder(environment: Environment, platform: NodeJS.Platform): string {
  const xdg = environment['XDG_CONFIG_HOME'];
  // The XDG specification says to ignore a relative one.
  if (xdg && isAbsolute(xdg)) return join(xdg, 'wm');
  const home = environment[platform === 'win32' ? 'USERPROFILE' : 'HOME'] || homedir();
  if (platform === 'win32') return join(environment['APPDATA'] || join(home, 'AppData', 'Roaming'), 'wm');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'wm');
  return join(home, '.config', 'wm');
}

/** The new name of a file is on the disk only when its folder is. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
