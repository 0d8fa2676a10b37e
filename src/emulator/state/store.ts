// The state of the service: plain records in maps by id, so that all of it can be saved in a file. sample.ts has the initial
// records; the endpoints have the rules that change them.

import type { BatchOperation } from '../../contract/batch-operation.ts';
import type { DataCentre } from '../../contract/delivery.ts';
import type { EventName } from '../../contract/event.ts';
import type { Account, CustomFieldDefinition, Workflow } from '../../contract/read-only-records.ts';
import type { Scope } from '../../contract/scope.ts';
import type { Task, TaskDates } from '../../contract/task.ts';
import type { ParameterisedEvent, WebhookStatus } from '../../contract/webhook.ts';
import type { Delivery } from './delivery.ts';
import type { SampleTokenName } from './sample-ids.ts';
import { TaskMap } from './task-map.ts';

export interface Application {
  readonly id: string;
  readonly secret: string;
  readonly name: string;
  /** The registered redirect URIs. */
  readonly callbacks: readonly string[];
  /** Any loopback redirect URI is accepted too. */
  readonly loopback: boolean;
}

export type DayName = 'Sun' | 'Mon' | 'Tue' | 'Wed' | 'Thu' | 'Fri' | 'Sat';
export type WorkDays = readonly [DayName, ...DayName[]];

export interface StoredAccount extends Account {
  readonly dataCentre: DataCentre;
  readonly workDays: WorkDays;
  readonly rootFolderId: string;
  readonly recycleBinId: string;
}

export interface User {
  readonly id: string;
  readonly accountId: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly type: 'Person' | 'Robot';
  readonly email: string;
  readonly role: 'User' | 'Collaborator';
  readonly admin: boolean;
  deleted: boolean;
  /** Still a user of the account, but cannot sign in. */
  deactivated?: boolean;
  /** The lowest licence has no status but Active. */
  licence: 'full' | 'lowest';
  /** Tasks, folders and spaces that this user may not see, even if they are shared. */
  denied: readonly string[];
}

export interface Invitation {
  readonly id: string;
  readonly accountId: string;
  readonly email: string;
}

export interface Folder {
  readonly id: string;
  readonly accountId: string;
  readonly title: string;
  /** Sanitized HTML. */
  readonly description?: string;
  readonly kind: 'root' | 'bin' | 'space' | 'folder' | 'project';
  readonly parentIds: readonly string[];
  /** Who can see it and its tasks; the folders in it have their own list. */
  readonly sharedIds: readonly [string, ...string[]];
  readonly project?: Readonly<Record<string, unknown>>;
  readonly customItemTypeId?: string;
  readonly customFields: readonly { readonly id: string; readonly value: string }[];
  readonly attachments?: readonly StoredAttachment[];
}

/** The record of a task without its computed fields (task/task-record.ts). */
export interface StoredTask
  extends Required<
      Pick<
        Task,
        | 'id'
        | 'accountId'
        | 'title'
        | 'description'
        | 'status'
        | 'importance'
        | 'customStatusId'
        | 'dependencyIds'
        | 'authorIds'
        | 'responsibleIds'
        | 'responsiblePlaceholderIds'
        | 'sharedIds'
        | 'followerIds'
        | 'recurrent'
        | 'priority'
        | 'metadata'
        | 'customFields'
        | 'cascadingFieldSettings'
        | 'billingType'
        | 'parentIds'
        | 'superTaskIds'
        | 'subTaskIds'
        | 'createdDate'
        | 'updatedDate'
        | 'finance'
      >
    >,
    Pick<Task, 'customItemTypeId' | 'completedDate' | 'workScheduleId' | 'effortAllocation'> {
  readonly scope: 'WsTask' | 'RbTask';
  readonly dates: TaskDates;
  /** Its folders before it was deleted. */
  readonly formerParentIds: readonly string[];
  readonly attachments: readonly StoredAttachment[];
}

export interface StoredAttachment {
  readonly id: string;
  /** Where it is to be found besides a download: that of the sample. */
  readonly url?: string;
  /** Attachments that a client added have the fields below; their shape is assumed. */
  readonly name?: string;
  /** In bytes; absent where only a name was sent. */
  readonly size?: number;
  readonly contentType?: string;
  readonly authorId?: string;
  readonly createdDate?: string;
  /** The comment that it came with. */
  readonly commentId?: string;
}

/** Of a task or a folder. Its shape is assumed. */
export interface StoredComment {
  readonly id: string;
  readonly taskId?: string;
  readonly folderId?: string;
  readonly authorId: string;
  /** Sanitized HTML. */
  readonly text: string;
  readonly createdDate: string;
  readonly updatedDate: string;
}

