// The payload of a delivery: the common fields, the event's own, and the additional fields of a parameterised event.

import { toPayload } from '../../contract/payload.ts';
import type { Folder, StoredTask } from '../state/store.ts';
import { toEventDates } from '../task/changes.ts';
import type { Occurrence } from './occurrence.ts';

type TaskField = (task: StoredTask) => unknown;

/** Where the contract shows no other name or form, a field is that of the record. */
const taskFields: Readonly<Record<string, TaskField>> = {
  title: ({ title }) => title,
  responsibleIds: ({ responsibleIds }) => responsibleIds,
  responsiblePlaceholderIds: ({ responsiblePlaceholderIds }) => responsiblePlaceholderIds,
  status: ({ status }) => status,
  dates: ({ dates }) => toEventDates(dates),
  customStatusId: ({ customStatusId }) => customStatusId,
  recurrence: ({ recurrent }) => recurrent,
  dependencyIds: ({ dependencyIds }) => dependencyIds,
  customFields: ({ customFields }) => customFields,
  customItemTypeId: ({ customItemTypeId }) => customItemTypeId,
};

const folderFields: Readonly<Record<string, (folder: Folder) => unknown>> = {
  title: ({ title }) => title,
  customFields: ({ customFields }) => customFields,
  customItemTypeId: ({ customItemTypeId }) => customItemTypeId,
  project: ({ project }) => project,
};

export function buildPayload(occurrence: Occurrence, webhookId: string, fields: readonly string[]): unknown {
  const { event, authorId, date, subjectId, payload, task, folder } = occurrence;
  const additional = Object.fromEntries(
    fields.map((name) => [
      name,
      (task ? taskFields[name]?.(task) : folder && folderFields[name]?.(folder)) ?? null,
    ]),
  );
  return toPayload(
    event,
    { webhookId, authorId, date, subjectId },
    { ...payload, ...(fields.length > 0 ? { fields: additional } : {}) },
  );
}
