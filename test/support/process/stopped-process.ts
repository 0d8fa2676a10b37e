// Stops a real process, as Ctrl-Z, a paused container or a closed lid would, and continues it. How long it stands still is
// what such a test tries, so this is the one place of the tests that lets real time pass.

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

/** As long as a freeze is. Nothing is awaited here: a slow machine makes it longer, which no test minds. */
export function freezeFor(milliseconds: number): Promise<void> {
  return new Promise((done) => setTimeout(done, milliseconds));
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
