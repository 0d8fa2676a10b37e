// The schema of each event of a delivery, and a sample of it.

import { type EventName, events, payloadFields } from '../contract/event.ts';
import { payloadSchemas, toPayload } from '../contract/payload.ts';
import { exampleIds, samplePayload } from '../contract/sample-payload.ts';
import { omitUndefined } from '../omit-undefined.ts';
import type { Components, JsonObject } from './json-schema.ts';

export function eventReference(name: EventName, components: Components): JsonObject {
  return components.reference(name, events[name], () => eventSchema(name, components));
}

function eventSchema(name: EventName, components: Components): JsonObject {
  const { subject, note } = events[name];
  const rows = Object.entries(payloadSchemas(name));
  return {
    type: 'object',
    ...omitUndefined({ description: note }),
    required: rows.map(([field]) => field),
    properties: {
      ...Object.fromEntries(rows.map(([field, schema]) => [field, components.translate(schema, 'received')])),
      fields: {
        type: 'object',
        description: 'What the webhook asked for with `fields`',
        properties: Object.fromEntries(payloadFields[subject].map((field) => [field, {}])),
      },
    },
  };
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
