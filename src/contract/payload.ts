// The payload of an event: its fields with their schemas, and a sample of each, to try a receiver without a real event. The events of
// the emulator and of `wm webhook trigger` are validated, so that a receiver never gets a payload that the service would not send.

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
import * as s from './schema.ts';
import { datesType, taskImportance, taskStatus } from './task.ts';

// Senders must keep to the format. A receiver accepts any text: see openText.
const plain: s.Schema<string> = s.openText(s.text('text'));
const opaqueId: s.Schema<string> = s.openText(s.text('id', { notEmpty: true }));
const id = (type: IdentifierType): s.Schema<string> => s.openText(identifier(type));

/** Dates have other names in events than in records. */
const dates = s.object('dates', {
  type: s.optional(s.openText(datesType)),
  startDate: s.optional(plain),
  duration: s.optional(s.number('minutes', { from: 0 })),
  dueDate: s.optional(plain),
  workOnWeekends: s.optional(s.boolean),
});

/** The value of a custom field: JSON, in which text has quotes. */
const jsonText: s.Schema<string> = s.openText({
  ...plain,
  type: 'JSON text',
  validate(input) {
    const json = plain.validate(input);
    // An empty text means no value: see assumption.ts.
    if (json !== '' && parseJsonIfValid(json) === undefined)
      throw s.invalidValue(json, 'is not JSON; a JSON string needs double quotes');
    return json;
  },
});

/** Well-formed ids that no record has, for samples without an account. */
export const exampleIds = {
  webhook: 'IEXAMPLEWAAAAAAAAAAA',
  author: 'KUEXAMPL',
  task: 'IEXAMPLEKQAAAAAA',
  folder: 'IEXAMPLEI4AAAAAA',
  /** The user who was assigned, added, or asked for an approval. */
  user: 'KUEXAMP2',
  /** The folder or project that something was added to. */
  parent: 'IEXAMPLEI4AAAAAB',
  oldCustomStatus: 'IEXAMPLEJMAAAAAA',
  customStatus: 'IEXAMPLEJMAAAAAB',
  customField: 'IEXAMPLEJUAAAAAA',
  attachment: 'IEXAMPLEIYAAAAAA',
  oldItemType: 'IEXAMPLEPIAAAAAA',
  itemType: 'IEXAMPLEPIAAAAAB',
} as const;

/** Ids of the records that samples name beside their subject. */
export type SampleIds = Readonly<
  Record<Exclude<keyof typeof exampleIds, 'webhook' | 'author' | 'task' | 'folder'>, string>
>;

/** The schema of a field, and a valid value for samples. `title`: of the subject. */
const field = <T>(schema: s.Schema<T>, sample: (values: SampleIds & { title: string }) => NoInfer<T>) => ({
  schema,
  sample,
});
type Field<T> = ReturnType<typeof field<T>>;
type Fields = Readonly<Record<string, Field<unknown>>>;

const users = field(s.list(id('UserId')), ({ user }) => [user]);
const folders = field(s.list(id('FolderId')), ({ parent }) => [parent]);
const openStatus = s.openText(taskStatus);
const openImportance = s.openText(taskImportance);
const anyFieldValue = s.nullable(jsonText, 'empty-custom-field');

const sampleDates = {
  type: 'Planned',
  startDate: '2026-02-02T09:00:00',
  duration: 2400,
  dueDate: '2026-02-06T17:00:00',
  workOnWeekends: false,
};

const fields = {
  title: field(plain, ({ title }) => title),
  importance: field(openImportance, () => 'High'),
  oldStatus: field(openStatus, () => 'Active'),
  status: field(openStatus, () => 'Completed'),
  oldCustomStatusId: field(id('CustomStatusId'), ({ oldCustomStatus }) => oldCustomStatus),
  customStatusId: field(id('CustomStatusId'), ({ customStatus }) => customStatus),
  dates: field(dates, () => sampleDates),
  addedParents: folders,
  removedParents: folders,
  addedResponsibles: users,
  removedResponsibles: users,
  addedShareds: users,
  removedShareds: users,
  addedOwners: users,
  removedOwners: users,
  customFieldId: field(id('CustomFieldId'), ({ customField }) => customField),
  value: field(anyFieldValue, () => '"after"'),
  attachmentId: field(opaqueId, ({ attachment }) => attachment),
  commentId: field(opaqueId, () => 'IEAAAAAQIMAB5COM'),
  comment: field(s.object('comment', { text: plain, html: plain }), () => ({
    text: 'Looks good',
    html: 'Looks <b>good</b>',
  })),
  blueprintId: field(opaqueId, () => 'IEAAAAAQKRAB5BLU'),
  timeTrackerId: field(opaqueId, () => 'IEAAAAAQJQAB5TIM'),
  type: field(plain, () => 'Added'),
  hours: field(plain, () => '1.5'),
  approvalId: field(opaqueId, () => 'IEAAAAAQIVAB5APR'),
  decision: field(plain, () => 'Approved'),
  approverIds: users,
  oldWorkItemTypeId: field(s.nullable(id('EntityTypeId'), 'old-item-type'), ({ oldItemType }) => oldItemType),
  newWorkItemTypeId: field(id('EntityTypeId'), ({ itemType }) => itemType),
  newWorkItemTypeTitle: field(plain, () => 'Story'),
} as const satisfies Fields;

