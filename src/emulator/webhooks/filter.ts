// The filters of a webhook: custom item type AND (events OR parameterised events). Which place it listens to is registry.ts.

import type { ParameterisedEvent } from '../../contract/webhook.ts';
import type { StoredWebhook } from '../state/store.ts';
import type { Occurrence } from './occurrence.ts';

function matchesEntry(entry: ParameterisedEvent, { event, task, payload }: Occurrence): boolean {
  if (entry.event !== event) return false;
  if (entry.recurrent !== undefined && entry.recurrent !== task?.recurrent) return false;
  const changed = payload['customFieldId'];
  return (
    entry.customFields === undefined || (typeof changed === 'string' && entry.customFields.includes(changed))
  );
}

/**
 * The additional fields for the payload; undefined if the occurrence does not match the webhook's filters. The webhook
 * subscribes to the event: registry.ts finds no others.
 */
export function matchFilters(webhook: StoredWebhook, occurrence: Occurrence): readonly string[] | undefined {
  const { customItemTypes, events, parameterisedEvents } = webhook;
  if (customItemTypes !== undefined) {
    const type = occurrence.task?.customItemTypeId ?? occurrence.folder?.customItemTypeId;
    if (type === undefined || !customItemTypes.includes(type)) return undefined;
  }
  if (parameterisedEvents === undefined || events?.includes(occurrence.event)) return [];
  const entries = parameterisedEvents.filter((entry) => matchesEntry(entry, occurrence));
  if (entries.length === 0) return undefined;
  return [...new Set(entries.flatMap(({ fields }) => fields ?? []))];
}
