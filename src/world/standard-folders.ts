// Finds the folders for settings and records by the rules of a platform, in a test of any platform. Not the package env-paths: it
// reads the process's own environment once, while it loads.

import { homedir, userInfo } from 'node:os';
import { join, type PlatformPath, parse, posix, win32 } from 'node:path';
import type { Environment } from './world.ts';

export function pathRules(platform: NodeJS.Platform): PlatformPath {
  return platform === 'win32' ? win32 : posix;
}

/** Returns the default folder for settings: the platform's, or below XDG_CONFIG_HOME. */
export function defaultConfigFolder(environment: Environment, platform: NodeJS.Platform): string {
  const xdg = absoluteFolder(environment['XDG_CONFIG_HOME'], platform);
  return xdg === undefined
    ? platformConfigFolder(environment, platform)
    : pathRules(platform).join(xdg, 'wm');
}

/** Returns the platform's folder for settings, and ignores XDG_CONFIG_HOME. */
export function platformConfigFolder(environment: Environment, platform: NodeJS.Platform): string {
  const paths = pathRules(platform);
  const home = homeFolder(environment, platform);
  if (platform === 'win32') return windowsFolder(environment, 'APPDATA', 'Roaming');
  if (platform === 'darwin') return paths.join(home, 'Library', 'Application Support', 'wm');
  return paths.join(home, '.config', 'wm');
}

/** Returns the default folder for journals and the undo log: the platform's, or below XDG_STATE_HOME. */
export function defaultStateFolder(environment: Environment, platform: NodeJS.Platform): string {
  const paths = pathRules(platform);
  const xdg = absoluteFolder(environment['XDG_STATE_HOME'], platform);
  if (xdg !== undefined) return paths.join(xdg, 'wm');
  if (platform === 'darwin') return paths.join(defaultConfigFolder(environment, platform), 'state');
  if (platform === 'win32') return windowsFolder(environment, 'LOCALAPPDATA', 'Local');
  return paths.join(homeFolder(environment, platform), '.local', 'state', 'wm');
}

/** Returns the folder in the one that the variable names, or else in its usual place. */
function windowsFolder(environment: Environment, variable: string, usual: string): string {
  const usualFolder = win32.join(homeFolder(environment, 'win32'), 'AppData', usual);
  return win32.join(absoluteFolder(environment[variable], 'win32') ?? usualFolder, 'wm');
}

/** Returns the home folder of the environment, or else the system's. */
export function homeFolder(environment: Environment, platform: NodeJS.Platform): string {
  const home = environment[platform === 'win32' ? 'USERPROFILE' : 'HOME'];
  if (home && pathRules(platform).isAbsolute(home)) return home;
  // `homedir` would return a relative path too.
  return folderOrNonexistent(home === undefined ? homedir : () => userInfo().homedir);
}

/** If the system cannot tell (the folder was deleted, or the user is unknown), returns a path where nothing exists. */
export function folderOrNonexistent(system: () => string): string {
  try {
    return system();
  } catch {
    return join(parse(process.execPath).root, 'nonexistent');
  }
}

/** Ignores a relative folder, as the XDG specification demands, and on Windows one without a drive. */
function absoluteFolder(folder: string | undefined, platform: NodeJS.Platform): string | undefined {
  if (!folder || !pathRules(platform).isAbsolute(folder)) return undefined;
  const isOnDrive = platform !== 'win32' || win32.parse(folder).root.length > 1;
  return isOnDrive ? folder : undefined;
}
