// The payload of an event, as far as the contract shows it: what it is made of, and which values its fields hold. What the
// emulator emits and `wm webhook trigger` sends is validated, so that a receiver never gets what the service would not send.

import { type EventName, events } from './event.ts';
import { identifier } from './identifier.ts';
import { parseJsonIfValid } from './json.ts';
import {
  boolean,
  formatValue,
  list,
  nullable,
  number,
  object,
  optional,
  type Schema,
  text,
  ValidationError,
  withPath,
} from './schema.ts';
import { datesType, taskImportance, taskStatus } from './task.ts';

const plain = text('text');
const someId = text('id', { notEmpty: true });
const users = list(identifier('UserId'));
const folders = list(identifier('FolderId'));

/** Dates have other names in events than in records. */
const dates = object('dates', {
  type: optional(datesType),
  startDate: optional(plain),
  duration: optional(number('minutes', { from: 0 })),
  dueDate: optional(plain),
  workOnWeekends: optional(boolean),
});

/** A custom field's value is a JSON text, in which a text has quotes. */
const jsonText: Schema<string> = {
  ...plain,
  type: 'JSON text',
  validate(input) {
    const given = plain.validate(input);
    // An empty text is no value: see assumption.ts.
    if (given === '') return given;
    if (parseJsonIfValid(given) === undefined) {
      throw new ValidationError(formatValue(given), 'is not JSON; a JSON string needs double quotes');
    }
    return given;
  },
};

const fieldSchemas: Readonly<Record<string, Schema<unknown>>> = {
  title: plain,
  importance: taskImportance,
  oldStatus: taskStatus,
  status: taskStatus,
  oldCustomStatusId: identifier('CustomStatusId'),
  customStatusId: identifier('CustomStatusId'),
  dates,
  addedParents: folders,
  removedParents: folders,
  addedResponsibles: users,
  removedResponsibles: users,
  addedShareds: users,
  removedShareds: users,
  addedOwners: users,
  removedOwners: users,
  customFieldId: identifier('CustomFieldId'),
  value: nullable(jsonText),
  attachmentId: someId,
  commentId: someId,
  comment: object('comment', { text: plain, html: plain }),
  blueprintId: someId,
  timeTrackerId: someId,
  type: plain,
  hours: plain,
  approvalId: someId,
  decision: plain,
  approverIds: users,
  oldWorkItemTypeId: nullable(identifier('EntityTypeId')),
  newWorkItemTypeId: identifier('EntityTypeId'),
  newWorkItemTypeTitle: plain,
};

/** Where a name means something else than in most events. The words of an approval are not shown, nor a project's. */
const schemasOfOneEvent: Partial<Record<EventName, Readonly<Record<string, Schema<unknown>>>>> = {
  TaskTitleChanged: { oldValue: plain },
  FolderTitleChanged: { oldValue: plain },
  TaskImportanceChanged: { oldValue: taskImportance },
  TaskDatesChanged: { oldValue: dates },
  ProjectDatesChanged: { oldValue: dates },
  TaskCustomFieldChanged: { oldValue: nullable(jsonText) },
  FolderCustomFieldChanged: { oldValue: nullable(jsonText) },
  ProjectStatusChanged: { oldStatus: plain, status: plain },
  TaskApprovalStatusChanged: { status: plain },
  FolderApprovalStatusChanged: { status: plain },
};

/** What a field of the event's own holds. Throws {@link ValidationError} for a name that is no such field. */
export function payloadField(event: EventName, name: string): Schema<unknown> {
  const { payload } = events[event];
  const schema = payload.includes(name)
    ? (schemasOfOneEvent[event]?.[name] ?? fieldSchemas[name])
    : undefined;
  if (schema !== undefined) return schema;
  throw new ValidationError(
    formatValue(name),
    `is not a payload field of ${event}, which has ${payload.join(', ') || 'none'}`,
  );
}

/** Throws {@link ValidationError} for a name that is no payload field of the event, and for a value that it does not hold. */
export function validatePayload(event: EventName, given: Readonly<Record<string, unknown>>): void {
  for (const [name, input] of Object.entries(given)) {
    const schema = payloadField(event, name);
    withPath(name, () => schema.validate(input));
  }
}

/** What every payload says, whatever the event. */
export interface PayloadHead {
  readonly webhookId: string;
  readonly authorId: string;
  /** As {@link formatTimestamp} writes it. */
  readonly date: string;
  /** The id that stands in the event's `idField`. */
  readonly subjectId: string;
}

/** The whole payload: the common fields, then those of the event. */
export function toPayload(
  event: EventName,
  { webhookId, authorId, date, subjectId }: PayloadHead,
  own: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return {
    webhookId,
    eventAuthorId: authorId,
    eventType: event,
    lastUpdatedDate: date,
    [events[event].idField]: subjectId,
    ...own,
  };
}
