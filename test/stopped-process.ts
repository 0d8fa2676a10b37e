// Stops a real process, as Ctrl-Z, a paused container or a closed lid would, and continues it.

import { readFile } from 'node:fs/promises';

export const canStop = { skip: process.platform === 'linux' ? false : 'reads /proc' };

/** Resolves once it stands still: a signal alone is only on its way. */
export async function stopProcess(pid: number): Promise<void> {
  signal(pid, 'SIGSTOP');
  for (;;) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') gone');
    // The name, in parentheses, may hold anything; the state comes after it.
    if (!/^[RSD]/.test(stat.slice(stat.lastIndexOf(')') + 2))) return;
  }
}

export function continueProcess(pid: number): void {
  signal(pid, 'SIGCONT');
}

/** One that has ended meanwhile needs nothing. */
function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT'): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
