// Lists of which the contract shows only the name: groups, invitations, timelog categories, timesheets, lock periods of
// timelogs. The sample has one invitation and none of the others.

import { folderOf, type Handlers, pageResult, taskOf } from './endpoint.ts';

export const assumedListHandlers = {
  listGroups: (request) => pageResult(request, 'groups', []),
  listInvitations(request) {
    const { store, account } = request;
    const own = [...store.invitations.values()].filter(({ accountId }) => accountId === account.id);
    return pageResult(request, 'invitations', own);
  },
  listTimelogCategories: (request) => pageResult(request, 'timelogCategories', []),
  listTimesheets: (request) => pageResult(request, 'timesheet', []),
  listTaskLockPeriods(request) {
    taskOf(request);
    return pageResult(request, 'timelogLockPeriods', []);
  },
  listFolderLockPeriods(request) {
    folderOf(request);
    return pageResult(request, 'timelogLockPeriods', []);
  },
  listSpaceLockPeriods(request) {
    folderOf(request, 'space');
    return pageResult(request, 'timelogLockPeriods', []);
  },
} satisfies Partial<Handlers>;
