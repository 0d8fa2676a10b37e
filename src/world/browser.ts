// Opens a web page in the user's browser: the one in BROWSER, or the system's default. Never throws: a caller can print the URL.

import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { withoutSecrets } from '#without-secrets.ts';
import { hasDisplay } from './display.ts';
import type { Browser, Environment } from './world.ts';

// A command that cannot open a browser exits within this time. One that still runs is the browser.
const startLimitMs = 1000;

export function createBrowser(
  environment: Environment,
  platform: NodeJS.Platform = process.platform,
): Browser {
  return {
    async open(url) {
      // Any other URL could start a program, and a browser could take it for an option.
      if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return false;
      const address = new URL(url).href;
      const command = environment['BROWSER']?.trim();
      if (command === '' || command === 'none') return false;
      try {
        if (command !== undefined) return await hasStarted(await runBrowser(command, address, environment));
        // WSL uses the browser of Windows.
        if (!hasDisplay(environment, platform) && !environment['WSL_DISTRO_NAME']) return false;
        const { default: openBrowser } = await import('open');
        // The package passes on the variables of this process. `environment` keeps all of them.
        process.env = withoutSecrets(process.env);
        return await hasStarted(await openBrowser(address));
      } catch {
        return false;
      }
    },
  };
}

/** Runs BROWSER without a shell. It is a path, or words in which %s stands for the URL. */
async function runBrowser(command: string, address: string, environment: Environment): Promise<ChildProcess> {
  const { spawn } = await import('node:child_process');
  const words = existsSync(command) ? [command] : command.split(/\s+/);
  const filled = words.map((word) => word.replaceAll('%s', () => address));
  const [file = '', ...args] = command.includes('%s') ? filled : [...filled, address];
  const child = spawn(file, args, { env: withoutSecrets(environment), stdio: 'ignore', detached: true });
  child.unref();
  return child;
}

function hasStarted(child: ChildProcess): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(true), startLimitMs);
    const settle = (isOpen: boolean) => {
      clearTimeout(timer);
      resolve(isOpen);
    };
    child.once('error', () => settle(false));
    child.once('exit', (code) => settle(code === 0));
    // The package returns a child that has started, and may already have ended.
    if (child.exitCode !== null || child.signalCode !== null) settle(child.exitCode === 0);
  });
}
