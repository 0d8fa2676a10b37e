// Defines the flags that tell `webhook log` and `webhook replay` where deliveries are stored: in a journal or a sink.

import type { ParsedFlags } from '#cli/flags/flag.ts';
import { flagWords } from '#cli/format-command.ts';
import { journalFlag, journalFlagOf } from '#cli/journal-folder.ts';
import { sinkConnectionFlags, sinkConnectionFlagsOf, sinkFlag } from '../listening/sink-flags.ts';

export const placeFlags = {
  journal: journalFlag,
  sink: sinkFlag('The NATS streams of several receivers, in place of a journal'),
  ...sinkConnectionFlags,
};

export type PlaceFlags = ParsedFlags<typeof placeFlags>;

/** The flags to repeat in a command for the same place; empty for the default journal. */
export function placeFlagsOf(given: PlaceFlags): readonly string[] {
  return [
    ...journalFlagOf(given.journal),
    ...flagWords('--sink', given.sink),
    ...sinkConnectionFlagsOf(given),
  ];
}
