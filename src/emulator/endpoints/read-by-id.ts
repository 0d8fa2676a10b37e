// Reads contacts, folders, spaces, custom fields and workflows by their ids, and the version of the API. The contract shows none
// of these endpoints. A single unknown id fails the request.

import { canSeeFolder, canSeeTask, requireFolder, requireOwn } from '../state/access.ts';
import { numberOf } from '../task/urls.ts';
import {
  toContactRecord,
  toCustomFieldRecord,
  toFolderRecord,
  toSpaceRecord,
  toWorkflowRecord,
} from './account.ts';
import { type EndpointRequest, type Handlers, readEach } from './endpoint.ts';

const readUser = (request: EndpointRequest<unknown>, type: string) => (id: string) =>
  toContactRecord(request.user, requireOwn(request, request.store.users, type, id));

export const readByIdHandlers = {
  getContacts: (request) => readEach(request, readUser(request, 'Contact')),
  getUsers: (request) => readEach(request, readUser(request, 'User')),
  getFolders: (request) => readEach(request, (id) => toFolderRecord(request, requireFolder(request, id))),
  getSpaces: (request) => readEach(request, (id) => toSpaceRecord(requireFolder(request, id, 'space'))),
  getCustomFields: (request) =>
    readEach(request, (id) =>
      toCustomFieldRecord(requireOwn(request, request.store.customFields, 'Custom field', id)),
    ),
  getWorkflows: (request) =>
    readEach(request, (id) => toWorkflowRecord(requireOwn(request, request.store.workflows, 'Workflow', id))),
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
    return { data };
  },
  getVersion: () => ({ data: [{ major: '4', minor: '0' }] }),
} satisfies Partial<Handlers>;
