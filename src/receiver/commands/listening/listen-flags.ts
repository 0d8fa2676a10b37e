// Defines the flags of `wm webhook listen`: its address, its storage, the deliveries that it accepts, and its targets.

import { eventsFlagFor, parseEventOrGroup } from '#cli/event-groups.ts';
import { addressFlag } from '#cli/flags/address-flag.ts';
import { durationFlag } from '#cli/flags/duration-flag.ts';
import {
  booleanFlag,
  entriesFlag,
  entryFlag,
  type Flag,
  integerFlag,
  type ParsedFlags,
  textFlag,
} from '#cli/flags/flag.ts';
import { journalFlag, type LastTarget } from '#cli/journal-folder.ts';
import { invalidValue, ValidationError } from '#contract/schema.ts';
import { usageError } from '#failure.ts';
import { checkTargetHost, checkTargetUrl } from '#receiver/forwarding/target-url.ts';
import { secretFlags } from '#webhooks/secrets/find-secret.ts';
import { wayInFlags } from '../way-in/way-in-flags.ts';
import { senderFlags } from './allowed-senders.ts';
import { metricsFlag } from './status-server.ts';
import { sinkConnectionFlags, sinkFlag } from './storage-flags.ts';

export const listenDefaults = {
  port: 4020,
  host: '127.0.0.1',
  concurrency: 10,
  maxAttempts: 12,
  retryForMs: 86_400_000,
  giveUpAfterMs: 3 * 86_400_000,
  forwardTimeoutSeconds: 30,
  execTimeoutSeconds: 300,
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

const routeFlag: Flag<NonNullable<LastTarget['routes']>> = {
  help: 'Forward the deliveries of this event, or group of events, to this URL instead',
  placeholder: 'EVENT=URL,...',
  repeats: true,
  parse(texts) {
    // A URL may contain a comma.
    const routes = texts
      .flatMap((text) => text.split(/,(?=\s*\w+=https?:)/i))
      .map((text) => parseRoute(text.trim()));
    const urlOfEvent = new Map<string, string>();
    for (const { events, url } of routes)
      for (const event of events) {
        if ((urlOfEvent.get(event) ?? url) !== url)
          throw new ValidationError(event, `is routed to ${urlOfEvent.get(event)} and to ${url}`);
        urlOfEvent.set(event, url);
      }
    return routes;
  },
};

function parseRoute(text: string) {
  const [, name = '', url = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  if (name === '' || url === '')
    throw invalidValue(text, 'is not of the form EVENT=URL, as in TaskCreated=http://127.0.0.1:3000/created');
  return { events: parseEventOrGroup(name, '--route: '), url: checkTargetUrl(url, '--route') };
}

export const targetFlags = {
  forwardTo: entryFlag('URL', 'Forward each delivery to this URL', (text) =>
    checkTargetUrl(text, '--forward-to'),
  ),
  route: routeFlag,
  exec: textFlag('COMMAND', 'Run this command for each delivery, with the body on standard input'),
};

export const requestFlags = {
  forwardHeader: {
    help: 'Send this header too; NAME:@FILE reads its value from a file',
    placeholder: 'NAME:VALUE',
    repeats: true,
    parse: (texts) => texts,
  } satisfies Flag<readonly string[]>,
  forwardCa: textFlag('FILE', 'Trust the certificates in this PEM file when forwarding'),
  forwardHost: entryFlag('HOST', 'Send this Host header when forwarding', (text) =>
    checkTargetHost(text, '--forward-host'),
  ),
  forwardTimeout: integerFlag(
    'SECONDS',
    `Time limit for one attempt (default: ${listenDefaults.forwardTimeoutSeconds}; for --exec ${listenDefaults.execTimeoutSeconds})`,
    1,
    3_600,
  ),
};

/** What only a command that keeps forwarding takes. */
export const forwarderFlags = {
  concurrency: integerFlag(
    'N',
    `Forward up to this many deliveries at once, of different tasks (default: ${listenDefaults.concurrency})`,
    1,
    1_000,
  ),
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
  print: eventsFlagFor(
    '--print',
    'Print deliveries of these events or groups of events, or all (the default if nothing else gets them)',
  ),
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
  concurrency: flags.concurrency ?? listenDefaults.concurrency,
  maxAttempts: flags.maxAttempts ?? listenDefaults.maxAttempts,
  retryForMs: flags.maxAttempts === undefined ? (flags.retryFor ?? listenDefaults.retryForMs) : undefined,
  giveUpAfterMs: flags.giveUpAfter ?? listenDefaults.giveUpAfterMs,
});
