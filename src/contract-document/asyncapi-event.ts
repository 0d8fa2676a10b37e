// The schema of each event in a delivery, and a sample of it, for the AsyncAPI document.

import type { AssumptionId } from '#contract/assumption.ts';
import { type EventName, events, payloadFields, type Subject } from '#contract/event.ts';
import { exampleIds, payloadSchemas, samplePayload, toPayload } from '#contract/payload.ts';
import type { Schema } from '#contract/schema.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { beside, type Components, type JsonObject } from './json-schema.ts';

export function eventReference(name: EventName, components: Components): JsonObject {
  return components.reference(name, events[name], () => eventSchema(name, components));
}

function eventSchema(name: EventName, components: Components): JsonObject {
  const { subject, note, idField } = events[name];
  const rows = Object.entries(payloadSchemas(name));
  const usualId = subject === 'task' ? 'taskId' : 'folderId';
  const toMember = (field: string, schema: Schema<unknown>) => {
    const translated = components.translate(schema, 'received');
    if (field === 'eventType') return { ...translated, title: `${name}EventType` };
    const isAssumed = field === idField && idField !== usualId;
    return isAssumed ? beside(translated, { 'x-assumed': ['events-without-subject'] }) : translated;
  };
  return {
    type: 'object',
    ...omitUndefined({ description: note }),
    required: rows.map(([field]) => field),
    properties: {
      ...Object.fromEntries(rows.map(([field, schema]) => [field, toMember(field, schema)])),
      fields: requestedFields(subject, components),
    },
  };
}

const assumedFields: Readonly<Record<string, AssumptionId>> = {
  dates: 'payload-field-members',
  project: 'payload-field-members',
  recurrence: 'recurrence-field',
};

function requestedFields(subject: Subject, components: Components): JsonObject {
  const names: readonly string[] = payloadFields[subject];
  const describe = (name: string) => (assumedFields[name] ? { 'x-assumed': [assumedFields[name]] } : {});
  return components.reference(`${subject.charAt(0).toUpperCase()}${subject.slice(1)}Fields`, names, () => ({
    type: 'object',
    description: 'The fields that the webhook requests with `fields`',
    properties: Object.fromEntries(names.map((name) => [name, describe(name)])),
  }));
}

const sampleDate = '2026-01-31T09:00:00Z';

const sampleSubjects = {
  taskId: exampleIds.task,
  folderId: exampleIds.folder,
  workItemId: exampleIds.task,
  createdTaskGroupId: exampleIds.folder,
  parentTaskGroupId: exampleIds.folder,
} as const;

export function sampleEvent(name: EventName): JsonObject {
  const head = {
    webhookId: exampleIds.webhook,
    authorId: exampleIds.author,
    date: sampleDate,
    subjectId: sampleSubjects[events[name].idField],
  };
  return toPayload(name, head, samplePayload(name, exampleIds, 'A new title'));
}
