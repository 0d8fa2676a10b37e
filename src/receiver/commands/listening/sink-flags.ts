// Defines `--sink URL` and the flags for the connection. Credentials come from a file or the environment, because every program on the
// machine can read a command line.

import { type Flag, lastOf, type ParsedFlags, textFlag, toKebabCase } from '#cli/flags/flag.ts';
import { flagWords } from '#cli/format-command.ts';
import { usageError } from '#failure.ts';
import { parseSinkUrl } from '#receiver/sink/sink-url.ts';

export const sinkConnectionFlags = {
  sinkCreds: textFlag('FILE', 'Read the NATS credentials from this .creds file'),
  sinkCa: textFlag('FILE', 'Trust the certificates in this PEM file for NATS'),
  sinkCert: textFlag('FILE', 'Present this certificate (PEM) to NATS'),
  sinkKey: textFlag('FILE', 'The private key of that certificate (PEM)'),
};

const sinkConnectionNames = ['sinkCreds', 'sinkCa', 'sinkCert', 'sinkKey'] as const;

export type SinkConnectionFlags = ParsedFlags<typeof sinkConnectionFlags>;

/** The flags to repeat in a command for the same sink. */
export function sinkConnectionFlagsOf(flags: SinkConnectionFlags): readonly string[] {
  return sinkConnectionNames.flatMap((name) => flagWords(`--${toKebabCase(name)}`, flags[name]));
}

export function rejectNeedlessFlags(flags: SinkConnectionFlags): void {
  const needless = sinkConnectionNames.find((name) => flags[name] !== undefined);
  if (needless !== undefined)
    throw usageError(`--${toKebabCase(needless)} needs --sink`, 'It says how to reach a sink.');
}

/** Checks the URL but keeps the text, which is parsed again where it is used. */
export function sinkFlag(help: string): Flag<string> {
  return {
    help,
    placeholder: 'URL',
    parse: (texts) => parseSinkUrl(lastOf(texts), '--sink').text,
  };
}
