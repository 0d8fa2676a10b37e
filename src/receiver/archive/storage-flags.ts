// Defines the flags that say where deliveries are stored: in a journal, or in a sink and how to connect to it. Credentials come from a
// file or the environment, because every program on the machine can read a command line.

import { entryFlag, type ParsedFlags, textFlag, toKebabCase } from '#cli/flags/flag.ts';
import { flagWords } from '#cli/format-command.ts';
import { journalFlag, journalFlagOf } from '#cli/journal-folder.ts';
import { usageError } from '#failure.ts';
import { parseSinkUrl } from './sink-url.ts';

export const sinkFlag = (help: string) => entryFlag('URL', help, (text) => parseSinkUrl(text, '--sink'));

export const sinkConnectionFlags = {
  sinkCreds: textFlag('FILE', 'Read the NATS credentials from this .creds file'),
  sinkCa: textFlag('FILE', 'Trust the certificates in this PEM file for NATS'),
  sinkCert: textFlag('FILE', 'Present this certificate (PEM) to NATS'),
  sinkKey: textFlag('FILE', 'The private key of that certificate (PEM)'),
};

const sinkConnectionNames = ['sinkCreds', 'sinkCa', 'sinkCert', 'sinkKey'] as const;

export type SinkConnectionFlags = ParsedFlags<typeof sinkConnectionFlags>;

export const storageFlags = {
  journal: journalFlag,
  sink: sinkFlag('The NATS streams of several receivers, in place of a journal'),
  ...sinkConnectionFlags,
};

export type StorageFlags = ParsedFlags<typeof storageFlags>;

/** The flags to repeat in a command for the same journal or sink; empty for the default journal. */
export function storageFlagsOf({ journal, sink, ...connection }: StorageFlags): readonly string[] {
  return [
    ...journalFlagOf(journal),
    ...flagWords('--sink', sink?.text),
    ...sinkConnectionNames.flatMap((name) => flagWords(`--${toKebabCase(name)}`, connection[name])),
  ];
}

export function rejectNeedlessFlags(flags: SinkConnectionFlags): void {
  const needless = sinkConnectionNames.find((name) => flags[name] !== undefined);
  if (needless !== undefined)
    throw usageError(`--${toKebabCase(needless)} needs --sink`, 'It says how to reach a sink.');
}
