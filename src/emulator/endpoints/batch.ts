// Batches, and the asynchronous job that reports on each. The contract only mentions them: parameters and records are assumed.

import { parseJson } from '#contract/json.ts';
import { folderCreateParameters, taskCreateParameters } from '#contract/task-create.ts';
import { jsonArguments, parseArguments, type RawArgument, type ReadingRules } from '../http/arguments.ts';
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
  data: [{ id, type, status, ...(status === 'Completed' ? { results } : {}) }],
});

export const batchHandlers = {
  batch({ service, store, user, ignore, arguments: { operations } }) {
    // The response and the log name them: the operations run later.
    for (const [index, { path, parameters }] of operations.entries())
      if (service.settings.mode !== 'strict')
        for (const name of Object.keys(Object(parameters)))
          if (!Object.hasOwn(path.endsWith('/tasks') ? taskCreateParameters : folderCreateParameters, name))
            ignore(`operations[${index}].parameters.${name}`);
    const { accountId } = user;
    const job: Job = { id: randomText(16), accountId, type: 'Batch', status: 'InProgress', results: [] };
    store.jobs.set(job.id, job);
    const due = service.clock.now() + batchDelayMs;
    service.scheduler.add({ id: job.id, due, type: 'batch', userId: user.id, operations });
    return jobResult(job);
  },
  getAsyncJob(request) {
    const id = idOf(request, 'jobId');
    return jobResult(requireOwn(request, request.store.jobs, 'Job', id));
  },
} satisfies Partial<Handlers>;

type Batch = Extract<ScheduledJob, { type: 'batch' }>;

export function runBatch(service: Service, { id, userId, operations }: Batch): void {
  const { store } = service;
  const job = requireEntry(store.jobs, id);
  const user = requireEntry(store.users, userId);
  const account = requireEntry(store.accounts, user.accountId);
  // The response to the batch was sent long ago, so it cannot name assumptions.
  const caller = createCaller(service, { user, account });
  const results = operations.map((operation) => runOperation(caller, operation));
  store.jobs.set(id, { ...job, status: 'Completed', results });
}

/** The new record and its kind, or the error that the operation alone would return. */
function runOperation(caller: Caller, { method, path, parameters }: Batch['operations'][number]): unknown {
  try {
    const [, parents = '', id = '', items = ''] =
      /^\/(folders|spaces)\/([^/]+)\/(tasks|folders)$/.exec(path) ?? [];
    if (items === '' || method !== 'POST')
      throw new ErrorResponse('method_not_found', `A batch cannot do ${method} ${path}`, 'batch');
    const { service, assume } = caller;
    const folder = parents === 'spaces' ? requireFolder(caller, id, 'space') : editableFolder(caller, id);
    const tolerances = { strict: service.settings.mode === 'strict', assume };
    const onUnknown = ({ name }: RawArgument) => {
      tolerate(tolerances, 'unknown-parameter', name);
      service.reportIgnored(`POST /${parents}/{id}/${items} of a batch`, name);
    };
    const rules: ReadingRules = { ...tolerances, because: 'batch', onUnknown };
    const rawArguments = jsonArguments(Object(parameters));
    const created =
      items === 'tasks'
        ? createTask(caller, folder, parseArguments(taskCreateParameters, rawArguments, rules))
        : createFolder(caller, folder, parseArguments(folderCreateParameters, rawArguments, rules));
    return { status: 200, kind: items, ...created };
  } catch (error) {
    if (!(error instanceof ErrorResponse)) throw error;
    const { status, body } = toResponse(error);
    return { status, ...Object(parseJson(body)) };
  }
}
