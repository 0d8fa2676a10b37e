// Lists whose names alone the contract shows: groups, invitations, timelog categories, timesheets, lock periods of timelogs. All
// are empty but the invitations, of which the sample has one.

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
