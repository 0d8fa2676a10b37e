// What is known of a webhook for its verification: from the service's record, and what this machine recorded at its creation.

import { type EventName, eventNames } from '../../../contract/event.ts';
import type { Hook } from '../hook.ts';
import type { VerifyTarget } from './receiver-target.ts';

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
