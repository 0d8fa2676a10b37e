// What is verified and how: the target with the known settings of its webhook, and the flags of every command that verifies one.

import { isIP } from 'node:net';
import {
  booleanFlag,
  entryFlag,
  type Flags,
  integerFlag,
  type ParsedFlags,
  parsePort,
  toKebabCase,
} from '#cli/flags/flag.ts';
import { type EventName, eventNames } from '#contract/event.ts';
import { joinWithAnd } from '#contract/format-list.ts';
import { invalidValue } from '#contract/schema.ts';
import { usageError } from '#failure.ts';
import { eventsOf, settingsOf, type WebhookSettings } from '../coverage.ts';
import type { Hook } from '../records/hook.ts';

/** The contract does not show how long the service waits for a response. */
export const defaultSeconds = 10;
const withinHelp = `The longest time that a response may take (default: ${defaultSeconds})`;

export const verifyFlags = {
  within: integerFlag('SECONDS', withinHelp, 1, 300),
  allowPrivate: booleanFlag('Also send to addresses that are not global, such as those of this machine'),
  connectTo: entryFlag('ADDRESS:PORT', "Connect to this address instead of the URL's", (text) => {
    const [, address = '', port = ''] = /^(.+):(\d+)$/.exec(text) ?? [];
    const host = address.replace(/^\[(.*)\]$/, '$1');
    if (isIP(host) === 0)
      throw invalidValue(text, 'is not of the form ADDRESS:PORT, as in 127.0.0.1:8080 or [::1]:8080');
    return { host, port: parsePort(port) };
  }),
};

/** `among`: the flags that only a verification uses. */
export function assertNoVerifyFlags(flags: Readonly<Record<string, unknown>>, among: Flags = verifyFlags) {
  const names = Object.keys(among).filter((name) => flags[name] !== undefined);
  if (flags['verify'] === false && names.length > 0)
    throw usageError(
      `--no-verify cannot be combined with ${joinWithAnd(names.map((name) => `--${toKebabCase(name)}`))}`,
      'Give one of them.',
    );
}

export interface VerifyTarget {
  readonly url: string;
  /** The webhook id in the samples; by default an id that does not exist. */
  readonly webhookId?: string | undefined;
  readonly sampleId?: string;
  readonly secret?: string | undefined;
  readonly isSigned?: boolean | undefined;
  readonly events?: readonly EventName[] | undefined;
}

export interface VerifyOptions extends ParsedFlags<typeof verifyFlags> {
  /** Sends only a handshake and a few samples. */
  readonly isShort?: boolean;
  readonly isHandshakeOnly?: boolean;
}

/** `events`: the ones to sample. */
export function toTarget(
  hook: Hook,
  secret: string | undefined,
  events = subscribedEvents(settingsOf(hook)),
): VerifyTarget {
  const { id: webhookId, hookUrl: url = '' } = hook.record;
  return { url, webhookId, secret, isSigned: hook.local?.created?.signed, events };
}

export function subscribedEvents(settings: WebhookSettings): readonly EventName[] | undefined {
  const named = eventsOf(settings);
  return named === 'all' ? eventNames : named && eventNames.filter((name) => named.includes(name));
}
