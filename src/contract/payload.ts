// What each field of an event's payload holds, as far as the contract shows it: the emulator holds the events that a
// test asks for to it, so that a receiver is never tried with what the service would not send.

import { type EventName, events } from './event.ts';
import { identifier } from './identifier.ts';
import { parseJsonIfValid } from './json.ts';
import { datesType, taskImportance, taskStatus } from './task.ts';
import { flag, list, nullable, number, optional, Refused, record, shown, text, type Value } from './value.ts';

const plain = text('text');
const someId = text('id', { notEmpty: true });
const users = list(identifier('UserId'));
const folders = list(identifier('FolderId'));

/** Dates have other names in events than in records. */
const dates = record('dates', {
  type: optional(datesType),
  startDate: optional(plain),
  duration: optional(number('minutes', { from: 0 })),
  dueDate: optional(plain),
  workOnWeekends: optional(flag),
});

/** A custom field's value is a JSON text, in which a text has quotes. */
const jsonText: Value<string> = {
  ...plain,
  type: 'JSON text',
  check(input) {
    const given = plain.check(input);
    // An empty text is no value: see assumption.ts.
    if (given === '') return given;
    if (parseJsonIfValid(given) === undefined) {
      throw new Refused(shown(given), 'is not a JSON text, in which a text has quotes');
    }
    return given;
  },
};

const fields: Readonly<Record<string, Value<unknown>>> = {
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
  comment: record('comment', { text: plain, html: plain }),
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
const special: Partial<Record<EventName, Readonly<Record<string, Value<unknown>>>>> = {
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

/** Throws {@link Refused} for a name that is no payload field of the event, and for a value that it does not hold. */
export function checkPayload(event: EventName, given: Readonly<Record<string, unknown>>): void {
  const { payload } = events[event];
  for (const [name, input] of Object.entries(given)) {
    const value = payload.includes(name) ? (special[event]?.[name] ?? fields[name]) : undefined;
    if (value === undefined) {
      throw new Refused(
        shown(name),
        `is not a payload field of ${event}, which has ${payload.join(', ') || 'none'}`,
      );
    }
    try {
      value.check(input);
    } catch (error) {
      if (error instanceof Refused) throw new Refused(`${name}: ${error.value}`, error.rule);
      throw error;
    }
  }
}
