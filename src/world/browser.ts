// Opens a web page in the person's browser: the one that BROWSER names, or the system's own. Never fails: a caller
// always has the address to print instead.

import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { hasDisplay } from './display.ts';
import type { Browser, Environment } from './world.ts';

// An opener that cannot do it says so at once; one that goes on running has become the browser.
const startLimitMs = 1000;

export function createBrowser(
  environment: Environment,
  platform: NodeJS.Platform = process.platform,
): Browser {
  return {
    async open(url) {
      // Anything else could be a file or a program; and only an address that begins like this is no option.
      if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return false;
      const address = new URL(url).href;
      const chosen = environment['BROWSER']?.trim();
      if (chosen === '' || chosen === 'none') return false;
      try {
        if (chosen !== undefined) return await hasStarted(await runBrowser(chosen, address, environment));
        // Under WSL the browser is the one of Windows.
        if (!hasDisplay(environment, platform) && !environment['WSL_DISTRO_NAME']) return false;
        const { default: openBrowser } = await import('open');
        return await hasStarted(await openBrowser(address));
      } catch {
        return false;
      }
    },
  };
}

/** Without a shell: a path as it stands, or words, one of which may hold %s for the address. */
async function runBrowser(chosen: string, address: string, environment: Environment): Promise<ChildProcess> {
  const { spawn } = await import('node:child_process');
  const words = existsSync(chosen) ? [chosen] : chosen.split(/\s+/);
  const filled = words.map((word) => word.replaceAll('%s', () => address));
  const [file = '', ...rest] = chosen.includes('%s') ? filled : [...filled, address];
  const child = spawn(file, rest, { env: environment, stdio: 'ignore', detached: true });
  child.unref();
  return child;
}

function hasStarted(child: ChildProcess): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(true), startLimitMs);
    const settle = (answer: boolean) => {
      clearTimeout(timer);
      resolve(answer);
    };
    child.once('error', () => settle(false));
    child.once('exit', (code) => settle(code === 0));
    // The package hands it over after it was started; by then it may be over.
    if (child.exitCode !== null || child.signalCode !== null) settle(child.exitCode === 0);
  });
}
