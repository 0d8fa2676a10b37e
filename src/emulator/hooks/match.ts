// Whether a webhook wants an event, and with which additional fields: custom item type AND (events OR parameterised
// events). That it listens in the right place is registry.ts.

import type { ParameterisedEvent } from '../../contract/webhook.ts';
import type { StoredWebhook } from '../store.ts';
import type { Happening } from './happening.ts';

function passes(entry: ParameterisedEvent, { event, task, payload }: Happening): boolean {
  if (entry.event !== event) return false;
  if (entry.recurrent !== undefined && entry.recurrent !== (task?.recurrent ?? false)) return false;
  const changed = payload['customFieldId'];
  return (
    entry.customFields === undefined || (typeof changed === 'string' && entry.customFields.includes(changed))
  );
}

/** The names of the additional fields; nothing where the webhook does not want the event. */
export function wanted(hook: StoredWebhook, happening: Happening): readonly string[] | undefined {
  const { customItemTypes, events, parameterisedEvents } = hook;
  if (customItemTypes !== undefined) {
    const type = happening.task?.customItemTypeId ?? happening.folder?.customItemTypeId;
    if (type === undefined || !customItemTypes.includes(type)) return undefined;
  }
  if (events === undefined && parameterisedEvents === undefined) return [];
  if (events?.includes(happening.event)) return [];
  const entries = (parameterisedEvents ?? []).filter((entry) => passes(entry, happening));
  if (entries.length === 0) return undefined;
  return [...new Set(entries.flatMap(({ fields }) => fields ?? []))];
}
