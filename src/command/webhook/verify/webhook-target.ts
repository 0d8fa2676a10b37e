// What is known of a webhook for its verification: from the service's record, and what this machine recorded at its creation.

import { type EventName, eventNames } from '../../../contract/event.ts';
import type { LocalWebhook } from '../local/local-webhook.ts';
import type { ReadWebhook } from '../select/read-webhook.ts';
import type { VerifyTarget } from './receiver-target.ts';

export function toTarget(
  { record }: Pick<ReadWebhook, 'record'>,
  local: LocalWebhook | undefined,
  secret: string | undefined,
): VerifyTarget {
  return {
    url: record.hookUrl ?? '',
    webhookId: record.id,
    secret,
    isSigned: local?.created?.signed,
    events: subscribedEvents({ record }, local),
  };
}

/** Undefined if nobody knows. */
export function subscribedEvents(
  { record }: Pick<ReadWebhook, 'record'>,
  local: LocalWebhook | undefined,
): readonly EventName[] | undefined {
  const created = local?.created;
  const named = [
    ...(record.events ?? created?.events ?? []),
    ...(created?.parameterisedEvents ?? []).map(({ event }) => event),
  ];
  if (named.length > 0) return eventNames.filter((name) => named.includes(name));
  return created === undefined ? undefined : eventNames;
}
