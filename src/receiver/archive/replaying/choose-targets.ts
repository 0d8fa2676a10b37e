// Creates the targets to which `webhook replay` and the page send again.

import type { Context } from '#cli/context.ts';
import type { LastTarget } from '#cli/journal-folder.ts';
import { joinWithAnd } from '#contract/format-list.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { TargetFlags } from './target-flags.ts';
import { createTargets } from './targets.ts';

export type ReplayTargets = Awaited<ReturnType<typeof chooseReplayTargets>>;

const replayHeader = { 'x-wm-replay': '1' };

/** `last`: the last targets of the journal or sink, for flags that name none. */
export async function chooseReplayTargets(
  { world, report }: Pick<Context, 'world' | 'report'>,
  { forwardTo, routes: route }: LastTarget,
  flags: TargetFlags,
) {
  // Standard output holds the results, so the output of a command goes to standard error.
  const view = { printDelivery: async () => {}, message: (text: string) => void report.info(text) };
  const targetFlags = { ...flags, ...omitUndefined({ forwardTo, route }) };
  const targets = await createTargets(world, targetFlags, {
    view: () => view,
    onReaderGone: () => {},
    ownHeaders: replayHeader,
  });
  return { choose: targets.choose, description: joinWithAnd(targets.all.map(({ name }) => name)) };
}
