// Runs a typed command in the system's shell, for the --exec of a watch and for a tunnel.

import type { World } from '#world/world.ts';

export function shellCommand(
  world: Pick<World, 'environment' | 'process'>,
  command: string,
): [string, ...string[]] {
  if (world.process.platform !== 'win32') return ['/bin/sh', '-c', command];
  return [world.environment['ComSpec'] ?? 'cmd.exe', '/d', '/c', command];
}
