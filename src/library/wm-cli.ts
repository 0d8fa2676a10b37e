// The exports of `wm-cli`, the package's interface: the client, the failures, the contract's types and the steps of a receiver.

export type { Page, PageOptions } from '#client/follow-pages.ts';
export type { ApiResponse } from '#client/response.ts';
export { deliveryHeaders, successStatuses } from '#contract/delivery.ts';
export { type EventName, eventNames } from '#contract/event.ts';
export type { JsonObject } from '#contract/json.ts';
export type { OperationName } from '#contract/operations.ts';
export type {
  Account,
  AuditLogEntry,
  Contact,
  CustomFieldDefinition,
  Folder,
  Space,
  Workflow,
} from '#contract/read-only-records.ts';
export { isChallenge, sign, verify } from '#contract/signature.ts';
export type { Task, TaskDates, TaskStatus, TaskUpdate } from '#contract/task.ts';
export type { Webhook, WebhookStatus } from '#contract/webhook.ts';
export type { WebhookCreate } from '#contract/webhook-create.ts';
export { Failure, type FailureCode } from '#failure.ts';
export { type Client, type ClientAccess, type ClientOptions, createClient, type PathOf } from './client.ts';
