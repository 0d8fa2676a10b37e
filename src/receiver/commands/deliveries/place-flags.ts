// The flags by which `webhook log` and `webhook replay` know where deliveries are stored: in a journal, or in a sink.

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

/** As they must be repeated in a command for the same place; none for the usual journal. */
export function placeFlagsOf(given: PlaceFlags): readonly string[] {
  return [
    ...journalFlagOf(given.journal),
    ...flagWords('--sink', given.sink),
    ...sinkConnectionFlagsOf(given),
  ];
}
