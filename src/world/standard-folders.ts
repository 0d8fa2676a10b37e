// Works out where settings and records are kept, by the rules of the system that the program runs for, which need not be
// the one that a test runs on. Our own code rather than the package env-paths: that looks at the process's own environment,
// once, while it is being loaded; so it could neither be given another environment nor be loaded on demand.

import { homedir, userInfo } from 'node:os';
import { join, type PlatformPath, parse, posix, win32 } from 'node:path';
import type { Environment } from './world.ts';

/** How paths are written there. */
export function pathRules(platform: NodeJS.Platform): PlatformPath {
  return platform === 'win32' ? win32 : posix;
}

/** The platform's usual place for settings, or below XDG_CONFIG_HOME. */
export function defaultConfigFolder(environment: Environment, platform: NodeJS.Platform): string {
  const xdg = absoluteFolder(environment['XDG_CONFIG_HOME'], platform);
  return xdg === undefined
    ? platformConfigFolder(environment, platform)
    : pathRules(platform).join(xdg, 'wm');
}

/** The platform's usual place for settings, whatever XDG_CONFIG_HOME says. */
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

/** The platform's usual place for records of what was done, or below XDG_STATE_HOME. */
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
  // One that is no whole path is what `homedir` would say too.
  return folderOrNonexistent(named === undefined ? homedir : () => userInfo().homedir);
}

/** Where the system cannot tell (the folder was deleted, the user is in no list), a place where nothing is. */
export function folderOrNonexistent(system: () => string): string {
  try {
    return system();
  } catch {
    return join(parse(process.execPath).root, 'nonexistent');
  }
}

/**
 * A folder that depends on the current one, or on Windows on the current drive, would be another one in each terminal; so
 * it does not count. The XDG specification says the same.
 */
function absoluteFolder(folder: string | undefined, platform: NodeJS.Platform): string | undefined {
  if (!folder || !pathRules(platform).isAbsolute(folder)) return undefined;
  const isOnDrive = platform !== 'win32' || win32.parse(folder).root.length > 1;
  return isOnDrive ? folder : undefined;
}
