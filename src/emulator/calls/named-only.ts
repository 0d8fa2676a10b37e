// The endpoints that the contract names without a shape: the audit log, and batches with the job that tells of them. All
// of their parameters and records are assumed, in the smallest form that does what the contract says.

import { limit } from '../../contract/limit.ts';
import { scopes } from '../../contract/scope.ts';
import { list, text } from '../../contract/value.ts';
import type { Result } from '../answer.ts';
import { randomText } from '../random.ts';
import { notFound, Refusal } from '../refusal.ts';
import type { Job } from '../store.ts';
import { assumed, write } from './assumed.ts';
import { type BatchOperation, batchOperation } from './batch-operation.ts';
import { type Call, idOf } from './call.ts';

const batchParameters = {
  operations: {
    value: list(batchOperation, { max: limit.batchOperations, of: 'operations' }),
    meaning: 'What to do',
    required: true,
  },
} as const;

export const namedOperations = {
  listAuditLog: assumed({ method: 'GET', path: '/audit_log', kind: 'auditLog', parameters: {}, scopes }),
  batch: assumed({
    method: 'POST',
    path: '/batch',
    kind: 'asyncJob',
    parameters: batchParameters,
    scopes: write,
  }),
  getAsyncJob: {
    ...assumed({
      method: 'GET',
      path: '/async_job/{jobId}',
      kind: 'asyncJob',
      parameters: {},
      scopes: write,
    }),
    pathParameters: { jobId: { value: text('job') } },
  },
} as const;

export type NamedOperationName = keyof typeof namedOperations;

/** A batch is done this long after it was asked for, on the emulator's clock. */
const batchMs = 1_000;

const shown = ({ id, type, status, results }: Job): Result => ({
  kind: 'asyncJob',
  data: [{ id, type, status, ...(status === 'Completed' ? { results } : {}) }],
});

type NamedCalls = {
  readonly listAuditLog: (call: Call<unknown>) => Result;
  readonly batch: (call: Call<{ readonly operations?: readonly BatchOperation[] }>) => Result;
  readonly getAsyncJob: (call: Call<unknown>) => Result;
};

export const namedCalls: NamedCalls = {
  listAuditLog({ service: { store }, session: { user, account } }) {
    if (!user.admin) throw new Refusal('access_forbidden', 'The audit log is for administrators');
    const own = [...store.audit.values()].filter(({ accountId }) => accountId === account.id);
    return { kind: 'auditLog', data: own.map(({ accountId: _, ...entry }) => entry) };
  },
  batch({ service, session, arguments: { operations = [] } }) {
    const { store, clock, agenda } = service;
    const job: Job = {
      id: randomText(16),
      accountId: session.account.id,
      type: 'Batch',
      status: 'InProgress',
      results: [],
    };
    store.jobs.set(job.id, job);
    const due = clock.now() + batchMs;
    agenda.add({ id: job.id, due, does: 'a batch', userId: session.user.id, operations });
    return shown(job);
  },
  getAsyncJob(call) {
    const id = idOf(call, 'jobId');
    const job = call.service.store.jobs.get(id);
    if (job === undefined || job.accountId !== call.session.account.id) throw notFound('Job', id);
    return shown(job);
  },
};
