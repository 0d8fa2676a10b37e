// The events of a delivery for TypeScript programs: a union by `eventType`, which follows from event.ts and payload.ts.

import {
  commonPayloadFields,
  type EventName,
  type ExtraFieldOf,
  eventNames,
  events,
  type IdFieldOf,
  type PayloadFieldOf,
} from './event.ts';
import { isJsonObject } from './json.ts';
import { type PayloadTypeOf, payloadField } from './payload.ts';
import * as s from './schema.ts';

/** An event: the common fields, the id of its subject, and its own fields. */
export type EventOf<E extends EventName> = E extends EventName
  ? Flat<
      { readonly eventType: E } & {
        readonly [F in Exclude<(typeof commonPayloadFields)[number], 'eventType'> | IdFieldOf<E>]: string;
      } & { readonly [F in PayloadFieldOf<E>]: PayloadTypeOf<E, F> } & {
        /** The fields that the webhook requested with `fields`. */
        readonly fields?: { readonly [F in ExtraFieldOf<E>]?: unknown };
      }
    >
  : never;
type Flat<T> = { [K in keyof T]: T[K] };

/** An event that this version does not know, or that lacks a field of the contract. */
export interface UnknownEvent {
  readonly eventType: 'unknown';
  /** Its `eventType`, if that is a text. */
  readonly name: string | undefined;
  /** `"TaskMoved" is not an event that this version knows`, or `title: null is not text (text)`. */
  readonly problem: string;
  readonly payload: Payload;
}

export type WebhookEvent = EventOf<EventName> | UnknownEvent;
type Payload = Readonly<Record<string, unknown>>;

const anyText: s.Schema<string> = s.openText(s.text('text'));

/** Accepts events of a newer service: keeps unknown members. A nullable member may be absent. */
export function readTypedEvent(payload: Payload): WebhookEvent {
  const name = s.unlessInvalid(() => anyText.validate(payload['eventType']));
  const event = eventNames.find((eventName) => eventName === name);
  if (event === undefined) {
    const problem = `${s.formatValue(payload['eventType'])} is not an event that this version knows`;
    return { eventType: 'unknown', name, problem, payload };
  }
  try {
    return readKnownEvent(event, payload);
  } catch (error) {
    if (!(error instanceof s.ValidationError)) throw error;
    return { eventType: 'unknown', name, problem: error.message, payload };
  }
}

function readKnownEvent<E extends EventName>(event: E, payload: Payload): EventOf<E> {
  const { fields, ...result }: Record<string, unknown> = payload;
  const read = (name: string, schema: s.Schema<unknown>) => {
    result[name] = s.withPath(name, () => s.readLeniently(schema, payload[name] ?? null));
  };
  for (const name of [...commonPayloadFields, events[event].idField]) read(name, anyText);
  for (const name of events[event].payload) read(name, payloadField(event, name));
  if (isJsonObject(fields)) result['fields'] = fields;
  // Each member has its checked type now, which the compiler cannot follow.
  return result as EventOf<E>;
}
