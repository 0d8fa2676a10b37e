// A batch: up to 100 operations in one request, run by an asynchronous job. The contract only names both; their shapes are assumed.

import { limit } from './limit.ts';
import { assumed, named, operation, withNames } from './operation.ts';
import * as s from './schema.ts';
import { writeScopes } from './scope.ts';

export const batchOperation = s.object('batch operation', {
  method: s.choice('method', ['POST', 'PUT', 'DELETE']),
  /** Below the base URL: `/folders/IEAAAAAQI4AB5FLD/tasks`. */
  path: s.text('path', { notEmpty: true }),
  parameters: s.optional(s.anyJson),
});
export type BatchOperation = s.TypeOf<typeof batchOperation>;

const batchParameters = {
  operations: {
    schema: s.list(batchOperation, { max: limit.batchOperations, entryName: 'operations' }),
    meaning: 'The operations to run',
    required: true,
  },
} as const;

const asyncJobRecord = s.object('AsyncJob', {
  id: s.text('job', { notEmpty: true }),
  ...s.assumedMembers('batch', {
    type: s.text('text'),
    /** InProgress, Completed. */
    status: s.text('text'),
    progressPercent: s.number('percent'),
    /** One for each operation, in order, once the job is done. */
    results: s.list(s.anyJson),
    /** Of a copy: its id. */
    result: s.anyJson,
  }),
});
export type AsyncJob = s.TypeOf<typeof asyncJobRecord>;

/** The status of a finished job in the emulator and, as far as we know, in the service. */
export const finishedJobStatus = 'Completed';
/** The statuses of a running job in the emulator and, as far as we know, in the service. */
export const unfinishedJobStatuses: readonly string[] = ['InProgress', 'InQueue', 'Pending'];
export const asyncJob = { kind: 'asyncJob', record: asyncJobRecord } as const;

export const batchOperations = withNames({
  batch: operation('POST', '/batch', { parameters: batchParameters, ...asyncJob, ...named('batch') }),
  getAsyncJob: operation('GET', '/async_job/{jobId}', {
    scopes: writeScopes,
    ...asyncJob,
    ...assumed('batch'),
  }),
});
