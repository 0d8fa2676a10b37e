// The pager that the user has chosen, and who hears of Ctrl-C while it shows: the pager. wm ends after it.

import type { Failure } from '#failure.ts';
import { isAccessible } from '#terminal/line-drawing.ts';
import type { PagerOfUser } from '#terminal/paged-output.ts';
import type { Interruption, RunningPager, World } from '#world/world.ts';
import type { CommonFlags } from './flags/common-flags.ts';

/** `undefined` where it is `cat`. Without one, as git does, `less`, which not every system has. */
export function choosePager(
  { environment, streams }: Pick<World, 'environment' | 'streams'>,
  { pager }: Pick<CommonFlags, 'pager'>,
  canPrompt: boolean,
): string | undefined {
  // It waits for keys as a prompt does. A screen reader needs the lines, and a dumb terminal cannot be drawn on.
  if (pager === false || !canPrompt || !streams.output.isTerminal) return undefined;
  if (environment['TERM'] === 'dumb' || isAccessible(environment)) return undefined;
  const chosen = (environment['WM_PAGER'] ?? environment['PAGER'] ?? defaultPager).trim();
  return chosen === '' || chosen === 'cat' ? undefined : chosen;
}

const defaultPager = 'less';

/** What `less` and `lv` do without being told: quit if all fits on the screen, show colours, leave the screen as it is. */
const pagerDefaults = { LESS: 'FRX', LV: '-c' };

export function createUserPager(
  { environment, process: processes, pager }: Pick<World, 'environment' | 'process' | 'pager'>,
  command: string,
  toFailure: (signal: Interruption) => Failure,
): PagerOfUser {
  let running: RunningPager | undefined;
  return {
    command,
    isChosen: environment['WM_PAGER'] !== undefined || environment['PAGER'] !== undefined,
    get isShown() {
      return running?.hasEnded === false;
    },
    async start() {
      let heard: Interruption | undefined;
      const ignore = processes.onInterrupt((signal) => {
        if (running?.hasEnded !== false) return;
        heard = signal;
        // A terminal sends Ctrl-C to the pager itself. The other signals were for this process alone.
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
            // One that goes on after Ctrl-C, as less does, was not interrupted.
            if (heard !== undefined && (heard !== 'SIGINT' || status !== 0)) throw toFailure(heard);
            return status;
          } finally {
            ignore();
          }
        },
      };
    },
  };
}
