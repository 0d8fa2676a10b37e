// The folders for settings and records, by the rules of a platform, which in a test need not be the one that it runs on. Our
// own code rather than the package env-paths, which reads the process's own environment once, while it is loaded.

import { homedir, userInfo } from 'node:os';
import { join, type PlatformPath, parse, posix, win32 } from 'node:path';
import type { Environment } from './world.ts';

export function pathRules(platform: NodeJS.Platform): PlatformPath {
  return platform === 'win32' ? win32 : posix;
}

/** The default folder for settings: the platform's, or below XDG_CONFIG_HOME. */
export function defaultConfigFolder(environment: Environment, platform: NodeJS.Platform): string {
  const xdg = absoluteFolder(environment['XDG_CONFIG_HOME'], platform);
  return xdg === undefined
    ? platformConfigFolder(environment, platform)
    : pathRules(platform).join(xdg, 'wm');
}

/** The platform's folder for settings, whatever XDG_CONFIG_HOME says. */
export function platformConfigFolder(environment: Environment, platform: NodeJS.Platform): string {
  const paths = pathRules(platform);
  const home = homeFolder(environment, platform);
  if (platform === 'win32')
    return paths.join(
      absoluteFolder(environment['APPDATA'], platform) ?? paths.join(home, 'AppData', 'Roaming'),
      'wm',
    );
  if (platform === 'darwin') return paths.join(home, 'Library', 'Application Support', 'wm');
  return paths.join(home, '.config', 'wm');
}

/** The default folder for journals and the undo log: the platform's, or below XDG_STATE_HOME. */
export function defaultStateFolder(environment: Environment, platform: NodeJS.Platform): string {
  const paths = pathRules(platform);
  const xdg = absoluteFolder(environment['XDG_STATE_HOME'], platform);
  if (xdg !== undefined) return paths.join(xdg, 'wm');
  if (platform === 'darwin') return paths.join(defaultConfigFolder(environment, platform), 'state');
  const home = homeFolder(environment, platform);
  if (platform === 'win32')
    return paths.join(
      absoluteFolder(environment['LOCALAPPDATA'], platform) ?? paths.join(home, 'AppData', 'Local'),
      'wm',
    );
  return paths.join(home, '.local', 'state', 'wm');
}

/** The home folder that the environment names, or the system's. */
export function homeFolder(environment: Environment, platform: NodeJS.Platform): string {
  const named = environment[platform === 'win32' ? 'USERPROFILE' : 'HOME'];
  if (named && pathRules(platform).isAbsolute(named)) return named;
  // `homedir` would return a relative path too.
  return folderOrNonexistent(named === undefined ? homedir : () => userInfo().homedir);
}

/** If the system cannot tell (the folder was deleted, or the user is unknown), a path where nothing exists. */
export function folderOrNonexistent(system: () => string): string {
  try {
    return system();
  } catch {
    return join(parse(process.execPath).root, 'nonexistent');
  }
}

/** A relative folder, or on Windows one without a drive, is ignored, as the XDG specification demands. */
function absoluteFolder(folder: string | undefined, platform: NodeJS.Platform): string | undefined {
  if (!folder || !pathRules(platform).isAbsolute(folder)) return undefined;
  const isOnDrive = platform !== 'win32' || win32.parse(folder).root.length > 1;
  return isOnDrive ? folder : undefined;
}
