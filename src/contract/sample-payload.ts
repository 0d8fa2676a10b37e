// A valid sample payload for every event, to try a receiver without a real event. The emulator, `wm webhook trigger` and
// `wm webhook verify` send them.

import { type EventName, events } from './event.ts';

export interface SampleIds {
  /** The user who was assigned, added, or asked for an approval. */
  readonly user: string;
  /** The folder or project that something was added to. */
  readonly parent: string;
  readonly oldCustomStatus: string;
  readonly customStatus: string;
  readonly customField: string;
  readonly attachment: string;
  readonly oldItemType: string;
  readonly itemType: string;
}

/** Well-formed ids that no record has, for samples without an account. */
export const exampleIds = {
  webhook: 'IEXAMPLEWAAAAAAAAAAA',
  author: 'KUEXAMPL',
  task: 'IEXAMPLEKQAAAAAA',
  folder: 'IEXAMPLEI4AAAAAA',
  user: 'KUEXAMP2',
  parent: 'IEXAMPLEI4AAAAAB',
  oldCustomStatus: 'IEXAMPLEJMAAAAAA',
  customStatus: 'IEXAMPLEJMAAAAAB',
  customField: 'IEXAMPLEJUAAAAAA',
  attachment: 'IEXAMPLEIYAAAAAA',
  oldItemType: 'IEXAMPLEPIAAAAAA',
  itemType: 'IEXAMPLEPIAAAAAB',
} as const satisfies SampleIds & Readonly<Record<string, string>>;

const dates = {
  type: 'Planned',
  startDate: '2026-02-02T09:00:00',
  duration: 2400,
  dueDate: '2026-02-06T17:00:00',
  workOnWeekends: false,
};
const oldDates = { ...dates, startDate: '2026-01-26T09:00:00', dueDate: '2026-01-30T17:00:00' };

type Fields = Readonly<Record<string, unknown>>;

const sampleValues = (ids: SampleIds): Fields => ({
  oldValue: 'An old title',
  importance: 'High',
  oldStatus: 'Active',
  status: 'Completed',
  oldCustomStatusId: ids.oldCustomStatus,
  customStatusId: ids.customStatus,
  dates,
  addedParents: [ids.parent],
  removedParents: [ids.parent],
  addedResponsibles: [ids.user],
  removedResponsibles: [ids.user],
  addedShareds: [ids.user],
  removedShareds: [ids.user],
  addedOwners: [ids.user],
  removedOwners: [ids.user],
  customFieldId: ids.customField,
  value: '"after"',
  attachmentId: ids.attachment,
  commentId: 'IEAAAAAQIMAB5COM',
  comment: { text: 'Looks good', html: 'Looks <b>good</b>' },
  blueprintId: 'IEAAAAAQKRAB5BLU',
  timeTrackerId: 'IEAAAAAQJQAB5TIM',
  type: 'Added',
  hours: '1.5',
  approvalId: 'IEAAAAAQIVAB5APR',
  decision: 'Approved',
  approverIds: [ids.user],
  oldWorkItemTypeId: ids.oldItemType,
  newWorkItemTypeId: ids.itemType,
  newWorkItemTypeTitle: 'Story',
});

/** Values that differ from {@link sampleValues} in one event. */
const specialValues: Partial<Record<EventName, Fields>> = {
  TaskImportanceChanged: { oldValue: 'Normal' },
  TaskDatesChanged: { oldValue: oldDates },
  ProjectDatesChanged: { oldValue: oldDates },
  TaskCustomFieldChanged: { oldValue: '"before"' },
  FolderCustomFieldChanged: { oldValue: '"before"' },
  TaskApprovalStatusChanged: { status: 'Approved' },
  FolderApprovalStatusChanged: { status: 'Approved' },
};

/** The event's own fields. `title`: the title of its subject. */
export function samplePayload(event: EventName, ids: SampleIds, title: string): Fields {
  const values: Fields = { ...sampleValues(ids), title, ...specialValues[event] };
  return Object.fromEntries(events[event].payload.map((field) => [field, values[field]]));
}
