// Reads contacts, folders, spaces, custom fields and workflows by their ids, and the version of the API. The contract shows none
// of these endpoints. A single unknown id fails the request.

import type { ApiResult } from '../http/response.ts';
import { canSeeFolder, canSeeTask, requireFolder, requireOwn } from '../state/access.ts';
import { numberOf } from '../task/permalink-of.ts';
import {
  toContactRecord,
  toCustomFieldRecord,
  toFolderRecord,
  toSpaceRecord,
  toWorkflowRecord,
} from './account.ts';
import { type EndpointRequest, type Handlers, idsOf } from './endpoint.ts';

/** The records of the account with these ids. Throws {@link ErrorResponse}. */
function ownRecords<T extends { readonly accountId: string }>(
  request: EndpointRequest<unknown>,
  parameter: string,
  kind: string,
  records: ReadonlyMap<string, T>,
): readonly T[] {
  return idsOf(request, parameter).map((id) => requireOwn(request, kind, id, records.get(id)));
}

const users = (request: EndpointRequest<unknown>, parameter: string, kind: string): readonly unknown[] =>
  ownRecords(request, parameter, kind, request.store.users).map((user) =>
    toContactRecord(request.user, user),
  );

function folders(request: EndpointRequest<unknown>, parameter: string, kind: 'folder' | 'space') {
  return idsOf(request, parameter).map((id) => requireFolder(request, id, kind));
}

export const readByIdHandlers = {
  getContacts: (request) => ({ kind: 'contacts', data: users(request, 'contactIds', 'Contact') }),
  getUsers: (request) => ({ kind: 'users', data: users(request, 'userIds', 'User') }),
  getFolders: (request) => ({
    kind: 'folders',
    data: folders(request, 'folderIds', 'folder').map((folder) => toFolderRecord(request, folder)),
  }),
  getSpaces: (request) => ({
    kind: 'spaces',
    data: folders(request, 'spaceIds', 'space').map(toSpaceRecord),
  }),
  getCustomFields(request): ApiResult {
    const fields = ownRecords(request, 'customFieldIds', 'Custom field', request.store.customFields);
    return { kind: 'customfields', data: fields.map(toCustomFieldRecord) };
  },
  getWorkflows(request): ApiResult {
    const workflows = ownRecords(request, 'workflowIds', 'Workflow', request.store.workflows);
    return { kind: 'workflows', data: workflows.map(toWorkflowRecord) };
  },
  convertIds({ store, user, arguments: { type, ids } }) {
    const idByNumber = new Map<string, string>();
    if (type === 'ApiV2Folder')
      for (const folder of store.folders.values())
        if (canSeeFolder(user, folder)) idByNumber.set(numberOf(folder.id), folder.id);
    if (type === 'ApiV2Task')
      for (const task of store.tasks.values())
        if (canSeeTask(store, user, task)) idByNumber.set(numberOf(task.id), task.id);
    const data = ids.flatMap((apiV2Id) => {
      const id = idByNumber.get(apiV2Id);
      return id === undefined ? [] : [{ id, apiV2Id }];
    });
    return { kind: 'ids', data };
  },
  getVersion: () => ({ kind: 'version', data: [{ major: '4', minor: '0' }] }),
} satisfies Partial<Handlers>;
