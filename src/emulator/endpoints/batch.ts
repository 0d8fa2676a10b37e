// Batches, and the asynchronous job that reports on each. The contract mentions these endpoints without showing their shape:
// parameters and records are assumed.

import { parseJson } from '#contract/json.ts';
import { folderCreateParameters, taskCreateParameters } from '#contract/task-create.ts';
import { parseArguments, type RawArgument, type ReadingRules } from '../http/arguments.ts';
import { ErrorResponse } from '../http/error-response.ts';
import { type ApiResult, toResponse } from '../http/response.ts';
import { tolerate } from '../http/tolerances.ts';
import type { Service } from '../service/service.ts';
import { requireFolder, requireOwn } from '../state/access.ts';
import { randomText } from '../state/random-text.ts';
import { requireEntry } from '../state/require-entry.ts';
import type { Job, ScheduledJob } from '../state/store.ts';
import { createFolder, createTask } from './create-items.ts';
import { type Caller, createCaller, type Handlers, idOf } from './endpoint.ts';
import { editableFolder } from './item-subject.ts';

/** How long a batch takes on the emulator's clock. */
const batchDelayMs = 1_000;

const jobResult = ({ id, type, status, results }: Job): ApiResult => ({
  kind: 'asyncJob',
  data: [{ id, type, status, ...(status === 'Completed' ? { results } : {}) }],
});

export const batchHandlers = {
  batch({ service, store, user, arguments: { operations } }) {
    const { accountId } = user;
    const job: Job = { id: randomText(16), accountId, type: 'Batch', status: 'InProgress', results: [] };
    store.jobs.set(job.id, job);
    const due = service.clock.now() + batchDelayMs;
    service.scheduler.add({ id: job.id, due, type: 'batch', userId: user.id, operations });
    return jobResult(job);
  },
  getAsyncJob(request) {
    const id = idOf(request, 'jobId');
    return jobResult(requireOwn(request, 'Job', id, request.store.jobs.get(id)));
  },
} satisfies Partial<Handlers>;

type Batch = Extract<ScheduledJob, { type: 'batch' }>;

export function runBatch(service: Service, { id, userId, operations }: Batch): void {
  const { store, scheduleSave } = service;
  const job = requireEntry(store.jobs, id);
  const user = requireEntry(store.users, userId);
  const account = requireEntry(store.accounts, user.accountId);
  // The batch has had its response, so none can name what is assumed.
  const caller = createCaller(service, { user, account });
  const results = operations.map((one) => runOperation(caller, one));
  store.jobs.set(id, { ...job, status: 'Completed', results });
  scheduleSave();
}

/** The new record with its kind, or an error as the operation by itself would return it. */
function runOperation(caller: Caller, { method, path, parameters }: Batch['operations'][number]): unknown {
  try {
    const [, place = '', id = '', what = ''] =
      /^\/(folders|spaces)\/([^/]+)\/(tasks|folders)$/.exec(path) ?? [];
    if (what === '' || method !== 'POST')
      throw new ErrorResponse('method_not_found', `A batch cannot do ${method} ${path}`, 'batch');
    const { service, assume } = caller;
    const folder = place === 'spaces' ? requireFolder(caller, id, 'space') : editableFolder(caller, id);
    const tolerances = { strict: service.settings.mode === 'strict', assume };
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
        ? createTask(caller, folder, parseArguments(taskCreateParameters, given, rules))
        : createFolder(caller, folder, parseArguments(folderCreateParameters, given, rules));
    return { status: 200, ...created };
  } catch (error) {
    if (!(error instanceof ErrorResponse)) throw error;
    const { status, body } = toResponse(error);
    return { status, ...Object(parseJson(body)) };
  }
}
