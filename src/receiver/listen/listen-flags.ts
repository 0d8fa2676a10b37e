// Defines the flags of `wm webhook listen`: its address, its storage, and the deliveries that it accepts.

import { addressFlag, durationFlag } from '#cli/flags/entry-flags.ts';
import {
  booleanFlag,
  entriesFlag,
  entryFlag,
  type Flag,
  integerFlag,
  type ParsedFlags,
} from '#cli/flags/flag.ts';
import { journalFlag } from '#cli/journal-folder.ts';
import { invalidValue } from '#contract/schema.ts';
import { usageError } from '#failure.ts';
import { secretFlags } from '#webhooks/secrets/find-secret.ts';
import {
  concurrencyFlag,
  printFlag,
  requestFlags,
  targetDefaults,
  targetFlags,
} from '../archive/replaying/target-flags.ts';
import { sinkConnectionFlags, sinkFlag } from '../archive/storage-flags.ts';
import { wayInFlags } from '../way-in/way-in-flags.ts';
import { senderFlags } from './allowed-senders.ts';
import { metricsFlag } from './status-server.ts';

export const listenDefaults = {
  port: 4020,
  host: '127.0.0.1',
  maxAttempts: 12,
  retryForMs: 86_400_000,
  giveUpAfterMs: 3 * 86_400_000,
  drainSeconds: 10,
} as const;

function parseNotEmpty(entry: unknown): string {
  if (typeof entry === 'string' && entry !== '') return entry;
  throw invalidValue(entry, 'must not be empty');
}

function parsePath(text: string): string {
  if (/^\/[\w\-./~!$&'()*+,;=:@%]*$/.test(text)) return text;
  const gitBash = /^[a-z]:/i.test(text) ? '. Git Bash rewrote it: set MSYS_NO_PATHCONV=1' : '';
  throw invalidValue(text, `is not a path without a query, as in /hook${gitBash}`);
}

const sizeUnits: Readonly<Record<string, number>> = { MB: 1024 ** 2, GB: 1024 ** 3, TB: 1024 ** 4 };
const leastSize = 64 * 1024 ** 2;
const mostSize = 1024 ** 5;

function parseSize(text: string): number {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?) ?([MGT]B)$/i.exec(text) ?? [];
  const size = Number(number) * (sizeUnits[unit.toUpperCase()] ?? 0);
  if (size < leastSize || size > mostSize)
    throw invalidValue(text, 'is not a size of at least 64MB, as in 500MB or 10GB');
  return Math.round(size);
}

/** What only a command that keeps forwarding takes. */
export const forwarderFlags = {
  concurrency: concurrencyFlag,
  maxAttempts: integerFlag(
    'N',
    `Give up on a delivery after this many attempts (default: ${listenDefaults.maxAttempts}, but see --retry-for)`,
    1,
    1_000,
  ),
  retryFor: durationFlag('How long to retry while nothing gets through (default: 24h); --max-attempts wins'),
  giveUpAfter: durationFlag('How long deliveries wait for a target that cannot be reached (default: 3d)'),
  metrics: metricsFlag,
  ui: booleanFlag('Show the deliveries on a page in your browser; wm prints its address'),
  uiPort: integerFlag('PORT', 'Port of the page (default: a free one)', 1, 65_535),
  drain: integerFlag(
    'SECONDS',
    `After Ctrl-C or SIGTERM, keep forwarding for up to this long (default: ${listenDefaults.drainSeconds})`,
    0,
    3_600,
  ),
};

export const listenFlags = {
  ...targetFlags,
  print: printFlag,
  port: integerFlag(
    'PORT',
    `Listen on this port; 0 picks one, which --json names even with --quiet (default: ${listenDefaults.port})`,
    0,
    65_535,
  ),
  host: addressFlag(`Listen on this address (default: ${listenDefaults.host})`),
  ...senderFlags,
  path: entryFlag('PATH', 'Accept deliveries on this path only (default: every path)', parsePath),
  healthPath: entryFlag('PATH', 'Respond with 200 to a GET of this path', parsePath),
  journal: journalFlag,
  sink: sinkFlag('Store deliveries in these NATS streams instead, which other receivers share'),
  ...sinkConnectionFlags,
  keepDays: integerFlag('N', 'Remove finished deliveries after this many days (default: 30)', 1, 3_650),
  maxSize: entryFlag(
    'SIZE',
    'Remove the oldest finished deliveries above this size (default: 1GB)',
    parseSize,
  ),
  secretFile: entriesFlag(parseNotEmpty, 'FILE', 'Read a secret from this file'),
  secretStdin: secretFlags.secretStdin,
  secretOf: {
    ...entriesFlag(parseNotEmpty, 'WEBHOOK', 'Use the secret stored for this webhook: its id, label or URL'),
    completes: 'webhook',
  } satisfies Flag<readonly string[]>,
  ...wayInFlags,
  unsigned: booleanFlag('Also accept deliveries without a signature'),
  unauthorized: booleanFlag('Respond to a wrong signature with 401: the service then suspends the webhook'),
  ...requestFlags,
  ...forwarderFlags,
};

export type ListenFlags = ParsedFlags<typeof listenFlags>;

export function checkPageFlags({ ui, uiPort }: ListenFlags): void {
  if (uiPort !== undefined && !ui) throw usageError('--ui-port needs --ui', 'Add --ui.');
}

/** A typed number of attempts counts, whatever gets through. */
export const forwardingLimits = (flags: Pick<ListenFlags, keyof typeof forwarderFlags>) => ({
  concurrency: flags.concurrency ?? targetDefaults.concurrency,
  maxAttempts: flags.maxAttempts ?? listenDefaults.maxAttempts,
  retryForMs: flags.maxAttempts === undefined ? (flags.retryFor ?? listenDefaults.retryForMs) : undefined,
  giveUpAfterMs: flags.giveUpAfter ?? listenDefaults.giveUpAfterMs,
});
