// Defines the flags that tell `webhook log` and `webhook replay` where deliveries are stored: in a journal or a sink.

import type { ParsedFlags } from '#cli/flags/flag.ts';
import { flagWords } from '#cli/format-command.ts';
import { journalFlag, journalFlagOf } from '#cli/journal-folder.ts';
import { sinkConnectionFlags, sinkConnectionFlagsOf, sinkFlag } from '../listening/sink-flags.ts';

export const storageFlags = {
  journal: journalFlag,
  sink: sinkFlag('The NATS streams of several receivers, in place of a journal'),
  ...sinkConnectionFlags,
};

export type StorageFlags = ParsedFlags<typeof storageFlags>;

/** The flags to repeat in a command for the same journal or sink; empty for the default journal. */
export function storageFlagsOf(flags: StorageFlags): readonly string[] {
  return [
    ...journalFlagOf(flags.journal),
    ...flagWords('--sink', flags.sink),
    ...sinkConnectionFlagsOf(flags),
  ];
}
