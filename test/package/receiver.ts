// A receiver that uses the package as any other program would: it is checked against the package's types, and run, by
// package.test.ts. It prints a line for each event that comes. Every event has its case here, with each of its fields.

import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  createReceiver,
  type EventOf,
  eventNames,
  type UnknownEvent,
  type WebhookEvent,
} from 'wm-cli/webhooks';

const print = (line: string) => process.stdout.write(`${line}\n`);
/** Takes texts alone, so that the compiler says where a field is something else. */
const texts = (...fields: string[]) => fields.join(' ');

function describe(event: WebhookEvent): string {
  switch (event.eventType) {
    case 'TaskCreated':
    case 'TaskDeleted':
    case 'TaskDescriptionChanged':
      return texts(event.taskId);
    case 'TaskTitleChanged':
      return texts(event.taskId, event.oldValue, event.title);
    case 'TaskImportanceChanged':
      return texts(event.taskId, event.oldValue, event.importance);
    case 'TaskStatusChanged':
    case 'ProjectStatusChanged':
      return texts(
        ...[event.taskId, event.oldStatus, event.status],
        ...[event.oldCustomStatusId, event.customStatusId],
      );
    case 'TaskDatesChanged':
      return texts(event.taskId, ...dates(event.oldValue), ...dates(event.dates));
    case 'TaskParentsAdded':
      return texts(event.taskId, ...event.addedParents);
    case 'TaskParentsRemoved':
      return texts(event.taskId, ...event.removedParents);
    case 'TaskResponsiblesAdded':
      return texts(event.taskId, ...event.addedResponsibles);
    case 'TaskResponsiblesRemoved':
      return texts(event.taskId, ...event.removedResponsibles);
    case 'TaskSharedsAdded':
      return texts(event.taskId, ...event.addedShareds);
    case 'TaskSharedsRemoved':
      return texts(event.taskId, ...event.removedShareds);
    case 'TaskCustomFieldChanged':
      return texts(event.taskId, event.customFieldId, event.oldValue ?? 'none', event.value ?? 'none');
    case 'AttachmentAdded':
    case 'AttachmentDeleted':
      return texts(event.taskId, event.attachmentId);
    case 'CommentAdded':
      return texts(event.taskId, event.commentId, event.comment.text, event.comment.html);
    case 'CommentDeleted':
      return texts(event.taskId, event.commentId);
    case 'CreateFromBlueprintCompleted':
      return texts(event.createdTaskGroupId, event.blueprintId);
    case 'TimelogChanged':
      return texts(event.taskId, event.timeTrackerId, event.type, event.hours);
    case 'FolderCreated':
    case 'FolderDeleted':
    case 'FolderDescriptionChanged':
      return texts(event.folderId);
    case 'FolderTitleChanged':
      return texts(event.folderId, event.oldValue, event.title);
    case 'FolderParentsAdded':
      return texts(event.folderId, ...event.addedParents);
    case 'FolderParentsRemoved':
      return texts(event.folderId, ...event.removedParents);
    case 'FolderSharedsAdded':
      return texts(event.folderId, ...event.addedShareds);
    case 'FolderSharedsRemoved':
      return texts(event.folderId, ...event.removedShareds);
    case 'FolderCommentAdded':
      return texts(event.folderId, event.commentId, event.comment.text, event.comment.html);
    case 'FolderCommentDeleted':
      return texts(event.folderId, event.commentId);
    case 'FolderAttachmentAdded':
    case 'FolderAttachmentDeleted':
      return texts(event.folderId, event.attachmentId);
    case 'FolderCustomFieldChanged':
      return texts(event.folderId, event.customFieldId, event.oldValue ?? 'none', event.value ?? 'none');
    case 'ProjectDatesChanged':
      return texts(event.folderId, ...dates(event.oldValue), ...dates(event.dates));
    case 'ProjectOwnersAdded':
      return texts(event.folderId, ...event.addedOwners);
    case 'ProjectOwnersRemoved':
      return texts(event.folderId, ...event.removedOwners);
    case 'TaskApprovalStatusChanged':
      return texts(event.taskId, event.approvalId, event.status);
    case 'TaskApprovalDecisionChanged':
      return texts(event.taskId, event.approvalId, event.decision);
    case 'TaskApprovalDecisionReset':
      return texts(event.taskId, event.approvalId, ...event.approverIds);
    case 'FolderApprovalStatusChanged':
      return texts(event.folderId, event.approvalId, event.status);
    case 'FolderApprovalDecisionChanged':
      return texts(event.folderId, event.approvalId, event.decision);
    case 'FolderApprovalDecisionReset':
      return texts(event.folderId, event.approvalId, ...event.approverIds);
    case 'WorkItemTypeChanged':
      return texts(
        ...[event.workItemId, event.oldWorkItemTypeId ?? 'none'],
        ...[event.newWorkItemTypeId, event.newWorkItemTypeTitle],
      );
    case 'ImportFromFileCompleted':
      return texts(event.parentTaskGroupId, event.attachmentId);
    default:
      return unknown(event);
  }
}

/** Takes nothing else: an event without a case above would not compile. */
const unknown = ({ name = 'nameless', problem }: UnknownEvent) => texts(name, problem);

function dates({
  type = '',
  startDate = '',
  dueDate = '',
  duration,
  workOnWeekends,
}: EventOf<'TaskDatesChanged'>['dates']) {
  const minutes: number | undefined = duration;
  const weekends: boolean | undefined = workOnWeekends;
  return [type, startDate, dueDate, `${minutes}`, `${weekends}`];
}

// @ts-expect-error there is no such event
export type None = EventOf<'TaskRenamed'>;

/** What must not compile. */
export function misuse(
  event: WebhookEvent,
  created: EventOf<'TaskCreated'>,
  renamed: EventOf<'TaskTitleChanged'>,
) {
  // @ts-expect-error not every event has a task
  texts(event.taskId);
  // @ts-expect-error another event's field
  texts(created.title);
  // @ts-expect-error this one is a text
  const count: number = renamed.title;
  // @ts-expect-error there is no such event
  const known = event.eventType === 'TaskRenamed';
  // @ts-expect-error what was asked for may be missing, and is not known
  const title: string = created.fields?.title;
  // @ts-expect-error a folder's alone
  const project = created.fields?.project;
  // @ts-expect-error each delivery would be lost
  createReceiver({ secret: 'a' });
  // @ts-expect-error misspelt
  createReceiver({ secret: 'a', onDelivery: () => undefined, onRejction: () => undefined });
  return [count, known, title, project] satisfies [number, boolean, string, unknown];
}

const secret = randomBytes(16).toString('hex');
let count = 0;
const receiver = createReceiver({
  secret,
  onDelivery({ events, id, idempotencyKey }) {
    for (const event of events) {
      print(`${event.eventType} ${describe(event)}`);
      count += id === undefined || idempotencyKey === undefined ? 100 : 1;
    }
  },
  onRejection: ({ reason, error }) => print(`${reason} ${error ?? ''}`),
});
const server = createServer(receiver.node);
server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address() as AddressInfo;
  await wm('webhook', 'create', `http://127.0.0.1:${port}/hook`, '--yes');
  for (const name of eventNames) await wm('emulator', 'emit', name);
  print(`${count} of ${eventNames.length}`);
  server.close();
  server.closeAllConnections();
});

function wm(...args: string[]): Promise<string> {
  return new Promise((done, reject) =>
    execFile('wm', args, { env: { ...process.env, WM_WEBHOOK_SECRET: secret } }, (error, output) =>
      error === null ? done(output) : reject(error),
    ),
  );
}
