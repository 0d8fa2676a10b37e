// The events of a delivery as a program in TypeScript gets them: a union of all of them, told apart by `eventType`. The types
// follow from the rows of event.ts and the schemas of payload.ts.

import {
  commonPayloadFields,
  type EventName,
  type ExtraFieldOf,
  eventNames,
  events,
  type IdFieldOf,
  type PayloadFieldOf,
} from './event.ts';
import { type PayloadSchemaOf, payloadField } from './payload.ts';
import {
  formatValue,
  openText,
  readLeniently,
  type Schema,
  type TypeOf,
  text,
  unlessInvalid,
  ValidationError,
  withPath,
} from './schema.ts';

/** The event of this name: what every event carries, the id of its subject, and its own fields. */
export type EventOf<E extends EventName> = E extends EventName
  ? Flat<
      { readonly eventType: E } & {
        readonly [F in Exclude<(typeof commonPayloadFields)[number], 'eventType'> | IdFieldOf<E>]: string;
      } & { readonly [F in PayloadFieldOf<E>]: TypeOf<PayloadSchemaOf<E, F>> } & {
        /** The fields that the webhook requested with `fields`. */
        readonly fields?: { readonly [F in ExtraFieldOf<E>]?: unknown };
      }
    >
  : never;
type Flat<T> = { [K in keyof T]: T[K] };

/** An event that this version does not know, or that lacks what the contract shows. */
export interface UnknownEvent {
  readonly eventType: 'unknown';
  /** What it calls itself; `undefined` if it does not. */
  readonly name: string | undefined;
  /** `"TaskMoved" is not an event that this version knows`, or `title: null is not text (text)`. */
  readonly problem: string;
  /** The whole event, as it came. */
  readonly payload: Payload;
}

export type WebhookEvent = EventOf<EventName> | UnknownEvent;

type Payload = Readonly<Record<string, unknown>>;

const anyText: Schema<string> = openText(text('text'));

/** Reads what a newer service may have added to. A member that may be null may be absent; one that is not known stays as it is. */
export function readTypedEvent(payload: Payload): WebhookEvent {
  const name = unlessInvalid(() => anyText.validate(payload['eventType']));
  const known = eventNames.find((one) => one === name);
  if (known === undefined) {
    const problem = `${formatValue(payload['eventType'])} is not an event that this version knows`;
    return { eventType: 'unknown', name, problem, payload };
  }
  try {
    return readKnown(known, payload);
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return { eventType: 'unknown', name, problem: error.message, payload };
  }
}

function readKnown<E extends EventName>(event: E, payload: Payload): EventOf<E> {
  const { fields, ...read }: Record<string, unknown> = payload;
  const take = (name: string, schema: Schema<unknown>) => {
    read[name] = withPath(name, () => readLeniently(schema, payload[name] ?? null));
  };
  for (const name of [...commonPayloadFields, events[event].idField]) take(name, anyText);
  for (const name of events[event].payload) take(name, payloadField(event, name));
  if (typeof fields === 'object' && fields !== null && !Array.isArray(fields)) read['fields'] = fields;
  // Each member has its checked type now, which the compiler cannot follow.
  return read as EventOf<E>;
}