/** Its shape is assumed. */
export interface StoredTimelog {
  readonly id: string;
  readonly taskId: string;
  readonly userId: string;
  readonly hours: number;
  readonly createdDate: string;
  readonly updatedDate: string;
  readonly trackedDate: string;
  readonly comment: string;
}

/** Its shape is assumed. */
export interface StoredDependency {
  readonly id: string;
  readonly accountId: string;
  readonly predecessorId: string;
  readonly successorId: string;
  readonly relationType: string;
  /** In minutes. */
  readonly lagTime: number;
}

export interface StoredCustomField extends CustomFieldDefinition {
  readonly accountId: string;
  readonly title: string;
  readonly type: CustomFieldType;
  /** The options of a drop-down or multiple-select field. */
  readonly values: readonly string[];
  /** Undefined if it belongs to the whole account. */
  readonly spaceId?: string;
}

export type CustomFieldType =
  | 'Text'
  | 'Numeric'
  | 'Currency'
  | 'Percentage'
  | 'Duration'
  | 'Date'
  | 'Checkbox'
  | 'DropDown'
  | 'Multiple'
  | 'Contacts';

export interface StoredWorkflow extends Workflow {
  readonly accountId: string;
  readonly name: string;
  readonly spaceId?: string;
  readonly statuses: readonly [WorkflowStatus, ...WorkflowStatus[]];
}

export interface WorkflowStatus {
  readonly id: string;
  readonly name: string;
  readonly group: Task['status'] & string;
}

export interface CustomItemType {
  readonly id: string;
  readonly accountId: string;
  readonly title: string;
  readonly relatedType: 'Task' | 'Project';
}

export interface OwnedItem {
  readonly id: string;
  readonly accountId: string;
  readonly title: string;
}

export interface Token {
  readonly id: string;
  readonly use: 'access' | 'refresh' | 'version 3';
  readonly applicationId: string;
  readonly userId: string;
  readonly scopes: readonly Scope[];
  /** Milliseconds since 1970; undefined if it never expires. */
  readonly expires?: number;
  /** The code that it was issued for: if the code is used again, its tokens are revoked. */
  readonly codeId?: string;
  /** Its name, if it is one of the sample's tokens. */
  readonly sample?: SampleTokenName;
}

export interface Code {
  readonly id: string;
  readonly applicationId: string;
  readonly userId: string;
  readonly scopes: readonly Scope[];
  readonly expires: number;
  /** The redirect_uri of the authorization request, if it had one. */
  readonly redirectUri?: string;
  used: boolean;
}

/** A consent page that is open: neither allowed nor denied yet. Its form sends the id as `ticket`. */
export interface PendingConsent {
  readonly id: string;
  readonly applicationId: string;
  readonly redirectUri: string;
  readonly named: boolean;
  readonly state?: string;
  readonly scopes: readonly Scope[];
  readonly expires: number;
}

export interface StoredWebhook {
  readonly id: string;
  readonly accountId: string;
  readonly applicationId: string;
  readonly authorId: string;
  readonly scope: 'account' | 'folder' | 'space';
  /** The folder, project or space; undefined for the whole account. */
  readonly placeId?: string;
  readonly hookUrl: string;
  readonly secret?: string;
  readonly events?: readonly EventName[];
  readonly parameterisedEvents?: readonly ParameterisedEvent[];
  readonly customItemTypes?: readonly string[];
  readonly recursive: boolean;
  status: WebhookStatus;
}

/** A delivery that has not ended. */
export interface PendingDelivery {
  readonly id: string;
  /** When it is to be sent or retried: milliseconds since 1970 on the emulator's clock. */
  readonly due: number;
  readonly delivery: Delivery;
}

/** `due`: milliseconds since 1970 on the emulator's clock. */
export type ScheduledJob = { readonly id: string; readonly due: number } & (
  | {
      readonly type: 'description event';
      readonly accountId: string;
      readonly authorId: string;
      /** When the description changed: a timestamp. */
      readonly date: string;
      readonly taskId: string;
    }
  | {
      /** `id` is that of the asynchronous job. */
      readonly type: 'batch';
      readonly userId: string;
      readonly operations: readonly BatchOperation[];
    }
);

/** An e-mail that the real service would send. */
export interface Mail {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly date: string;
}

/** One line of the audit log; its shape is assumed. */
export interface AuditEntry {
  readonly id: string;
  readonly accountId: string;
  readonly operation: string;
  readonly userId: string;
  readonly userEmail: string;
  readonly eventDate: string;
  readonly objectType: string;
  readonly objectId: string;
}

/** An asynchronous job, such as a batch; its shape is assumed. */
export interface Job {
  readonly id: string;
  readonly accountId: string;
  readonly type: string;
  readonly status: 'InProgress' | 'Completed';
  readonly results: readonly unknown[];
}

