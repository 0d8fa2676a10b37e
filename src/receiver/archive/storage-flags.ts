// Defines the flags that say where deliveries are stored: in a journal, or in a sink and how to connect to it. Credentials come from a
// file or the environment, because every program on the machine can read a command line.

import { entryFlag, type ParsedFlags, textFlag, toKebabCase } from '#cli/flags/flag.ts';
import { flagWords } from '#cli/format-command.ts';
import { journalFlag, journalFlagOf } from '#cli/journal-folder.ts';
import { formatValue } from '#contract/schema.ts';
import { usageError } from '#failure.ts';

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

/** Parsed from `nats://HOST[:PORT][,HOST[:PORT]...]/STREAM`, or tls:// to require encryption. */
export interface SinkUrl {
  /** The URL as the user typed it. It holds no secret. */
  readonly text: string;
  /** `host:port` */
  readonly servers: readonly string[];
  readonly isTls: boolean;
  readonly stream: string;
}

const defaultPort = 4222;
const example = 'For example: nats://nats-1.example.com,nats-2.example.com,nats-3.example.com/DELIVERIES';

/** Also accepts nats:// before each host, as other NATS programs write it. @throws {Failure} `usage`. The message does not repeat what may be a password. */
export function parseSinkUrl(text: string, where: string): SinkUrl {
  const [, scheme = '', rest = ''] = /^(nats|tls):\/\/(.*)$/s.exec(text) ?? [];
  const [, hosts = '', stream = ''] = /^([^/]*)\/?(.*)$/s.exec(rest.replaceAll(`,${scheme}://`, ',')) ?? [];
  // Look everywhere: a password may be encoded, or contain a slash.
  if (scheme !== '' && /@|%40/.test(text))
    throw usageError(
      `${where}: the URL contains credentials`,
      'Every program on the machine can read a command line. Give them with --sink-creds FILE, or in WM_SINK_USER and WM_SINK_PASSWORD, WM_SINK_TOKEN or WM_SINK_NKEY.',
    );
  if (scheme === '' || hosts === '')
    throw usageError(
      `${where}: ${text.includes('@') ? 'it' : formatValue(text)} is not the URL of a NATS stream`,
      `It begins with nats:// or tls://, and ends with the name of the stream. ${example}`,
    );
  // The names of the other streams are longer, and NATS creates a folder for each.
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(stream))
    throw usageError(
      `${where}: ${stream === '' ? 'the name of the stream is missing' : `${formatValue(stream)} is not the name of a stream`}`,
      `A name consists of letters, digits, - and _. ${example}`,
    );
  return {
    text: `${scheme}://${hosts}/${stream}`,
    servers: hosts.split(',').map((host) => parseServer(host, where)),
    isTls: scheme === 'tls',
    stream,
  };
}

function parseServer(host: string, where: string): string {
  const [, name, port = String(defaultPort)] = /^(\[[\da-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?$/i.exec(host) ?? [];
  if (name === undefined || Number(port) < 1 || Number(port) > 65_535)
    throw usageError(`${where}: ${formatValue(host)} is not a host, or a host and its port`, example);
  return `${name}:${port}`;
}
