// Shows on a terminal what wm is waiting for while it verifies receivers, which may be slow to respond.

import type { Context } from '#cli/context.ts';

const noticeEveryMs = 5_000;

export async function withProgressNotice<T>(
  { world: { clock, streams }, report }: Pick<Context, 'world' | 'report'>,
  describe: () => string,
  run: () => Promise<T>,
): Promise<T> {
  if (!streams.errors.isTerminal) return run();
  let cancel = () => {};
  const wait = () => {
    cancel = clock.after(noticeEveryMs, () => {
      void report.info(describe());
      wait();
    });
  };
  wait();
  try {
    return await run();
  } finally {
    cancel();
  }
}
