// Whether a window could be shown: checked before opening a browser, or a keychain's prompt.

import type { Environment } from './world.ts';

export function hasDisplay(environment: Environment, platform: NodeJS.Platform): boolean {
  if (platform === 'darwin' || platform === 'win32') return true;
  return Boolean(environment['DISPLAY'] || environment['WAYLAND_DISPLAY']);
}
