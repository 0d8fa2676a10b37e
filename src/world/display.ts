// Tells whether a window could be shown: a browser, or the prompt of a keychain.

import type { Environment } from './world.ts';

export function hasDisplay(environment: Environment, platform: NodeJS.Platform): boolean {
  if (platform === 'darwin' || platform === 'win32') return true;
  return Boolean(environment['DISPLAY'] || environment['WAYLAND_DISPLAY']);
}
