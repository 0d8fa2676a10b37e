// Prints long output through the user's pager, which may quit before its end. If the pager fails, prints everything without it.

import type { Output } from '#world/world.ts';
import type { UserPager } from './user-pager.ts';

type RunningPager = NonNullable<ReturnType<UserPager['start']>>;

export interface PagedOutput extends Pick<Output, 'isReaderGone'> {
  readonly write: (text: string) => Promise<void>;
}

/** More than a pipe holds: a pager that has taken this much has read something, so it did not fail at once. */
const maxReplayLength = 1024 * 1024;
/** SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM: the user ended it. Other signals are crashes; 255 is not a signal. */
const userSignalStatuses = [129, 130, 131, 141, 143];

/** Resolves when the pager has ended. Calls `warn` only while the pager is not shown. */
export async function printPaged(
  pager: UserPager,
  terminal: PagedOutput,
  warn: (text: string) => Promise<void>,
  print: (output: PagedOutput) => Promise<void>,
): Promise<void> {
  let running: RunningPager | undefined;
  /** The text so far, while it is short enough to print again if the pager fails. */
  let replay: string | undefined = '';
  let isPlain = false;
  let isQuit = false;

  const warnOf = (problem: string) => warn(`${problem}. Set WM_PAGER to another program, or use --no-pager.`);
  const end = async (pagerToEnd: RunningPager) => {
    running = undefined;
    isQuit = true;
    const status = await pagerToEnd.end();
    if (status === 0 || userSignalStatuses.includes(status)) return;
    await warnOf(`The pager ${JSON.stringify(pager.command)} failed with status ${status}`);
    if (replay === undefined) return;
    isQuit = false;
    isPlain = true;
    await terminal.write(replay);
  };
  const start = async () => {
    running = pager.start();
    if (running) return;
    isPlain = true;
    if (pager.isChosen) await warnOf(`Cannot start the pager ${JSON.stringify(pager.command)}`);
  };

  try {
    await print({
      async write(text) {
        if (!running && !isPlain && !isQuit) await start();
        if (isPlain) return terminal.write(text);
        if (!running) return;
        if (replay !== undefined)
          replay = replay.length + text.length > maxReplayLength ? undefined : replay + text;
        await running.write(text);
        if (running.isGone) await end(running);
      },
      get isReaderGone() {
        return isPlain ? (terminal.isReaderGone ?? false) : isQuit || running?.isGone === true;
      },
    });
  } finally {
    if (running) await end(running);
  }
}
