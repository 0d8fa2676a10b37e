// The state of the service: plain records in maps by id, which a file can hold. The endpoints have the rules that change them.

import type { AsyncJob, BatchOperation } from '#contract/batch-operation.ts';
import type { DeliveryVerdict } from '#contract/delivery.ts';
import type { AuditLogEntry } from '#contract/read-only-records.ts';
import type { TypeOf } from '#contract/schema.ts';
import type { Scope } from '#contract/scope.ts';
import { defaults } from './default-members.ts';
import type { SampleTokenName } from './sample-ids.ts';
import { storedSchemas } from './stored-schemas.ts';
import { RecordMap, TaskMap } from './task-map.ts';

type Stored = { readonly [L in keyof typeof storedSchemas]: TypeOf<(typeof storedSchemas)[L]> };
export type Application = Stored['applications'];
export type StoredAccount = Stored['accounts'];
export type WorkDays = StoredAccount['workDays'];
export type Invitation = Stored['invitations'];
export type Folder = Stored['folders'];
/** The record of a task without its computed fields (task/task-record.ts). */
export type StoredTask = Stored['tasks'];
export type StoredAttachment = StoredTask['attachments'][number];
export type StoredComment = Stored['comments'];
export type StoredTimelog = Stored['timelogs'];
export type StoredDependency = Stored['dependencies'];
export type StoredCustomField = Stored['customFields'];
export type CustomFieldType = StoredCustomField['type'];
export type StoredGroup = Stored['groups'];
export type StoredWorkflow = Stored['workflows'];

export type User = Stored['users'];
export type StoredWebhook = Stored['webhooks'];

export interface Token extends Omit<Stored['tokens'], 'use'> {
  readonly use: 'access' | 'refresh' | 'version 3';
  /** Milliseconds since 1970; undefined if it never expires. */
  readonly expires?: number;
  /** The code that was exchanged for it. If the code is used again, its tokens are revoked. */
  readonly codeId?: string;
  readonly sample?: SampleTokenName;
}

export interface Code extends Omit<Stored['tokens'], 'use'> {
  readonly expires: number;
  /** The redirect_uri of the authorization request, if it had one. */
  readonly redirectUri?: string;
  readonly used: boolean;
}

/** An open consent page. Its form sends the id as `ticket`. */
export interface PendingConsent {
  readonly id: string;
  readonly applicationId: string;
  readonly redirectUri: string;
  readonly named: boolean;
  readonly state?: string;
  readonly scopes: readonly Scope[];
  readonly expires: number;
}

export interface Attempt {
  readonly date: string;
  /** The status of the response, or the fault if there was none. */
  readonly result: number | string;
  readonly verdict: DeliveryVerdict;
}

/** Of one event to one webhook, with every attempt, as the store and the log hold it. */
export interface Delivery {
  readonly webhookId: string;
  readonly hookUrl: string;
  readonly eventType: string;
  readonly idempotencyKey: string;
  readonly body: string;
  readonly attempts: Attempt[];
  /** `dropped`: its webhook was suspended or deleted before it could be sent. */
  state: 'waiting' | 'delivered' | 'failed' | 'dropped';
}

/**
 * The contract promises neither a single delivery of an event nor a body that is a list. In turn: each delivery a second time with
 * the same key, the event without the list around it, and a later event with an earlier date.
 */
export const deliveryVariants = ['duplicate', 'single-object', 'out-of-order'] as const;

/** How an event is delivered, in ways that a receiver must survive. */
export type DeliveryVariant = (typeof deliveryVariants)[number];

interface PendingDelivery {
  readonly id: string;
  /** When the next attempt is due: milliseconds since 1970 on the emulator's clock. */
  readonly due: number;
  readonly delivery: Delivery;
}

/** `due`: milliseconds since 1970 on the emulator's clock. */
export type ScheduledJob = { readonly id: string; readonly due: number } & (
  | {
      readonly type: 'description event';
      readonly authorId: string;
      /** When the description changed: a timestamp. */
      readonly date: string;
      readonly taskId: string;
    }
  | {
      /** `id`: of the asynchronous job. */
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

interface AuditEntry extends Required<AuditLogEntry> {
  readonly accountId: string;
}

export interface Job extends Required<Pick<AsyncJob, 'id' | 'type' | 'results'>>, Pick<AsyncJob, 'result'> {
  /** Milliseconds since 1970 on the emulator's clock. */
  readonly started?: number;
  readonly accountId: string;
  readonly status: 'InProgress' | 'Completed';
}

interface Records extends Omit<Stored, 'tokens'> {
  readonly tokens: Token;
  readonly codes: Code;
  readonly tickets: PendingConsent;
  readonly mails: Mail;
  readonly audit: AuditEntry;
  readonly jobs: Job;
  readonly pendingDeliveries: PendingDelivery;
  readonly scheduledJobs: ScheduledJob;
}
export type List = keyof Records;

export type Store = {
  readonly [L in List]: L extends 'tasks' ? TaskMap<StoredTask> : Map<string, Records[L]>;
};

/** The store as a file holds it: each map as a list of records. */
export type Snapshot = { readonly [L in List]: readonly Records[L][] };

/** Lists that are empty at the first start. */
export const nothingRunning = {
  codes: [],
  tickets: [],
  mails: [],
  audit: [],
  jobs: [],
  pendingDeliveries: [],
  scheduledJobs: [],
} as const satisfies Partial<Snapshot>;

// The store has exactly these lists.
export const storeNames = [...Object.keys(storedSchemas), ...Object.keys(nothingRunning)] as readonly List[];

/** Without an id, the list was cleared. */
type RecordChange = (list: List, id?: string) => void;

/** Calls `onChange` with each change. */
export function createStore(from: Snapshot, onChange: RecordChange = () => {}): Store {
  const maps = storeNames.map((name) => [name, new RecordMap((id) => onChange(name, id))]);
  const tasks = new TaskMap((id) => onChange('tasks', id));
  // It has a map for each name.
  const store = { ...Object.fromEntries(maps), tasks } as Store;
  replaceContents(store, from);
  return store;
}

/** A data file may be older than some members. */
export function replaceContents(store: Store, from: Snapshot): void {
  const defaultMembers: Readonly<Partial<Record<List, object>>> = defaults;
  for (const name of storeNames) {
    const map: Map<string, { readonly id: string }> = store[name];
    map.clear();
    // Copied, so that a request that is under way notices a reset; the record comes first for the order of its members.
    for (const record of from[name]) map.set(record.id, { ...record, ...defaultMembers[name], ...record });
  }
}

export function takeSnapshot(store: Store): Snapshot {
  const lists = storeNames.map((name) => [name, [...store[name].values()]] as const);
  // Each list has the records of its map.
  return Object.fromEntries(lists) as Snapshot;
}
