// The flags by which `webhook log` and `webhook replay` know where deliveries are stored: in a journal, or in a sink.

import type { ParsedFlags } from '#cli/flags/flag.ts';
import { journalFlag, journalFlagOf } from '#cli/journal-folder.ts';
import { quoteForShell } from '#cli/shell-quote.ts';
import { sinkConnectionFlags, sinkConnectionFlagsOf, sinkFlag } from '../listening/sink-flags.ts';

export const placeFlags = {
  journal: journalFlag,
  sink: sinkFlag('The NATS streams of several receivers, in place of a journal'),
  ...sinkConnectionFlags,
};

export type PlaceFlags = ParsedFlags<typeof placeFlags>;

/** As they must be repeated in a command for the same place; none for the usual journal. */
export function placeFlagsOf(
  context: Parameters<typeof journalFlagOf>[0],
  given: PlaceFlags,
): readonly string[] {
  const { platform } = context.world.process;
  return [
    ...journalFlagOf(context, given.journal),
    ...(given.sink === undefined ? [] : ['--sink', quoteForShell(given.sink, platform)]),
    ...sinkConnectionFlagsOf(context, given),
  ];
}
