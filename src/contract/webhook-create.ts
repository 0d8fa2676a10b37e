// The parameters and the operations that create a webhook.

import { type EventName, eventNames, events, payloadFields } from './event.ts';
import { identifier } from './identifier.ts';
import { isJsonObject, type JsonObject } from './json.ts';
import { operation, withNames } from './operation.ts';
import type { ArgumentsOf, Parameter } from './parameter.ts';
import * as s from './schema.ts';
import { webhooks } from './webhook.ts';

const eventName = s.choice('event', eventNames);

/** An empty list would deliver nothing, which is never intended: see assumption.ts. */
const notEmpty = (otherwise: string) =>
  ({ notEmpty: `nothing would be delivered: omit it for ${otherwise}` }) as const;

const namedEvents = s.list(eventName, notEmpty('every event'));

/** Names in square brackets. Reads them with or without quotes; writes quotes, which make it JSON. */
const eventList: s.Schema<readonly EventName[]> = {
  ...namedEvents,
  bracketed: true,
  fromWire(wire) {
    const names = s.parseBracketedList(wire);
    if (names === undefined) throw s.invalidValue(wire, 'is not a list in square brackets');
    return namedEvents.validate(names);
  },
};

/** A choice for documents only: the error of {@link parameterisedEvent} also names the event. */
const extraField: s.Schema<string> = {
  ...s.text('field name'),
  form: { kind: 'choice', choices: [...new Set(Object.values(payloadFields).flat())] },
};

/** An entry of `parameterisedEvents`: an event, its filter, and additional fields of its payload. */
const parameterisedShape = s.object('parameterised event', {
  event: eventName,
  recurrent: s.optional(s.boolean),
  customFields: s.optional(s.list(identifier('CustomFieldId'), notEmpty('every custom field'))),
  fields: s.optional(s.list(extraField)),
});

export type ParameterisedEvent = s.TypeOf<typeof parameterisedShape>;

/** Any member except `event` and `fields` must be the filter of the event. */
function validateFilters(input: JsonObject): void {
  const name = eventNames.find((event) => event === input['event']);
  if (name === undefined) return;
  const { filter } = events[name];
  const other = Object.keys(input).find((key) => key !== 'event' && key !== 'fields' && key !== filter);
  if (other !== undefined)
    throw s.invalidValue(other, `is not a filter of ${name}, which takes ${filter ?? 'none'}`);
}

const parameterisedEvent: s.Schema<ParameterisedEvent> = {
  ...parameterisedShape,
  validate(input) {
    if (isJsonObject(input)) validateFilters(input);
    const entry = parameterisedShape.validate(input);
    const allowed: readonly string[] = payloadFields[events[entry.event].subject];
    const other = entry.fields?.find((field) => !allowed.includes(field));
    if (other === undefined) return entry;
    throw s.invalidValue(other, `is not a field that ${entry.event} can carry: ${allowed.join(', ')}`);
  },
};

const filters = eventNames
  .flatMap((name) => (events[name].filter === undefined ? [] : [`${name} (${events[name].filter})`]))
  .join(', ');

/** For a folder, a project or a space. */
export const webhookCreateParameters = {
  hookUrl: {
    schema: s.text('URL', { notEmpty: true }),
    meaning: 'The URL to deliver to',
    rules:
      'Protocol http or https; a global address, not one of a private network; port, if given, 80 or 443.',
    required: true,
  },
  secret: { schema: s.text('secret', { notEmpty: true }), meaning: 'Signs every delivery', secret: true },
  events: {
    schema: eventList,
    meaning: 'Deliver only these events (default: all)',
    rules: 'An event is here or in parameterisedEvents, never in both.',
  },
  recursive: { schema: s.boolean, meaning: 'Include nested folders and tasks', default: false },
  parameterisedEvents: {
    schema: s.list(parameterisedEvent, notEmpty('every event')),
    meaning: 'Deliver events with a filter or with extra payload fields',
    rules: `Names allowed in fields: of a task event ${payloadFields.task.join(', ')}; of a folder or project event ${payloadFields.folder.join(', ')}; of any other ${payloadFields.workItem.join(', ')}. Events with a filter: ${filters}.`,
  },
  customItemTypes: {
    schema: s.list(identifier('EntityTypeId'), notEmpty('every item')),
    meaning: 'Deliver only for items of these custom item types',
  },
} as const satisfies Record<string, Parameter<unknown>>;

const { recursive: _, ...accountParameters } = webhookCreateParameters;
/** For the whole account, in which nothing is nested. */
export const webhookCreateInAccountParameters = accountParameters;

export type WebhookCreate = ArgumentsOf<typeof webhookCreateParameters>;

/** Throws {@link s.ValidationError} if an event is in both lists. */
export function validateWebhookCreate(create: WebhookCreate): void {
  const both = create.parameterisedEvents?.find(({ event }) => create.events?.includes(event));
  if (both)
    throw s.invalidValue(both.event, 'is in both events and parameterisedEvents; remove it from one of them');
}

const webhookCreate = { ...webhooks, parameters: webhookCreateParameters } as const;

export const webhookCreateOperations = withNames({
  createWebhook: operation('POST', '/webhooks', {
    parameters: webhookCreateInAccountParameters,
    ...webhooks,
  }),
  createFolderWebhook: operation('POST', '/folders/{folderId}/webhooks', webhookCreate),
  createSpaceWebhook: operation('POST', '/spaces/{spaceId}/webhooks', webhookCreate),
});
