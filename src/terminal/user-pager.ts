// Runs the user's pager. It shares our terminal, gets Ctrl-C as we do, and reads our output from a pipe. wm ends after it.

import type { Failure } from '#failure.ts';
import { withoutSecrets } from '#without-secrets.ts';
import type { Interruption, World } from '#world/world.ts';
import { isAccessible } from './line-drawing.ts';

export type UserPager = NonNullable<ReturnType<typeof createUserPager>>;

/** Defaults for `less` and `lv`: quit if the text fits on one screen, show colours, and do not clear the screen. */
const pagerDefaults = { LESS: 'FRX', LV: '-c' };
/** Of a program that SIGINT ended. */
const interruptedStatus = 130;

/** Only for a user whom wm may ask: a pager waits for keys. `undefined` for `cat`. The default is `less`, as in git; it may be missing. */
export function createUserPager(
  { environment, process: processes }: Pick<World, 'environment' | 'process'>,
  common: { readonly pager?: boolean },
  toFailure: (signal: Interruption) => Failure,
) {
  if (common.pager === false) return undefined;
  // A screen reader needs plain lines, and a dumb terminal cannot be redrawn.
  if (environment['TERM'] === 'dumb' || isAccessible(environment)) return undefined;
  const command = (environment['WM_PAGER'] ?? environment['PAGER'] ?? 'less').trim();
  if (command === '' || command === 'cat') return undefined;
  let isShown = false;
  return {
    command,
    /** False for the default pager, which may be missing. */
    isChosen: environment['WM_PAGER'] !== undefined || environment['PAGER'] !== undefined,
    /** Nothing else may write to the terminal while this is true. */
    get isShown() {
      return isShown;
    },
    /** `undefined` if the program does not exist. */
    start() {
      const child = processes.start([command], {
        environment: { ...pagerDefaults, ...withoutSecrets(environment) },
        streams: 'feed',
        ...(isOneWord(command, processes.platform) ? {} : { shell: true as const }),
      });
      const { input } = child;
      if (!input) return undefined;
      let isGone = false;
      // It reads no more: the user has quit it, or it closed its input.
      input.on('error', () => {
        isGone = true;
      });
      isShown = true;
      const exited = child.exited.then((status) => {
        isGone = true;
        isShown = false;
        return status;
      });
      let interruption: Interruption | undefined;
      const ignore = processes.onInterrupt((signal) => {
        if (!isShown) return;
        interruption = signal;
        // The terminal sends Ctrl-C to the pager directly. The other signals reach only this process.
        if (signal !== 'SIGINT') child.kill(signal);
      });
      return {
        /** Resolves when the pipe has taken the text, or at once if the pager no longer reads. */
        async write(text: string) {
          if (isGone) return;
          const written = new Promise<void>((resolve) => input.write(text, () => resolve()));
          // Do not wait for the pager alone: a program that the pager started may hold it open without reading.
          await Promise.race([written, exited]);
        },
        /** The pager no longer reads: writes succeed, but their text is lost. It may still be on screen. */
        get isGone() {
          return isGone;
        },
        /** Ends the pager's input and waits for it. Returns the exit status, or 128 plus the number of the signal. */
        async end() {
          try {
            input.end();
            const status = await exited;
            input.destroy();
            // The system may report the end of the pager before the Ctrl-C that ended it.
            const endedBy = interruption ?? (status === interruptedStatus ? 'SIGINT' : undefined);
            // A pager that continues after Ctrl-C, like less, was not interrupted.
            if (endedBy !== undefined && (endedBy !== 'SIGINT' || status !== 0)) throw toFailure(endedBy);
            return status;
          } finally {
            ignore();
          }
        },
      };
    },
  };
}

/** Like git, starts a single word directly. For anything else, the shell splits, quotes and expands. */
function isOneWord(command: string, platform: NodeJS.Platform): boolean {
  return (platform === 'win32' ? /^[\w@+:,./\\-]+$/ : /^[\w@+:,./-]+$/).test(command);
}
