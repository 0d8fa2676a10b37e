// The endpoints that read contacts, folders, spaces, custom fields and workflows by their ids, and the version of the API. The
// contract shows none of them. One unknown id fails the whole request.

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
  what: string,
  all: ReadonlyMap<string, T>,
): readonly T[] {
  return idsOf(request, parameter).map((id) => requireOwn(request, what, id, all.get(id)));
}

function users(request: EndpointRequest<unknown>, parameter: string, what: string): readonly unknown[] {
  const found = ownRecords(request, parameter, what, request.store.users);
  return found.map((user) => toContactRecord(request.user, user));
}

function folders(request: EndpointRequest<unknown>, parameter: string, kind: 'folder' | 'space') {
  return idsOf(request, parameter).map((id) => requireFolder(request, id, kind));
}

export const readByIdHandlers = {
  getContacts: (request) => ({ kind: 'contacts', data: users(request, 'contactIds', 'Contact') }),
  getUsers: (request) => ({ kind: 'users', data: users(request, 'userIds', 'User') }),
  getFolders: (request) => ({
    kind: 'folders',
    data: folders(request, 'folderIds', 'folder').map((one) => toFolderRecord(request, one)),
  }),
  getSpaces: (request) => ({
    kind: 'spaces',
    data: folders(request, 'spaceIds', 'space').map(toSpaceRecord),
  }),
  getCustomFields(request): ApiResult {
    const all = request.store.customFields;
    const found = ownRecords(request, 'customFieldIds', 'Custom field', all);
    return { kind: 'customfields', data: found.map(toCustomFieldRecord) };
  },
  getWorkflows(request): ApiResult {
    const found = ownRecords(request, 'workflowIds', 'Workflow', request.store.workflows);
    return { kind: 'workflows', data: found.map(toWorkflowRecord) };
  },
  convertIds({ store, user, arguments: { type, ids } }) {
    const found = new Map<string, string>();
    if (type === 'ApiV2Folder')
      for (const one of store.folders.values())
        if (canSeeFolder(user, one)) found.set(numberOf(one.id), one.id);
    if (type === 'ApiV2Task')
      for (const one of store.tasks.values())
        if (canSeeTask(store, user, one)) found.set(numberOf(one.id), one.id);
    const data = ids.flatMap((apiV2Id) => {
      const id = found.get(apiV2Id);
      return id === undefined ? [] : [{ id, apiV2Id }];
    });
    return { kind: 'ids', data };
  },
  getVersion: () => ({ kind: 'version', data: [{ major: '4', minor: '0' }] }),
} satisfies Partial<Handlers>;
