// The target of a verification: the URL, the known settings of the webhook, and the limits of what wm may send.

import { type EventName, eventNames } from '#contract/event.ts';
import { eventsOf } from '../coverage.ts';
import type { Hook } from '../records/hook.ts';

export interface VerifyTarget {
  readonly url: string;
  /** The webhook id in the samples; by default an id that does not exist. */
  readonly webhookId?: string | undefined;
  readonly sampleId?: string;
  readonly secret?: string | undefined;
  /** Whether its deliveries are signed; undefined if unknown. */
  readonly isSigned?: boolean | undefined;
  /** The events that it delivers; undefined if unknown. */
  readonly events?: readonly EventName[] | undefined;
}

export interface VerifyOptions {
  readonly limitMs: number;
  readonly allowPrivate: boolean;
  /** Connects to this address instead of the URL's. */
  readonly connectTo?: { readonly host: string; readonly port: number } | undefined;
  /** Sends only a handshake and a few samples. */
  readonly isShort?: boolean;
  readonly isHandshakeOnly?: boolean;
}

export function toTarget(hook: Hook, secret: string | undefined): VerifyTarget {
  const { record, local } = hook;
  return {
    url: record.hookUrl ?? '',
    webhookId: record.id,
    secret,
    isSigned: local?.created?.signed,
    events: subscribedEvents(hook),
  };
}

export function subscribedEvents({ record, local }: Hook): readonly EventName[] | undefined {
  const named = eventsOf(record, local?.created);
  return named === 'all' ? eventNames : named && eventNames.filter((name) => named.includes(name));
}
