// Reads the events of a stored delivery, as far as possible, for routes, order and display. A body that is not JSON, or lacks
// fields, is still a delivery, so nothing here throws.

import { events } from '../contract/event.ts';
import { parseJsonIfValid } from '../contract/json.ts';

export interface DeliveredEvent {
  /** Empty if it has none. */
  readonly eventType: string;
  /** The task, folder or work item that it is about; `undefined` if it names none. */
  readonly subjectId: string | undefined;
  readonly webhookId: string | undefined;
  /** The whole event. */
  readonly fields: Readonly<Record<string, unknown>>;
}

const idFields = [...new Set(Object.values(events).map(({ idField }) => idField))];

/** An array or a single object; none if it is neither. */
export function readEvents(body: Uint8Array): readonly DeliveredEvent[] {
  const parsed = parseJsonIfValid(new TextDecoder().decode(body));
  const found: readonly unknown[] = Array.isArray(parsed) ? parsed : [parsed];
  return found.flatMap((event): DeliveredEvent[] => {
    if (!isRecord(event)) return [];
    return [
      {
        eventType: textOf(event['eventType']) ?? '',
        subjectId: idFields.map((field) => textOf(event[field])).find((id) => id !== undefined),
        webhookId: textOf(event['webhookId']),
        fields: event,
      },
    ];
  });
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
