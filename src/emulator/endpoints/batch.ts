// Batches, data exports as CSV (a column for each member that is a single value), and the asynchronous jobs that report on them.

import { formatTimestamp } from '#contract/date.ts';
import { parseJson } from '#contract/json.ts';
import { folderCreateParameters, taskCreateParameters } from '#contract/task-create.ts';
import { randomText } from '#random-values.ts';
import { jsonArguments, parseArguments, type RawArgument, type ReadingRules } from '../http/arguments.ts';
import { ErrorResponse, notFound } from '../http/error-response.ts';
import { type ApiResult, fileResponse, type OutgoingResponse, toResponse } from '../http/response.ts';
import { tolerate } from '../http/tolerances.ts';
import type { Service } from '../service/service.ts';
import { requireEntry, requireFolder, requireOwn } from '../state/access.ts';
import type { Job, ScheduledJob } from '../state/store.ts';
import { storedSchemas } from '../state/stored-schemas.ts';
import { copyFolder, createFolder, createTask } from './create-items.ts';
import { type Caller, createCaller, type EndpointRequest, type Handlers, idOf } from './endpoint.ts';
import { editableFolder } from './item-subject.ts';

/** How long a job takes on the emulator's clock. */
const jobDelayMs = 1_000;

function jobResult({ id, type, status, results, result }: Job): ApiResult {
  const done = { progressPercent: 100, ...(result ? { result } : { results }) };
  return { data: [{ id, type, status, progressPercent: 0, ...(status === 'Completed' && done) }] };
}

type Work = Partial<Pick<Batch, 'operations'> & Pick<Job, 'result'>>;

function startJob({ service, store, user }: Caller, type: string, { operations = [], ...work }: Work): Job {
  const { id: userId, accountId } = user;
  const started = service.clock.now();
  const id = randomText(service, 23).toUpperCase();
  const job: Job = { id, accountId, type, status: 'InProgress', results: [], started, ...work };
  store.jobs.set(id, job);
  service.scheduler.add({ id, due: started + jobDelayMs, type: 'batch', userId, operations });
  return job;
}

const tables = ['users', 'folders', 'tasks'] as const;
export const exportPath = '/exports/';
const dataTypes = { text: 'String', choice: 'String', number: 'Number', boolean: 'Boolean', date: 'Date' };
const typesByForm: Readonly<Record<string, string>> = dataTypes;
const columnsOf = (table: (typeof tables)[number]) =>
  Object.entries(storedSchemas[table].shape).flatMap(([id, { type, form }]) => {
    const dataType = typesByForm[type === 'timestamp' ? 'date' : (form?.kind ?? '')];
    return dataType === undefined ? [] : [{ id, alias: id, dataType }];
  });

function exportResult({ workspace }: Caller, { id, status, started = 0 }: Job, httpStatus = 200): ApiResult {
  const resources = tables.map((name) => ({ name, url: `${workspace}${exportPath}${id}/${name}.csv` }));
  const completed = { completedDate: formatTimestamp(started + jobDelayMs), resources };
  return { status: httpStatus, data: [{ id, status, ...(status === 'Completed' && completed) }] };
}

/** The last export of the account, if it is not older; otherwise a new one. */
function exportSince(caller: Caller, oldest: number): ApiResult {
  const last = [...caller.store.jobs.values()].findLast(
    ({ type, accountId }) => type === 'DataExport' && accountId === caller.account.id,
  );
  if (last?.started !== undefined && last.started > oldest) return exportResult(caller, last);
  return exportResult(caller, startJob(caller, 'DataExport', {}), 202);
}

/** The file at an address of an export, which needs no token. Throws {@link ErrorResponse}. */
export function exportResponse({ store }: Service, path: string): OutgoingResponse {
  const [id = '', file] = path.slice(exportPath.length).split('/');
  const job = store.jobs.get(id);
  const table = tables.find((name) => file === `${name}.csv`);
  if (job === undefined || table === undefined) throw notFound('File', path, 'reference-endpoints');
  const rows = [...store[table].values()]
    .filter(({ accountId }) => accountId === job.accountId)
    .map((record): ReadonlyMap<string, unknown> => new Map(Object.entries(record)));
  const names = columnsOf(table).map((column) => column.id);
  const lines = [names, ...rows.map((row) => names.map((name) => row.get(name) ?? ''))].map(
    (cells) => `${cells.map((cell) => `"${String(cell).replaceAll('"', '""')}"`).join()}\n`,
  );
  const content = Buffer.from(lines.join(''));
  return fileResponse({ file: { name: `${table}.csv`, contentType: 'text/csv', content } });
}

const jobOf = (request: EndpointRequest, name: string): Job =>
  requireOwn(request, request.store.jobs, 'Job', idOf(request, name));

export const batchHandlers = {
  batch(request) {
    const { service, ignore } = request;
    const { operations } = request.arguments;
    // The response and the log name them: the operations run later.
    for (const [index, { path, parameters }] of operations.entries())
      if (service.settings.mode !== 'strict')
        for (const name of Object.keys(Object(parameters)))
          if (!Object.hasOwn(path.endsWith('/tasks') ? taskCreateParameters : folderCreateParameters, name))
            ignore(`operations[${index}].parameters.${name}`);
    return jobResult(startJob(request, 'Batch', { operations }));
  },
  /** The copy is made at once; its job only says later that it is complete. */
  copyFolderAsync: (request) =>
    jobResult(startJob(request, 'CopyFolder', { result: { folderId: copyFolder(request).id } })),
  getAsyncJob: (request) => jobResult(jobOf(request, 'jobId')),
  getLatestDataExport: (request) => exportSince(request, -1),
  /** An export is as good as new for an hour. */
  createDataExport: (request) => exportSince(request, request.service.clock.now() - 3_600_000),
  getDataExport: (request) => exportResult(request, jobOf(request, 'dataExportId')),
  getDataExportSchema: () => ({ data: tables.map((id) => ({ id, alias: id, columns: columnsOf(id) })) }),
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
