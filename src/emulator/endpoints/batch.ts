// Batches, and the asynchronous job that reports on each. The contract mentions these endpoints without showing their shape:
// parameters and records are assumed.

import { limit } from '../../contract/limit.ts';
import { namedEndpoints } from '../../contract/operation.ts';
import { list, text } from '../../contract/schema.ts';
import { writeScopes } from '../../contract/scope.ts';
import { notFound } from '../http/error-response.ts';
import type { ApiResult } from '../http/response.ts';
import { randomText } from '../state/random-text.ts';
import type { Job } from '../state/store.ts';
import { assumedOperation } from './assumed-operation.ts';
import { type BatchOperation, batchOperation } from './batch-operation.ts';
import { type EndpointRequest, idOf } from './endpoint.ts';

const batchParameters = {
  operations: {
    schema: list(batchOperation, { max: limit.batchOperations, entryName: 'operations' }),
    meaning: 'What to do',
    required: true,
  },
} as const;

export const batchOperations = {
  batch: assumedOperation({
    ...namedEndpoints.batch,
    parameters: batchParameters,
    scopes: writeScopes,
  }),
  getAsyncJob: {
    ...assumedOperation({
      method: 'GET',
      path: '/async_job/{jobId}',
      kind: 'asyncJob',
      parameters: {},
      scopes: writeScopes,
    }),
    pathParameters: { jobId: { schema: text('job') } },
  },
} as const;

/** How long a batch takes on the emulator's clock. */
const batchDelayMs = 1_000;

const jobResult = ({ id, type, status, results }: Job): ApiResult => ({
  kind: 'asyncJob',
  data: [{ id, type, status, ...(status === 'Completed' ? { results } : {}) }],
});

type BatchHandlers = {
  readonly batch: (
    request: EndpointRequest<{ readonly operations?: readonly BatchOperation[] }>,
  ) => ApiResult;
  readonly getAsyncJob: (request: EndpointRequest<unknown>) => ApiResult;
};

export const batchHandlers: BatchHandlers = {
  batch({ service, session, arguments: { operations = [] } }) {
    const { store, clock, scheduler } = service;
    const job: Job = {
      id: randomText(16),
      accountId: session.account.id,
      type: 'Batch',
      status: 'InProgress',
      results: [],
    };
    store.jobs.set(job.id, job);
    const due = clock.now() + batchDelayMs;
    scheduler.add({ id: job.id, due, type: 'batch', userId: session.user.id, operations });
    return jobResult(job);
  },
  getAsyncJob(request) {
    const id = idOf(request, 'jobId');
    const job = request.service.store.jobs.get(id);
    if (job === undefined || job.accountId !== request.session.account.id) throw notFound('Job', id);
    return jobResult(job);
  },
};
