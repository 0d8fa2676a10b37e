// Whether anybody in front of a screen could see a window: asked before a browser or a keychain's prompt is tried.

import type { Environment } from './world.ts';

export function hasDisplay(environment: Environment, platform: NodeJS.Platform): boolean {
  if (platform === 'darwin' || platform === 'win32') return true;
  return Boolean(environment['DISPLAY'] || environment['WAYLAND_DISPLAY']);
}
