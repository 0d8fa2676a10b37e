// Runs a batch, which can create tasks and folders in a folder. Each operation succeeds or fails by itself.

import { parseJson } from '../../contract/json.ts';
import { folderCreateParameters, taskCreateParameters } from '../../contract/task-create.ts';
import { parseArguments, type RawArgument, type ReadingRules } from '../http/arguments.ts';
import { ErrorResponse } from '../http/error-response.ts';
import { toResponse } from '../http/response.ts';
import type { Service } from '../service/service.ts';
import { requireEntry } from '../state/require-entry.ts';
import type { ScheduledJob } from '../state/store.ts';
import { type Author, createFolder, createTask } from './create-items.ts';
import { editableFolder } from './item-subject.ts';

type Batch = Extract<ScheduledJob, { type: 'batch' }>;

/** Runs the operations as the user who sent the batch, and stores their results in its job. */
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
    const [, folderId = '', what = ''] = /^\/folders\/([^/]+)\/(tasks|folders)$/.exec(path) ?? [];
    if (what === '' || method !== 'POST')
      throw new ErrorResponse('method_not_found', `A batch cannot do ${method} ${path}`, {
        because: 'batch',
      });
    const folder = editableFolder(service.store, author.user, folderId);
    const strict = service.settings.mode === 'strict';
    const ignore = (name: string) =>
      service.reportIgnored(`POST /folders/{folderId}/${what} of a batch`, name);
    // The batch has had its response, so none can name what is assumed.
    const rules: ReadingRules = { because: 'batch', strict, assume: () => undefined, ignore };
    const given = Object.entries(Object(parameters)).map(
      ([name, value]): RawArgument => ({ name, value, from: 'json' }),
    );
    const created =
      what === 'tasks'
        ? createTask(service, author, folder, parseArguments(taskCreateParameters, given, rules))
        : createFolder(service, author, folder, parseArguments(folderCreateParameters, given, rules));
    return { status: 200, ...created };
  } catch (error) {
    if (!(error instanceof ErrorResponse)) throw error;
    const { status, body } = toResponse(error);
    return { status, ...Object(parseJson(body)) };
  }
}
