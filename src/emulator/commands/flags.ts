// The flags that `emulator start` and `emulator exec` share, and how they become the emulator's options.

import {
  booleanFlag,
  entriesFlag,
  integerFlag,
  type ParsedFlags,
  parsePort,
  textFlag,
  valueFlag,
} from '#cli/flags/flag.ts';
import { validateHookUrl } from '#contract/hook-url.ts';
import { formatValue, invalidValue, ValidationError } from '#contract/schema.ts';
import { words } from '#contract/words.ts';
import { usageError } from '#failure.ts';
import { reservedPortsHint } from '#login/reserved-ports.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { Report } from '#terminal/report.ts';
import type { ListenFault } from '#world/world.ts';
import type { ConnectTo } from '../dispatch/send-to-receiver.ts';
import { hostInUrl, isHostName, isOrigin, parseHost } from '../http/same-origin.ts';
import { type EmulatorOptions, maxValues } from '../service/settings.ts';
import { clientId, redirectUri } from '../state/redirect-uri.ts';

function parseRoute(input: unknown): ConnectTo {
  const [, name = '', target = '', port = ''] = /^([^=\s]+)=(.+):(\d+)$/.exec(String(input)) ?? [];
  const [host, address] = [parseHost(name), parseHost(target)];
  if (host === undefined || address === undefined) {
    const reason =
      host === undefined && name !== '' ? `: ${formatValue(name)} is not a host name without a port` : '';
    throw invalidValue(
      input,
      `is not of the form HOST=ADDRESS:PORT, as in hooks.example.com=127.0.0.1:8080${reason}`,
    );
  }
  return { host, address, port: parsePort(port) };
}

/** Throws a usage error for a host that no webhook can have. */
function checkRoutes(routes: readonly ConnectTo[], allowLoopback: boolean): void {
  for (const { host } of routes)
    try {
      validateHookUrl(`http://${hostInUrl(host)}/`, { allowLoopback });
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      throw usageError(
        `--connect-to: no webhook can have the host ${host}`,
        'Name a public host, such as hooks.example.com; for a host of this machine, add --allow-local-hooks.',
        error.message,
      );
    }
}

/** The origin as browsers send it: in lower case, without a path. */
function parseOrigin(input: unknown): string {
  const text = String(input);
  const origin = URL.canParse(text) ? text.replace(/\/$/, '').toLowerCase() : text;
  if (!isOrigin(origin)) {
    // Browsers leave out the scheme's default port and everything after the host.
    const asSent = URL.canParse(origin) ? new URL(origin).origin : '';
    throw invalidValue(
      input,
      isOrigin(asSent)
        ? `is not an origin as browsers send it: use ${asSent}`
        : 'is not the origin of a page, such as http://localhost:3000',
    );
  }
  return origin;
}

function parseHostName(input: unknown): string {
  const name = String(input).toLowerCase();
  if (!isHostName(name))
    throw invalidValue(input, 'is not a host name without a port, as in host.docker.internal');
  return name;
}

export const emulatorFlags = {
  port: integerFlag('PORT', 'Listen on this port (default: a free port)', 0, 65_535),
  allowLocalHooks: booleanFlag('Allow webhooks to this machine, on any port'),
  allowOrigin: entriesFlag(
    parseOrigin,
    'ORIGIN',
    'Allow web pages of this origin to send requests and read the responses (default: none)',
  ),
  allowHost: entriesFlag(
    parseHostName,
    'HOST',
    'Also accept requests for this host name (default: loopback names only)',
  ),
  fixedTokens: booleanFlag(
    'Use the same sample tokens and dates each time, for tests (default: random tokens, and dates around now)',
  ),
  connectTo: entriesFlag(
    parseRoute,
    'HOST=ADDRESS:PORT',
    'Send deliveries for HOST to this address or name instead',
  ),
  tls: booleanFlag('Serve https, with a certificate created for this run'),
  data: textFlag('FILE', 'Load the data from this file and store it there'),
  seed: textFlag('FILE', 'Start with the data of this YAML or JSON file instead of the sample'),
  clientId: valueFlag(clientId, 'ID', 'Register an application with this client id'),
  clientSecretFile: textFlag('FILE', 'Its client secret: the content of this file (default: a random one)'),
  redirectUri: entriesFlag(
    redirectUri.validate,
    'URL',
    'A redirect URI of the application (default: all on this machine)',
  ),
  bare: booleanFlag('Omit from responses what the contract does not show'),
  strict: booleanFlag('Reject requests that go beyond the letter of the contract'),
  compact: booleanFlag('Send deliveries as JSON on one line (default: with two spaces, as the service)'),
  rateLimit: integerFlag(
    'N',
    'Respond with 429 after N requests a minute for each token (default: no limit)',
    1,
    maxValues.rateLimit,
  ),
  tokenSeconds: integerFlag('SECONDS', 'Lifetime of an access token (default: 3600)', 1, maxValues.seconds),
  codeSeconds: integerFlag(
    'SECONDS',
    'Lifetime of an authorization code (default: 600)',
    1,
    maxValues.seconds,
  ),
} as const;

export const firstFlags = words('port allowLocalHooks fixedTokens tls data seed bare strict rateLimit');

export function emulatorOptions(
  flags: ParsedFlags<typeof emulatorFlags>,
  secure: EmulatorOptions['secure'],
  report: Pick<Report, 'warn'>,
): EmulatorOptions {
  const { bare, strict } = flags;
  if (bare && strict)
    throw usageError(
      'Give --bare or --strict, not both: one leaves fields out of responses, the other rejects requests',
    );
  const { port, allowLocalHooks, fixedTokens, connectTo, compact, rateLimit } = flags;
  const { tokenSeconds, codeSeconds, allowOrigin, allowHost, data: dataFile } = flags;
  checkRoutes(connectTo ?? [], allowLocalHooks === true);
  return {
    log: emulatorLog(report),
    withWebhooks: true,
    mode: bare ? 'bare' : strict ? 'strict' : 'default',
    ...omitUndefined({ port, secure, allowLocalHooks, fixedTokens, connectTo }),
    ...omitUndefined({ allowOrigins: allowOrigin, allowHosts: allowHost, dataFile }),
    ...omitUndefined({ compact, rateLimit, tokenSeconds, codeSeconds }),
  };
}

export function emulatorLog({ warn }: Pick<Report, 'warn'>): (line: string) => void {
  return (line) => void warn(`wm: ${line}`).catch(() => undefined);
}

/** The emulator could not listen on its port, or could not read its data file. */
export function cannotStart({ port, data }: ParsedFlags<typeof emulatorFlags>, fault: ListenFault): Error {
  if (data !== undefined && fault.fault === 'failed')
    return usageError(
      `The emulator cannot start with ${data}`,
      'Choose another file with --data.',
      fault.detail,
    );
  return usageError(
    `The emulator cannot listen on ${port === undefined ? 'a free port' : `port ${port}`}`,
    port === undefined
      ? 'Choose a port with --port.'
      : `Choose another with --port, or leave it out.${reservedPortsHint(fault, port)}`,
    fault.detail,
  );
}
