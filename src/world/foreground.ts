// Whether this process is in the foreground of its terminal. Node has no call for it.

import { readFileSync } from 'node:fs';

/** True where it cannot be found out. */
export function isInForeground(platform: NodeJS.Platform): boolean {
  if (platform === 'win32') return true;
  if (platform === 'linux') return hasTerminal(readOwnStatus());
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const state = spawnSync('ps', ['-o', 'stat=', '-p', String(process.pid)], { encoding: 'utf8' });
  return state.status !== 0 || state.stdout.includes('+');
}

/** `status`: the line that Linux has of each process. Its second member, a name in brackets, may contain anything. */
function hasTerminal(status: string): boolean {
  const [, , group, , , foreground = '-1'] = status.slice(status.lastIndexOf(')') + 2).split(' ');
  // Without a terminal nobody stops it.
  return foreground === group || Number(foreground) < 0;
}

function readOwnStatus(): string {
  try {
    return readFileSync('/proc/self/stat', 'utf8');
  } catch {
    return '';
  }
}
