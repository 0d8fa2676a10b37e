// A command as the user typed it, for the system's shell: of a watch (--exec), or of a tunnel.

import type { World } from '#world/world.ts';

export function shellCommand(
  world: Pick<World, 'environment' | 'process'>,
  command: string,
): [string, ...string[]] {
  if (world.process.platform !== 'win32') return ['/bin/sh', '-c', command];
  return [world.environment['ComSpec'] ?? 'cmd.exe', '/d', '/c', command];
}
