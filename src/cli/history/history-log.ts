// The history on disk: which changes wm made from this machine, for all hosts, in files of one month each. A change is two
// lines, one before it is sent and one for its outcome, so that a process that was killed leaves a change without outcome. It
// holds ids and words of wm, never a value of a field, a title or a secret.

import { choice, list, number, object, optional, type TypeOf, text } from '#contract/schema.ts';

const ids = list(text('id'));
/** A time in ISO 8601, UTC. */
const time = text('time', { notEmpty: true });

/** How many rows of a bulk run have each outcome, those of earlier runs of the same journal included. */
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

/** The first line. */
export const begunChange = object('change', {
  /** Ties the lines of a change together. */
  change: text('key', { notEmpty: true }),
  at: time,
  host: text('host'),
  /** The profile, or the variable that held the token. */
  profile: optional(text('profile')),
  token: optional(text('variable')),
  /** The words of the command: `webhook suspend`. */
  command: text('words'),
  /** `updateTask` */
  operation: text('operation'),
  /** The names of the parameters that were sent. */
  parameters: optional(list(text('parameter'))),
  ids,
  /** How many more ids there were. */
  moreIds: optional(number('ids')),
  note: optional(text('note')),
  bulk: optional(bulkRun),
});

export const outcomes = ['done', 'failed', 'unknown'] as const;

/** Another line. The last one of a change counts: reading back may have settled an unknown outcome. */
export const endedChange = object('outcome', {
  change: text('key', { notEmpty: true }),
  ended: time,
  outcome: choice('outcome', outcomes),
  /** The code of the failure. */
  code: optional(text('code')),
  /** Of what was created. */
  created: optional(ids),
  counts: optional(bulkCounts),
});

export type BegunChange = TypeOf<typeof begunChange>;
export type EndedChange = TypeOf<typeof endedChange>;
export type BulkCounts = TypeOf<typeof bulkCounts>;
