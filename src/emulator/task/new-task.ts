// Creates a task in a folder, at the end of the list. Requests, batches and control requests do.

import { formatTimestamp } from '#contract/date.ts';
import { randomText } from '../state/random-text.ts';
import { requireEntry } from '../state/require-entry.ts';
import type { Folder, Store, StoredTask } from '../state/store.ts';
import { keyAfter } from './priority.ts';

export function lastPriority({ tasks }: Store, accountId: string): string {
  return tasks.get(tasks.idsIn(accountId).at(-1) ?? '')?.priority ?? '';
}

/** `after`: the ordering key of the task before it. */
export function createTaskIn(
  store: Store,
  folder: Folder,
  authorId: string,
  now: number,
  title: string,
  after: string,
): StoredTask {
  const { accountId } = folder;
  const standardWorkflows = new Map(
    [...store.workflows.values()]
      .filter(({ standard }) => standard === true)
      .map((workflow) => [workflow.accountId, workflow]),
  );
  const date = formatTimestamp(now);
  return {
    id: `${accountId}KQ${randomText(8)}`,
    accountId,
    title,
    description: '',
    status: 'Active',
    importance: 'Normal',
    customStatusId: requireEntry(standardWorkflows, accountId).statuses[0].id,
    scope: 'WsTask',
    createdDate: date,
    updatedDate: date,
    dates: { type: 'Backlog' },
    parentIds: [folder.id],
    formerParentIds: [],
    superTaskIds: [],
    subTaskIds: [],
    dependencyIds: [],
    authorIds: [authorId],
    responsibleIds: [],
    responsiblePlaceholderIds: [],
    sharedIds: folder.sharedIds,
    followerIds: [authorId],
    attachments: [],
    recurrent: false,
    priority: keyAfter(after),
    metadata: [],
    customFields: [],
    cascadingFieldSettings: [],
    finance: {},
    billingType: 'Billable',
  };
}
