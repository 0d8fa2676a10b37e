// Batches, and the asynchronous job that reports on each. The contract mentions these endpoints without showing their shape:
// parameters and records are assumed.

import { notFound } from '../http/error-response.ts';
import type { ApiResult } from '../http/response.ts';
import { randomText } from '../state/random-text.ts';
import type { Job } from '../state/store.ts';
import { type Handlers, idOf } from './endpoint.ts';

/** How long a batch takes on the emulator's clock. */
const batchDelayMs = 1_000;

const jobResult = ({ id, type, status, results }: Job): ApiResult => ({
  kind: 'asyncJob',
  data: [{ id, type, status, ...(status === 'Completed' ? { results } : {}) }],
});

export const batchHandlers: Pick<Handlers, 'batch' | 'getAsyncJob'> = {
  batch({ service, session, arguments: { operations } }) {
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
    if (job === undefined) throw notFound('Job', id);
    if (job.accountId !== request.session.account.id) throw notFound('Job', id, 'other-account');
    return jobResult(job);
  },
};