export interface Store {
  readonly applications: Map<string, Application>;
  readonly accounts: Map<string, StoredAccount>;
  readonly users: Map<string, User>;
  readonly invitations: Map<string, Invitation>;
  readonly folders: Map<string, Folder>;
  readonly tasks: TaskMap<StoredTask>;
  readonly comments: Map<string, StoredComment>;
  readonly timelogs: Map<string, StoredTimelog>;
  readonly dependencies: Map<string, StoredDependency>;
  readonly customFields: Map<string, StoredCustomField>;
  readonly workflows: Map<string, StoredWorkflow>;
  readonly customItemTypes: Map<string, CustomItemType>;
  readonly workSchedules: Map<string, OwnedItem>;
  readonly placeholders: Map<string, OwnedItem>;
  readonly tokens: Map<string, Token>;
  readonly codes: Map<string, Code>;
  readonly tickets: Map<string, PendingConsent>;
  readonly webhooks: Map<string, StoredWebhook>;
  readonly mails: Map<string, Mail>;
  readonly audit: Map<string, AuditEntry>;
  readonly jobs: Map<string, Job>;
  readonly pendingDeliveries: Map<string, PendingDelivery>;
  readonly scheduledJobs: Map<string, ScheduledJob>;
}

/** A store as a file holds it: each map as a list of its records. */
export type Snapshot = {
  readonly [K in keyof Store]: Store[K] extends Map<string, infer T> ? readonly T[] : never;
};

function createEmptyStore(): Store {
  return {
    applications: new Map(),
    accounts: new Map(),
    users: new Map(),
    invitations: new Map(),
    folders: new Map(),
    tasks: new TaskMap(),
    comments: new Map(),
    timelogs: new Map(),
    dependencies: new Map(),
    customFields: new Map(),
    workflows: new Map(),
    customItemTypes: new Map(),
    workSchedules: new Map(),
    placeholders: new Map(),
    tokens: new Map(),
    codes: new Map(),
    tickets: new Map(),
    webhooks: new Map(),
    mails: new Map(),
    audit: new Map(),
    jobs: new Map(),
    pendingDeliveries: new Map(),
    scheduledJobs: new Map(),
  };
}

export const storeNames: readonly string[] = Object.keys(createEmptyStore());

export function createStore(from: Snapshot): Store {
  const store = createEmptyStore();
  replaceContents(store, from);
  return store;
}

function refill<T extends { readonly id: string }>(map: Map<string, T>, all: readonly T[]): void {
  map.clear();
  // Copied, because some records are changed in place.
  for (const one of all) map.set(one.id, { ...one });
}

/** Replaces the whole state. */
export function replaceContents(store: Store, from: Snapshot): void {
  refill(store.applications, from.applications);
  refill(store.accounts, from.accounts);
  refill(store.users, from.users);
  refill(store.invitations, from.invitations);
  refill(store.folders, from.folders);
  refill(store.tasks, from.tasks);
  refill(store.comments, from.comments);
  refill(store.timelogs, from.timelogs);
  refill(store.dependencies, from.dependencies);
  refill(store.customFields, from.customFields);
  refill(store.workflows, from.workflows);
  refill(store.customItemTypes, from.customItemTypes);
  refill(store.workSchedules, from.workSchedules);
  refill(store.placeholders, from.placeholders);
  refill(store.tokens, from.tokens);
  refill(store.codes, from.codes);
  refill(store.tickets, from.tickets);
  refill(store.webhooks, from.webhooks);
  refill(store.mails, from.mails);
  refill(store.audit, from.audit);
  refill(store.jobs, from.jobs);
  refill(store.pendingDeliveries, from.pendingDeliveries);
  refill(store.scheduledJobs, from.scheduledJobs);
}

export function takeSnapshot(store: Store): Snapshot {
  return {
    applications: [...store.applications.values()],
    accounts: [...store.accounts.values()],
    users: [...store.users.values()],
    invitations: [...store.invitations.values()],
    folders: [...store.folders.values()],
    tasks: [...store.tasks.values()],
    comments: [...store.comments.values()],
    timelogs: [...store.timelogs.values()],
    dependencies: [...store.dependencies.values()],
    customFields: [...store.customFields.values()],
    workflows: [...store.workflows.values()],
    customItemTypes: [...store.customItemTypes.values()],
    workSchedules: [...store.workSchedules.values()],
    placeholders: [...store.placeholders.values()],
    tokens: [...store.tokens.values()],
    codes: [...store.codes.values()],
    tickets: [...store.tickets.values()],
    webhooks: [...store.webhooks.values()],
    mails: [...store.mails.values()],
    audit: [...store.audit.values()],
    jobs: [...store.jobs.values()],
    pendingDeliveries: [...store.pendingDeliveries.values()],
    scheduledJobs: [...store.scheduledJobs.values()],
  };
}
