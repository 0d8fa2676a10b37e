// The default values of members that a seed, the sample or a request for a new task omits, and the records that every account has.

import type { TypeOf } from '#contract/schema.ts';
import { scopes } from '#contract/scope.ts';
import { sampleApplications } from './sample-ids.ts';
import type { storedSchemas } from './stored-schemas.ts';

const defaultDate = '2026-01-05T09:00:00Z';

/** A snapshot omits members with these values. */
export const constants = {
  accounts: {
    dataCentre: 'US',
    dateFormat: 'dd/MM/yyyy',
    firstDayOfWeek: 'Mon',
    workDays: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'],
    createdDate: defaultDate,
    joinedDate: defaultDate,
  },
  users: {
    lastName: '',
    type: 'Person',
    role: 'User',
    admin: false,
    deleted: false,
    licence: 'full',
    denied: [],
  },
  invitations: {},
  folders: { kind: 'folder', customFields: [] },
  tasks: {
    description: '',
    importance: 'Normal',
    scope: 'WsTask',
    createdDate: defaultDate,
    dates: { type: 'Backlog' },
    formerParentIds: [],
    superTaskIds: [],
    subTaskIds: [],
    dependencyIds: [],
    responsibleIds: [],
    responsiblePlaceholderIds: [],
    followerIds: [],
    recurrent: false,
    metadata: [],
    customFields: [],
    cascadingFieldSettings: [],
    billingType: 'Billable',
    finance: {},
    attachments: [],
  },
  comments: { createdDate: defaultDate },
  timelogs: { createdDate: defaultDate, trackedDate: defaultDate.slice(0, 10), comment: '' },
  dependencies: { relationType: 'FinishToStart', lagTime: 0 },
  customFields: { values: [] },
  workflows: { standard: false, hidden: false },
  customItemTypes: { relatedType: 'Task' },
  workSchedules: {},
  placeholders: {},
  applications: { callbacks: [], loopback: false },
  webhooks: { recursive: false, status: 'Active' },
  tokens: { use: 'access', scopes },
} as const satisfies {
  readonly [L in keyof typeof storedSchemas]: Partial<TypeOf<(typeof storedSchemas)[L]>>;
};

export const constantsOf = (list: keyof typeof storedSchemas): Readonly<Record<string, unknown>> =>
  constants[list];

/** The application of the printed token, which accepts any loopback redirect URI. */
export const readyApplication: TypeOf<typeof storedSchemas.applications> = {
  ...sampleApplications.ready,
  name: 'Ready application',
  callbacks: [],
  loopback: true,
};

export const rootsOf = (accountId: string) => ({
  rootFolderId: `${accountId}I7777777`,
  recycleBinId: `${accountId}I7777776`,
});

export const standardWorkflow = (accountId: string): TypeOf<typeof storedSchemas.workflows> => {
  const statusId = (suffix: string) => `${accountId}JMAB5${suffix}`;
  return {
    id: `${accountId}K4AB5STD`,
    accountId,
    name: 'Default workflow',
    standard: true,
    hidden: false,
    statuses: [
      { id: statusId('ACT'), name: 'New', group: 'Active' },
      { id: statusId('CMP'), name: 'Completed', group: 'Completed' },
      { id: statusId('DFR'), name: 'Deferred', group: 'Deferred' },
      { id: statusId('CNC'), name: 'Cancelled', group: 'Cancelled' },
    ],
  };
};
