// The format of the history: wm's changes from this machine, in monthly files. Each change has a line before it is sent and one
// for its outcome, so a killed process leaves a change without an outcome. Never holds values of tasks or secrets.

import { choice, list, number, object, optional, type TypeOf, text } from '#contract/schema.ts';
import { suspendNote } from '../local-webhook.ts';

const ids = list(text('id'));
/** A time in ISO 8601, UTC. */
const time = text('time', { notEmpty: true });

/** How many rows of a bulk run have each outcome, including earlier runs of the same journal. */
const bulkCounts = object('counts', {
  updated: number('rows'),
  failed: number('rows'),
  invalid: number('rows'),
  unknown: number('rows'),
  notSent: number('rows'),
});

const bulkRun = object('bulk run', {
  /** As typed; `-` is standard input. Absent if the ids were given on the command line. */
  file: optional(text('file')),
  journal: text('file'),
  rows: number('rows'),
});

/** What a user can set of a webhook. */
const webhookState = object('state', {
  status: optional(text('status')),
  label: optional(text('label')),
  note: optional(suspendNote),
});

const webhookChange = object('change of a webhook', {
  /** The same in all changes of one command. */
  run: text('key', { notEmpty: true }),
  /** The run that it undoes. */
  undoes: optional(text('key')),
  /** Without the query, which may hold a secret. */
  url: optional(text('URL')),
  before: optional(webhookState),
  after: optional(webhookState),
});

/** The first line of a change. */
export const begunChange = object('change', {
  /** Links the lines of a change. */
  change: text('key', { notEmpty: true }),
  at: time,
  host: text('host'),
  /** The profile, or the variable with the token. */
  profile: optional(text('profile')),
  token: optional(text('variable')),
  /** The words of the command: `webhook suspend`. */
  command: text('words'),
  /** `updateTask` */
  operation: text('operation'),
  parameters: optional(list(text('parameter'))),
  ids,
  moreIds: optional(number('ids')),
  note: optional(text('note')),
  bulk: optional(bulkRun),
  webhook: optional(webhookChange),
});

/** A later line of a change. The last one counts: reading back may have resolved an unknown outcome. */
export const endedChange = object('outcome', {
  change: text('key', { notEmpty: true }),
  ended: time,
  outcome: choice('outcome', ['done', 'failed', 'unknown']),
  code: optional(text('code')),
  created: optional(ids),
  counts: optional(bulkCounts),
});

export type BegunChange = TypeOf<typeof begunChange>;
export type WebhookState = TypeOf<typeof webhookState>;
export type WebhookChange = TypeOf<typeof webhookChange>;
export type EndedChange = TypeOf<typeof endedChange>;
export type BulkCounts = TypeOf<typeof bulkCounts>;
