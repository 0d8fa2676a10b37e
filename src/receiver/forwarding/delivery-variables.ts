// The environment variables that tell a command about its delivery. Their values come from strangers, so each is cut and cleaned
// until it fits a variable.

import { deliveryHeaders } from '../../contract/delivery.ts';
import { type EventRow, events as rows } from '../../contract/event.ts';
import type { Environment } from '../../world/world.ts';
import type { DeliveredEvent, DeliveredEvents } from '../read-events.ts';
import type { StoredDelivery } from '../stored-delivery.ts';

/** The system starts no program with a variable of more than 128 KB, so one delivery could never be forwarded. */
const maxLength = 16 * 1024;

/** Every variable is set, empty or not. */
export function deliveryVariables(
  { sequence, headers, idempotencyKey }: StoredDelivery,
  attempt: number,
  { events }: DeliveredEvents,
): Environment {
  const signature = headers.find(
    ([name]) => name.toLowerCase() === deliveryHeaders.signature.toLowerCase(),
  )?.[1];
  const table: Readonly<Record<string, EventRow | undefined>> = rows;
  const isTask = ({ eventType }: DeliveredEvent) =>
    Object.hasOwn(table, eventType) && table[eventType]?.subject === 'task';
  return {
    WM_DELIVERY: String(sequence),
    WM_ATTEMPT: String(attempt),
    WM_EVENT: listOf(events.map(({ eventType }) => eventType)),
    WM_SUBJECT: listOf(events.map(({ subjectId }) => subjectId)),
    WM_TASK: listOf(events.filter(isTask).map(({ subjectId }) => subjectId)),
    WM_SIGNATURE: variableOf(signature ?? ''),
    WM_IDEMPOTENCY_KEY: variableOf(idempotencyKey ?? ''),
  };
}

/** As many as fit, without repetitions, separated by commas. */
function listOf(texts: readonly (string | undefined)[]): string {
  let list = '';
  for (const text of new Set(texts)) {
    if (text === undefined || text === '') continue;
    const longer = list === '' ? variableOf(text) : `${list},${variableOf(text)}`;
    if (longer.length > maxLength) break;
    list = longer;
  }
  return list;
}

/** No variable can hold U+0000. */
const variableOf = (text: string) => text.replaceAll('\0', '').slice(0, maxLength);
