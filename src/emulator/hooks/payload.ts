// One event as a webhook receives it: the common fields, the event's own, and the additional ones that were asked for.

import { events } from '../../contract/event.ts';
import type { Folder, StoredTask } from '../store.ts';
import { eventDates } from '../task/changes.ts';
import type { Happening } from './happening.ts';

type Field = (task: StoredTask) => unknown;

/** What the contract gives no name for beside the record's is the record's. */
const ofTask: Readonly<Record<string, Field>> = {
  title: ({ title }) => title,
  responsibleIds: ({ responsibleIds }) => responsibleIds,
  responsiblePlaceholderIds: ({ responsiblePlaceholderIds }) => responsiblePlaceholderIds,
  status: ({ status }) => status,
  dates: ({ dates }) => eventDates(dates),
  customStatusId: ({ customStatusId }) => customStatusId,
  recurrence: ({ recurrent }) => recurrent,
  dependencyIds: ({ dependencyIds }) => dependencyIds,
  customFields: ({ customFields }) => customFields,
  customItemTypeId: ({ customItemTypeId }) => customItemTypeId ?? null,
};

const ofFolder: Readonly<Record<string, (folder: Folder) => unknown>> = {
  title: ({ title }) => title,
  customFields: ({ customFields }) => customFields,
  customItemTypeId: ({ customItemTypeId }) => customItemTypeId ?? null,
  project: ({ project }) => project ?? null,
};

export function payloadFor(happening: Happening, webhookId: string, fields: readonly string[]): unknown {
  const { event, authorId, date, subjectId, payload, task, folder } = happening;
  const more = Object.fromEntries(
    fields.map((name) => [name, (task ? ofTask[name]?.(task) : folder && ofFolder[name]?.(folder)) ?? null]),
  );
  return {
    webhookId,
    eventAuthorId: authorId,
    eventType: event,
    lastUpdatedDate: date,
    [events[event].idField]: subjectId,
    ...payload,
    ...(fields.length > 0 ? { fields: more } : {}),
  };
}
