// Runs the user's pager. The pager handles Ctrl-C, and wm ends after it.

import type { Failure } from '#failure.ts';
import { isAccessible } from '#terminal/line-drawing.ts';
import type { PagerOfUser } from '#terminal/paged-output.ts';
import type { Interruption, RunningPager, World } from '#world/world.ts';
import type { CommonFlags } from './flags/common-flags.ts';

/** Defaults for `less` and `lv`: quit if the text fits on one screen, show colours, and do not clear the screen. */
const pagerDefaults = { LESS: 'FRX', LV: '-c' };

/**
 * For a terminal whose user wm may ask: a pager waits for keys like a prompt. `undefined` for `cat`. The default is `less`, as
 * in git; some systems lack it.
 */
export function createUserPager(
  { environment, process: processes, pager }: Pick<World, 'environment' | 'process' | 'pager'>,
  common: Pick<CommonFlags, 'pager'>,
  toFailure: (signal: Interruption) => Failure,
): PagerOfUser | undefined {
  if (common.pager === false) return undefined;
  // A screen reader needs plain lines, and a dumb terminal cannot be redrawn.
  if (environment['TERM'] === 'dumb' || isAccessible(environment)) return undefined;
  const command = (environment['WM_PAGER'] ?? environment['PAGER'] ?? 'less').trim();
  if (command === '' || command === 'cat') return undefined;
  let running: RunningPager | undefined;
  return {
    command,
    isChosen: environment['WM_PAGER'] !== undefined || environment['PAGER'] !== undefined,
    get isShown() {
      return running?.hasEnded === false;
    },
    async start() {
      let interruption: Interruption | undefined;
      const ignore = processes.onInterrupt((signal) => {
        if (running?.hasEnded !== false) return;
        interruption = signal;
        // The terminal sends Ctrl-C to the pager directly. The other signals reach only this process.
        if (signal !== 'SIGINT') running.kill(signal);
      });
      const started = await pager.start(command, { ...pagerDefaults, ...environment });
      if (started === undefined) {
        ignore();
        return undefined;
      }
      running = started;
      return {
        write: (text) => started.write(text),
        get isGone() {
          return started.isGone;
        },
        async end() {
          try {
            const status = await started.end();
            // A pager that continues after Ctrl-C, like less, was not interrupted.
            if (interruption !== undefined && (interruption !== 'SIGINT' || status !== 0))
              throw toFailure(interruption);
            return status;
          } finally {
            ignore();
          }
        },
      };
    },
  };
}
