// Defines the flags that say how deliveries reach `webhook listen`, and checks their combinations.

import { eventsFlag } from '#cli/event-groups.ts';
import {
  booleanFlag,
  entryFlag,
  type ParsedFlags,
  textFlag,
  toKebabCase,
  valueFlag,
} from '#cli/flags/flag.ts';
import { quoteUrl } from '#contract/hook-url.ts';
import { choice } from '#contract/schema.ts';
import { usageError } from '#failure.ts';
import { filterFlag, payloadFieldsFlag } from '#webhooks/new-webhook/event-selection.ts';
import { assertOneScope, scopeFlags } from '#webhooks/new-webhook/resolve-scope.ts';
import { parseLabel } from '#webhooks/records/label.ts';
import { assertNamesPort } from './tunnel.ts';

const forCreate = <F extends { readonly help: string }>(flag: F): F => ({
  ...flag,
  help: `With --create: ${flag.help.charAt(0).toLowerCase()}${flag.help.slice(1)}`,
});

const createFlags = {
  events: forCreate(eventsFlag),
  filter: forCreate(filterFlag),
  payloadFields: forCreate(payloadFieldsFlag),
  folder: forCreate(scopeFlags.folder),
  space: forCreate(scopeFlags.space),
  recursive: forCreate(scopeFlags.recursive),
  label: forCreate(entryFlag('TEXT', 'Your own name for the webhook, stored on this machine', parseLabel)),
  onExit: valueFlag(
    choice('what becomes of the webhook', ['suspend', 'delete', 'keep']),
    'ACTION',
    'What to do at the end with the webhook that --create created (default: suspend)',
  ),
};

export const wayInFlags = {
  publicUrl: textFlag('URL', 'The URL at which this receiver can be reached from outside'),
  tunnel: textFlag(
    'COMMAND',
    'Start this tunnel program, with {port} for the port, and restart it when it fails',
  ),
  create: booleanFlag('Create a webhook for the public URL once the URL responds; needs a sign-in'),
  ...createFlags,
  webhook: textFlag('ID', 'The webhook that delivers here: its id, label or URL; needs a sign-in', 'webhook'),
  resume: booleanFlag('Resume the webhook if it is suspended, at the start or later, once its URL responds'),
  suspendWhenUnreachable: booleanFlag(
    'Suspend the webhook while its URL does not respond, before failed deliveries suspend it for good',
  ),
};

export type WayInFlags = ParsedFlags<typeof wayInFlags>;

export function assertWayInFlags(flags: WayInFlags): void {
  const { create = false, publicUrl, tunnel, webhook } = flags;
  if (tunnel !== undefined) assertNamesPort(tunnel);
  if (publicUrl !== undefined && !isHttpUrl(publicUrl))
    throw usageError(
      `--public-url: ${quoteUrl(publicUrl)} is not an http or https URL`,
      'Give the whole URL: --public-url https://hooks.example.com/wm',
    );
  assertOneScope(flags);
  const values: Readonly<Record<string, unknown>> = flags;
  const first = Object.keys(createFlags).find((name) => values[name] !== undefined);
  if (!create && first !== undefined)
    throw usageError(
      `--${toKebabCase(first)} needs --create`,
      'Or create the webhook with: wm webhook create URL',
    );
  if (create && webhook !== undefined)
    throw usageError(
      '--create and --webhook cannot be combined',
      '--create also finds a webhook that delivers to the public URL already.',
    );
  if (create && publicUrl === undefined && tunnel === undefined)
    throw usageError(
      '--create needs a URL for the webhook',
      "Give it: --public-url URL. Or start a tunnel: --tunnel 'COMMAND {port}'",
    );
  const needsWebhook = flags.suspendWhenUnreachable
    ? '--suspend-when-unreachable'
    : flags.resume
      ? '--resume'
      : undefined;
  if (needsWebhook !== undefined && !create && webhook === undefined && publicUrl === undefined)
    throw usageError(
      `${needsWebhook} needs a webhook`,
      'Name it: --webhook ID, or --public-url URL. Or create it: --create',
    );
}

const isHttpUrl = (text: string): boolean => /^https?:\/\/[^/]/i.test(text) && URL.canParse(text);
