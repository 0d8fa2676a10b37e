// A batch: up to 100 operations in one request, which an asynchronous job carries out. The contract names both without their
// shapes, which are assumed.

import { limit } from './limit.ts';
import {
  anyJson,
  assumedMembers,
  choice,
  list,
  number,
  object,
  optional,
  type TypeOf,
  text,
} from './schema.ts';

export const batchMethod = choice('method', ['POST', 'PUT', 'DELETE']);

export const batchOperation = object('batch operation', {
  method: batchMethod,
  /** Below the base address: `/folders/IEAAAAAQI4AB5FLD/tasks`. */
  path: text('path', { notEmpty: true }),
  parameters: optional(anyJson),
});
export type BatchOperation = TypeOf<typeof batchOperation>;

export const batchParameters = {
  operations: {
    schema: list(batchOperation, { max: limit.batchOperations, entryName: 'operations' }),
    meaning: 'What to do',
    required: true,
  },
} as const;

export const asyncJobRecord = object('AsyncJob', {
  id: text('job', { notEmpty: true }),
  ...assumedMembers('batch', {
    type: text('text'),
    /** InProgress, Completed. */
    status: text('text'),
    progressPercent: number('percent'),
    /** Of each operation, in their order; once the job is done. */
    results: list(anyJson),
  }),
});
export type AsyncJob = TypeOf<typeof asyncJobRecord>;

/** The status of a finished job in the emulator and, as far as we know, in the service. */
export const finishedJobStatus = 'Completed';

/** The status of a running job in the emulator and, as far as we know, in the service. */
export const unfinishedJobStatuses: readonly string[] = ['InProgress', 'InQueue', 'Pending'];
