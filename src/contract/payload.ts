// The payload of an event: its fields and their schemas. The events of the emulator and of `wm webhook trigger` are validated, so
// that a receiver never gets a payload that the service would not send.

import { timestampSchema } from './date.ts';
import {
  type commonPayloadFields,
  type EventName,
  type EventRow,
  events,
  type PayloadFieldOf,
} from './event.ts';
import { type IdentifierType, identifier } from './identifier.ts';
import { parseJsonIfValid } from './json.ts';
import {
  boolean,
  choice,
  formatValue,
  list,
  nullable,
  number,
  object,
  openText,
  optional,
  type Schema,
  text,
  ValidationError,
  withPath,
} from './schema.ts';
import { datesType, taskImportance, taskStatus } from './task.ts';

// Senders must keep to the format. A receiver accepts any text: see openText.
const plain: Schema<string> = openText(text('text'));
const opaqueId: Schema<string> = openText(text('id', { notEmpty: true }));
const id = (type: IdentifierType): Schema<string> => openText(identifier(type));
const users = list(id('UserId'));
const folders = list(id('FolderId'));

/** Dates have other names in events than in records. */
const dates = object('dates', {
  type: optional(openText(datesType)),
  startDate: optional(plain),
  duration: optional(number('minutes', { from: 0 })),
  dueDate: optional(plain),
  workOnWeekends: optional(boolean),
});

/** The value of a custom field: JSON, in which text has quotes. */
const jsonText: Schema<string> = openText({
  ...plain,
  type: 'JSON text',
  validate(input) {
    const json = plain.validate(input);
    // An empty text means no value: see assumption.ts.
    if (json !== '' && parseJsonIfValid(json) === undefined)
      throw new ValidationError(formatValue(json), 'is not JSON; a JSON string needs double quotes');
    return json;
  },
});

type Schemas = Readonly<Record<string, Schema<unknown>>>;
const openStatus = openText(taskStatus);
const openImportance = openText(taskImportance);

const fieldSchemas = {
  title: plain,
  importance: openImportance,
  oldStatus: openStatus,
  status: openStatus,
  oldCustomStatusId: id('CustomStatusId'),
  customStatusId: id('CustomStatusId'),
  dates,
  addedParents: folders,
  removedParents: folders,
  addedResponsibles: users,
  removedResponsibles: users,
  addedShareds: users,
  removedShareds: users,
  addedOwners: users,
  removedOwners: users,
  customFieldId: id('CustomFieldId'),
  value: nullable(jsonText, 'empty-custom-field'),
  attachmentId: opaqueId,
  commentId: opaqueId,
  comment: object('comment', { text: plain, html: plain }),
  blueprintId: opaqueId,
  timeTrackerId: opaqueId,
  type: plain,
  hours: plain,
  approvalId: opaqueId,
  decision: plain,
  approverIds: users,
  oldWorkItemTypeId: nullable(id('EntityTypeId'), 'old-item-type'),
  newWorkItemTypeId: id('EntityTypeId'),
  newWorkItemTypeTitle: plain,
} as const satisfies Schemas;

/** Fields that differ from {@link fieldSchemas} in one event. The statuses of approvals and projects are not shown. */
const specialSchemas = {
  TaskTitleChanged: { oldValue: plain },
  FolderTitleChanged: { oldValue: plain },
  TaskImportanceChanged: { oldValue: openImportance },
  TaskDatesChanged: { oldValue: dates },
  ProjectDatesChanged: { oldValue: dates },
  TaskCustomFieldChanged: { oldValue: nullable(jsonText, 'empty-custom-field') },
  FolderCustomFieldChanged: { oldValue: nullable(jsonText, 'empty-custom-field') },
  ProjectStatusChanged: { oldStatus: plain, status: plain },
  TaskApprovalStatusChanged: { status: plain },
  FolderApprovalStatusChanged: { status: plain },
} as const satisfies Partial<Record<EventName, Schemas>>;

export type PayloadSchemaOf<E extends EventName, F extends PayloadFieldOf<E>> =
  F extends SpecialField<E>
    ? (typeof specialSchemas)[E & keyof typeof specialSchemas][F]
    : (typeof fieldSchemas)[F & keyof typeof fieldSchemas];
type SpecialField<E> = E extends keyof typeof specialSchemas ? keyof (typeof specialSchemas)[E] : never;

const common: Schemas = fieldSchemas;
const special: Partial<Record<EventName, Schemas>> = specialSchemas;

/** The schema of a payload field. Throws a {@link ValidationError} if the event does not have it. */
export function payloadField(event: EventName, name: string): Schema<unknown> {
  const { payload } = events[event];
  const schema = payload.includes(name) ? (special[event]?.[name] ?? common[name]) : undefined;
  if (schema !== undefined) return schema;
  throw new ValidationError(
    formatValue(name),
    `is not a payload field of ${event}, which has ${payload.join(', ') || 'none'}`,
  );
}

/** Throws a {@link ValidationError} for a field that the event does not have, or an invalid value. */
export function validatePayload(event: EventName, fields: Readonly<Record<string, unknown>>): void {
  for (const [name, input] of Object.entries(fields)) {
    const schema = payloadField(event, name);
    withPath(name, () => schema.validate(input));
  }
}

type HeadField = Exclude<(typeof commonPayloadFields)[number], 'eventType'> | EventRow['idField'];

const headSchemas = {
  webhookId: id('WebhookId'),
  eventAuthorId: id('UserId'),
  lastUpdatedDate: openText(timestampSchema),
  taskId: id('TaskId'),
  folderId: id('FolderId'),
  workItemId: opaqueId,
  createdTaskGroupId: opaqueId,
  parentTaskGroupId: opaqueId,
} as const satisfies Readonly<Record<HeadField, Schema<string>>>;

/** The schema of each member of a payload, in the order of {@link toPayload}. */
export function payloadSchemas(event: EventName): Schemas {
  const { idField, payload } = events[event];
  const { webhookId, eventAuthorId, lastUpdatedDate } = headSchemas;
  return {
    webhookId,
    eventAuthorId,
    eventType: choice('event', [event]),
    lastUpdatedDate,
    [idField]: headSchemas[idField],
    ...Object.fromEntries(payload.map((name) => [name, payloadField(event, name)])),
  };
}

export interface PayloadHead {
  readonly webhookId: string;
  readonly authorId: string;
  /** A timestamp, as in records. */
  readonly date: string;
  /** The value of the event's `idField`. */
  readonly subjectId: string;
}

export function toPayload(
  event: EventName,
  { webhookId, authorId, date, subjectId }: PayloadHead,
  ownFields: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return {
    webhookId,
    eventAuthorId: authorId,
    eventType: event,
    lastUpdatedDate: date,
    [events[event].idField]: subjectId,
    ...ownFields,
  };
}
