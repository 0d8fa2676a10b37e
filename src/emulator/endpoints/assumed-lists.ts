// Lists of which the contract shows only the name: groups, invitations, timelog categories, timesheets, lock periods of
// timelogs. The sample has one invitation and none of the others.

import { requireFolder, requireTask } from '../state/access.ts';
import { type Handlers, idOf, pageResult } from './endpoint.ts';

export const assumedListHandlers = {
  listGroups: (request) => pageResult(request, 'groups', []),
  listInvitations(request) {
    const { service, session } = request;
    const all = [...service.store.invitations.values()];
    return pageResult(
      request,
      'invitations',
      all.filter(({ accountId }) => accountId === session.account.id),
    );
  },
  listTimelogCategories: (request) => pageResult(request, 'timelogCategories', []),
  listTimesheets: (request) => pageResult(request, 'timesheet', []),
  listTaskLockPeriods(request) {
    requireTask(request.service.store, request.session.user, idOf(request, 'taskId'));
    return pageResult(request, 'timelogLockPeriods', []);
  },
  listFolderLockPeriods(request) {
    requireFolder(request.service.store, request.session.user, idOf(request, 'folderId'), 'folder');
    return pageResult(request, 'timelogLockPeriods', []);
  },
  listSpaceLockPeriods(request) {
    requireFolder(request.service.store, request.session.user, idOf(request, 'spaceId'), 'space');
    return pageResult(request, 'timelogLockPeriods', []);
  },
} satisfies Partial<Handlers>;