const oldTitle = { oldValue: field(plain, () => 'An old title') };
const oldDates = {
  oldValue: field(dates, () => ({
    ...sampleDates,
    startDate: '2026-01-26T09:00:00',
    dueDate: '2026-01-30T17:00:00',
  })),
};
const oldFieldValue = { oldValue: field(anyFieldValue, () => '"before"') };
const approvalStatus = { status: field(plain, () => 'Approved') };

/** Fields that differ from {@link fields} in one event. The statuses of approvals and projects are not shown. */
const specialFields = {
  TaskTitleChanged: oldTitle,
  FolderTitleChanged: oldTitle,
  TaskImportanceChanged: { oldValue: field(openImportance, () => 'Normal') },
  TaskDatesChanged: oldDates,
  ProjectDatesChanged: oldDates,
  TaskCustomFieldChanged: oldFieldValue,
  FolderCustomFieldChanged: oldFieldValue,
  ProjectStatusChanged: {
    oldStatus: field(plain, fields.oldStatus.sample),
    status: field(plain, fields.status.sample),
  },
  TaskApprovalStatusChanged: approvalStatus,
  FolderApprovalStatusChanged: approvalStatus,
} as const satisfies Partial<Record<EventName, Fields>>;

export type PayloadTypeOf<E extends EventName, F extends PayloadFieldOf<E>> =
  F extends SpecialField<E>
    ? FieldType<(typeof specialFields)[E & keyof typeof specialFields][F]>
    : FieldType<(typeof fields)[F & keyof typeof fields]>;
type SpecialField<E> = E extends keyof typeof specialFields ? keyof (typeof specialFields)[E] : never;
type FieldType<F> = F extends { readonly schema: s.Schema<infer T> } ? T : never;

const common: Fields = fields;
const special: Partial<Record<EventName, Fields>> = specialFields;
const fieldOf = (event: EventName, name: string) => special[event]?.[name] ?? common[name];

/** The schema of a payload field. Throws a {@link s.ValidationError} if the event does not have it. */
export function payloadField(event: EventName, name: string): s.Schema<unknown> {
  const { payload } = events[event];
  const row = payload.includes(name) ? fieldOf(event, name) : undefined;
  if (row !== undefined) return row.schema;
  throw s.invalidValue(name, `is not a payload field of ${event}, which has ${payload.join(', ') || 'none'}`);
}

/** Throws a {@link s.ValidationError} for a field that the event does not have, or an invalid value. */
export function validatePayload(event: EventName, fields: Readonly<Record<string, unknown>>): void {
  for (const [name, input] of Object.entries(fields)) {
    const schema = payloadField(event, name);
    s.withPath(name, () => schema.validate(input));
  }
}

type HeadField = Exclude<(typeof commonPayloadFields)[number], 'eventType'> | EventRow['idField'];

const headSchemas = {
  webhookId: id('WebhookId'),
  eventAuthorId: id('UserId'),
  lastUpdatedDate: s.openText(timestampSchema),
  taskId: id('TaskId'),
  folderId: id('FolderId'),
  workItemId: opaqueId,
  createdTaskGroupId: opaqueId,
  parentTaskGroupId: opaqueId,
} as const satisfies Readonly<Record<HeadField, s.Schema<string>>>;

/** The schema of each member of a payload, in the order of {@link toPayload}. */
export function payloadSchemas(event: EventName): Readonly<Record<string, s.Schema<unknown>>> {
  const { idField, payload } = events[event];
  const { webhookId, eventAuthorId, lastUpdatedDate } = headSchemas;
  return {
    webhookId,
    eventAuthorId,
    eventType: s.choice('event', [event]),
    lastUpdatedDate,
    [idField]: headSchemas[idField],
    ...Object.fromEntries(payload.map((name) => [name, payloadField(event, name)])),
  };
}

interface PayloadHead {
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

/** Valid values of the event's own fields. `title`: the title of its subject. */
export function samplePayload(event: EventName, ids: SampleIds, title: string) {
  const values = { ...ids, title };
  return Object.fromEntries(
    events[event].payload.map((name) => [name, fieldOf(event, name)?.sample(values)]),
  );
}
