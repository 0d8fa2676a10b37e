// Looks, again and again, at the command line and the environment of every process of one person, as anybody on the
// machine could look at the former, for what must not be there.

import { readdir, readFile } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';

export interface Watcher {
  /** Ends the watch: what was found, and how much was looked at. */
  stop(): Promise<{ readonly found: readonly string[]; readonly processes: number; readonly looks: number }>;
}

/** The processes whose environment holds `mark`. `allowed` are the variables that the person has set. */
export function watch(mark: string, secret: RegExp, allowed: readonly string[]): Watcher {
  const found = new Set<string>();
  const seen = new Set<string>();
  let looks = 0;
  let stopped = false;
  const look = async (pid: string) => {
    const read = (name: string) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '');
    const environment = await read('environ');
    if (!environment.includes(mark)) return;
    looks++;
    seen.add(pid);
    const line = (await read('cmdline')).replaceAll('\0', ' ');
    if (secret.test(line)) found.add(`arguments: ${line}`);
    for (const variable of environment.split('\0')) {
      const name = variable.split('=')[0] ?? '';
      if (secret.test(variable) && !allowed.includes(name)) found.add(`environment: ${variable}`);
    }
  };
  const watching = (async () => {
    while (!stopped) {
      const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
      await Promise.all(pids.map(look));
      await setImmediate();
    }
  })();
  return {
    async stop() {
      stopped = true;
      await watching;
      return { found: [...found], processes: seen.size, looks };
    },
  };
}
