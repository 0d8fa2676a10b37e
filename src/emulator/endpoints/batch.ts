// Batches, and the asynchronous job that reports on each. The contract mentions these endpoints without showing their shape:
// parameters and records are assumed.

import { parseJson } from '#contract/json.ts';
import { folderCreateParameters, taskCreateParameters } from '#contract/task-create.ts';
import { parseArguments, type RawArgument, type ReadingRules } from '../http/arguments.ts';
import { ErrorResponse, notFound } from '../http/error-response.ts';
import { type ApiResult, toResponse } from '../http/response.ts';
import { tolerate } from '../http/tolerances.ts';
import type { Service } from '../service/service.ts';
import { requireFolder } from '../state/access.ts';
import { randomText } from '../state/random-text.ts';
import { requireEntry } from '../state/require-entry.ts';
import type { Job, ScheduledJob } from '../state/store.ts';
import { type Author, createFolder, createTask } from './create-items.ts';
import { type Handlers, idOf } from './endpoint.ts';
import { editableFolder } from './item-subject.ts';

/** How long a batch takes on the emulator's clock. */
const batchDelayMs = 1_000;

const jobResult = ({ id, type, status, results }: Job): ApiResult => ({
  kind: 'asyncJob',
  data: [{ id, type, status, ...(status === 'Completed' ? { results } : {}) }],
});

export const batchHandlers = {
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
} satisfies Partial<Handlers>;

type Batch = Extract<ScheduledJob, { type: 'batch' }>;

export function runBatch(service: Service, { id, userId, operations }: Batch): void {
  const { store, scheduleSave } = service;
  const job = requireEntry(store.jobs, id);
  const user = requireEntry(store.users, userId);
  const account = requireEntry(store.accounts, user.accountId);
  const results = operations.map((one) => runOperation(service, { user, account }, one));
  store.jobs.set(id, { ...job, status: 'Completed', results });
  scheduleSave();
}

/** The new record with its kind, or an error as the operation by itself would return it. */
function runOperation(
  service: Service,
  author: Author,
  { method, path, parameters }: Batch['operations'][number],
): unknown {
  try {
    const [, place = '', id = '', what = ''] =
      /^\/(folders|spaces)\/([^/]+)\/(tasks|folders)$/.exec(path) ?? [];
    if (what === '' || method !== 'POST')
      throw new ErrorResponse('method_not_found', `A batch cannot do ${method} ${path}`, 'batch');
    const folder =
      place === 'spaces'
        ? requireFolder(service.store, author.user, id, 'space')
        : editableFolder(service.store, author.user, id);
    const strict = service.settings.mode === 'strict';
    // The batch has had its response, so none can name what is assumed.
    const tolerances = { strict, assume: () => undefined };
    const takeUnknown = ({ name }: RawArgument) => {
      tolerate(tolerances, 'unknown-parameter', name);
      service.reportIgnored(`POST /${place}/{id}/${what} of a batch`, name);
    };
    const rules: ReadingRules = { ...tolerances, because: 'batch', takeUnknown };
    const given = Object.entries(Object(parameters)).map(
      ([name, value]): RawArgument => ({ name, value, from: 'json' }),
    );
    const created =
      what === 'tasks'
        ? createTask(
            service,
            author,
            folder,
            parseArguments(taskCreateParameters, given, rules),
            rules.assume,
          )
        : createFolder(
            service,
            author,
            folder,
            parseArguments(folderCreateParameters, given, rules),
            rules.assume,
          );
    return { status: 200, ...created };
  } catch (error) {
    if (!(error instanceof ErrorResponse)) throw error;
    const { status, body } = toResponse(error);
    return { status, ...Object(parseJson(body)) };
  }
}
