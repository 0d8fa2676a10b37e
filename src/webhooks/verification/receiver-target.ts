// What is verified, and how: the URL, what is known about the webhook, and what wm may do.

import { type EventName, eventNames } from '#contract/event.ts';
import type { Hook } from '../records/hook.ts';

export interface VerifyTarget {
  readonly url: string;
  /** Stands in the samples; otherwise an id that names nothing does. */
  readonly webhookId?: string | undefined;
  /** The task or folder of the samples. */
  readonly sampleId?: string;
  readonly secret?: string | undefined;
  /** Whether its deliveries are signed; undefined if nobody knows. */
  readonly isSigned?: boolean | undefined;
  /** Those that it delivers; undefined if nobody knows. */
  readonly events?: readonly EventName[] | undefined;
}

export interface VerifyOptions {
  /** How long a response may take. */
  readonly limitMs: number;
  /** Also sends to addresses that are not global. */
  readonly allowPrivate: boolean;
  /** Connects to this address instead of the URL's. */
  readonly connectTo?: { readonly host: string; readonly port: number } | undefined;
  /** Sends only a handshake and a few samples. */
  readonly isShort?: boolean;
  /** Sends only a handshake, and no sample. */
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

/** Undefined if nobody knows. */
export function subscribedEvents({ record, local }: Hook): readonly EventName[] | undefined {
  const created = local?.created;
  const named = [
    ...(record.events ?? created?.events ?? []),
    ...(created?.parameterisedEvents ?? []).map(({ event }) => event),
  ];
  if (named.length > 0) return eventNames.filter((name) => named.includes(name));
  return created === undefined ? undefined : eventNames;
}
