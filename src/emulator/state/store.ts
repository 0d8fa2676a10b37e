// Everything the service remembers, as plain data in maps by id, so that it can be written to a file whole. The rules
// that change it stand with the calls; what it holds at first is sample.ts.

import type { DataCentre } from '../../contract/delivery.ts';
import type { EventName } from '../../contract/event.ts';
import type { Account, CustomFieldDefinition, Workflow } from '../../contract/resource.ts';
import type { Scope } from '../../contract/scope.ts';
import type { Task, TaskDates } from '../../contract/task.ts';
import type { ParameterisedEvent, WebhookStatus } from '../../contract/webhook.ts';
import type { Delivery } from './delivery.ts';
import type { SampleTokenName } from './sample-ids.ts';

export interface Application {
  readonly id: string;
  readonly secret: string;
  readonly name: string;
  /** The exact callback addresses. */
  readonly callbacks: readonly string[];
  /** Any http address of this machine is a callback too. */
  readonly loopback: boolean;
}

export interface StoredAccount extends Account {
  readonly dataCentre: DataCentre;
  readonly workDays: readonly string[];
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
  /** The lowest plan has no statuses beside Active. */
  licence: 'full' | 'lowest';
  /** Tasks, folders and spaces that are kept from this user whatever they are shared with. */
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
  readonly kind: 'root' | 'bin' | 'space' | 'folder' | 'project';
  readonly parentIds: readonly string[];
  /** Who sees it and what is in it; what is further down says so for itself. */
  readonly sharedIds: readonly string[];
  readonly project?: Readonly<Record<string, unknown>>;
  readonly customItemTypeId?: string;
  readonly customFields: readonly { readonly id: string; readonly value: string }[];
}

/** The record of a task, except what is worked out when it is shown. */
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
  /** Where it was before it went into the recycle bin. */
  readonly formerParentIds: readonly string[];
  readonly attachments: readonly StoredAttachment[];
}

export interface StoredAttachment {
  readonly id: string;
  readonly url: string;
  /** What a client put there itself has the rest; its shape is assumed. */
  readonly name?: string;
  readonly authorId?: string;
  readonly createdDate?: string;
  /** The comment that brought it. */
  readonly commentId?: string;
}

/** Its shape is assumed. */
export interface StoredComment {
  readonly id: string;
  readonly taskId: string;
  readonly authorId: string;
  /** HTML as the service keeps it. */
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

export interface StoredCustomField extends CustomFieldDefinition {
  readonly accountId: string;
  readonly type: CustomFieldType;
  /** The closed list of a field that has one. */
  readonly values: readonly string[];
  /** Nothing: it belongs to the whole account. */
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
  readonly spaceId?: string;
  readonly statuses: readonly {
    readonly id: string;
    readonly name: string;
    readonly group: Task['status'] & string;
  }[];
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

/** A token of either sort, by its text. */
export interface Token {
  readonly id: string;
  readonly use: 'access' | 'refresh' | 'version 3';
  readonly applicationId: string;
  readonly userId: string;
  readonly scopes: readonly Scope[];
  /** Milliseconds since 1970; nothing never expires. */
  readonly expires?: number;
  /** The code that it came from, so that a code used twice can take back what it gave. */
  readonly codeId?: string;
  /** Which of the sample's tokens it is. */
  readonly sample?: SampleTokenName;
}

export interface Code {
  readonly id: string;
  readonly applicationId: string;
  readonly userId: string;
  readonly scopes: readonly Scope[];
  readonly expires: number;
  /** What the authorize request named. */
  readonly redirectUri?: string;
  used: boolean;
}

/** A consent page that is open in front of someone. */
export interface Ticket {
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
  /** The folder, project or space; nothing for the whole account. */
  readonly placeId?: string;
  readonly hookUrl: string;
  readonly secret?: string;
  readonly events?: readonly EventName[];
  readonly parameterisedEvents?: readonly ParameterisedEvent[];
  readonly customItemTypes?: readonly string[];
  readonly recursive: boolean;
  status: WebhookStatus;
}

/** A delivery that has not come to its end. */
export interface PendingDelivery {
  readonly id: string;
  /** When it is to be sent, or sent again, in milliseconds of the service's clock. */
  readonly due: number;
  readonly delivery: Delivery;
}

/** What the service does some time after a call, in milliseconds of its clock. */
export type ScheduledJob = { readonly id: string; readonly due: number } & (
  | {
      readonly type: 'description event';
      readonly accountId: string;
      readonly authorId: string;
      /** A timestamp: of the change. */
      readonly date: string;
      readonly taskId: string;
    }
  | {
      /** Its id is the job's. */
      readonly type: 'batch';
      readonly userId: string;
      readonly operations: readonly { readonly path: string; readonly parameters?: unknown }[];
    }
);

/** An e-mail that the service would have sent. */
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
  readonly tasks: Map<string, StoredTask>;
  readonly comments: Map<string, StoredComment>;
  readonly timelogs: Map<string, StoredTimelog>;
  readonly customFields: Map<string, StoredCustomField>;
  readonly workflows: Map<string, StoredWorkflow>;
  readonly customItemTypes: Map<string, CustomItemType>;
  readonly workSchedules: Map<string, OwnedItem>;
  readonly placeholders: Map<string, OwnedItem>;
  readonly tokens: Map<string, Token>;
  readonly codes: Map<string, Code>;
  readonly tickets: Map<string, Ticket>;
  readonly webhooks: Map<string, StoredWebhook>;
  readonly mails: Map<string, Mail>;
  readonly audit: Map<string, AuditEntry>;
  readonly jobs: Map<string, Job>;
  readonly pendingDeliveries: Map<string, PendingDelivery>;
  readonly scheduledJobs: Map<string, ScheduledJob>;
}

/** A store as it stands in a file: each map as the list of what it holds. */
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
    tasks: new Map(),
    comments: new Map(),
    timelogs: new Map(),
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

/** What a snapshot has a list of. */
export const storeNames: readonly string[] = Object.keys(createEmptyStore());

export function createStore(from: Snapshot): Store {
  const store = createEmptyStore();
  replaceContents(store, from);
  return store;
}

function refill<T extends { readonly id: string }>(map: Map<string, T>, all: readonly T[]): void {
  map.clear();
  // Copied, since some of what is remembered changes in place.
  for (const one of all) map.set(one.id, { ...one });
}

/** Forgets everything and remembers this instead. */
export function replaceContents(store: Store, from: Snapshot): void {
  refill(store.applications, from.applications);
  refill(store.accounts, from.accounts);
  refill(store.users, from.users);
  refill(store.invitations, from.invitations);
  refill(store.folders, from.folders);
  refill(store.tasks, from.tasks);
  refill(store.comments, from.comments);
  refill(store.timelogs, from.timelogs);
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
