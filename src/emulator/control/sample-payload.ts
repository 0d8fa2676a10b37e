// Sample payload fields, so that a receiver can be tried with every event, even those that nothing in the emulator causes.

import { type EventName, events } from '../../contract/event.ts';
import { sample } from '../state/sample-ids.ts';

const dates = {
  type: 'Planned',
  startDate: '2026-02-02T09:00:00',
  duration: 2400,
  dueDate: '2026-02-06T17:00:00',
  workOnWeekends: false,
};
const oldDates = { ...dates, startDate: '2026-01-26T09:00:00', dueDate: '2026-01-30T17:00:00' };

const sampleValues: Readonly<Record<string, unknown>> = {
  importance: 'High',
  oldStatus: 'Active',
  status: 'Completed',
  oldCustomStatusId: sample.active,
  customStatusId: sample.completedStatus,
  dates,
  addedParents: [sample.project],
  removedParents: [sample.project],
  addedResponsibles: [sample.ben],
  removedResponsibles: [sample.ben],
  addedShareds: [sample.ben],
  removedShareds: [sample.ben],
  addedOwners: [sample.ben],
  removedOwners: [sample.ben],
  customFieldId: sample.text,
  value: '"after"',
  attachmentId: sample.attachment,
  commentId: 'IEAAAAAQIMAB5COM',
  comment: { text: 'Looks good', html: 'Looks <b>good</b>' },
  blueprintId: 'IEAAAAAQKRAB5BLU',
  timeTrackerId: 'IEAAAAAQJQAB5TIM',
  type: 'Added',
  hours: '1.5',
  approvalId: 'IEAAAAAQIVAB5APR',
  decision: 'Approved',
  approverIds: [sample.ben],
  oldWorkItemTypeId: sample.bugType,
  newWorkItemTypeId: sample.storyType,
  newWorkItemTypeTitle: 'Story',
};

const sampleOldValues: Partial<Record<EventName, unknown>> = {
  TaskImportanceChanged: 'Normal',
  TaskDatesChanged: oldDates,
  ProjectDatesChanged: oldDates,
  TaskCustomFieldChanged: '"before"',
  FolderCustomFieldChanged: '"before"',
};

/** Approvals have statuses of their own. */
const approvalStatuses: Partial<Record<EventName, string>> = {
  TaskApprovalStatusChanged: 'Approved',
  FolderApprovalStatusChanged: 'Approved',
};

/** `title`: that of the event's subject. */
export function samplePayload(event: EventName, title: string): Readonly<Record<string, unknown>> {
  const sampleOf = (field: string): unknown => {
    if (field === 'oldValue') return sampleOldValues[event] ?? 'An old title';
    if (field === 'title') return title;
    if (field === 'status') return approvalStatuses[event] ?? sampleValues[field];
    return sampleValues[field];
  };
  return Object.fromEntries(events[event].payload.map((field) => [field, sampleOf(field)]));
}
