// The sample: an account with a few records of each kind (sample-ids.ts), and one task in each of the other data centres.

import { defaults, readyApplication, rootsOf, standardWorkflow } from './default-members.ts';
import { type SampleTokenName, sample, sampleApplications, sampleCallbacks } from './sample-ids.ts';
import type { SampleTokens } from './sample-tokens.ts';
import { nothingRunning, type Snapshot } from './store.ts';

type Row<List extends keyof Snapshot> = Snapshot[List][number];

const account = { accountId: sample.account };
const everyone = [sample.ada, sample.ben, sample.bot] as const;

const { ready, two, one } = sampleApplications;
const applications = [
  readyApplication,
  { ...two, name: 'Application with two callbacks', callbacks: sampleCallbacks.two, loopback: false },
  { ...one, name: 'Application with one callback', callbacks: sampleCallbacks.one, loopback: false },
];

const accounts = (
  [
    [sample.account, 'US', 'Paper Lantern Studio'],
    [sample.europeanAccount, 'EU', 'Paper Lantern Europe'],
    [sample.secondAmericanAccount, 'US2', 'Paper Lantern West'],
  ] as const
).map(([id, dataCentre, name]) => ({ id, name, ...rootsOf(id), ...defaults.accounts, dataCentre }));

type User = Row<'users'>;
const person = (id: string, firstName: string, lastName: string, members: Partial<User> = {}): User => ({
  ...defaults.users,
  ...account,
  id,
  firstName,
  lastName,
  email: `${firstName.toLowerCase()}@paper-lantern.example`,
  ...members,
});

const users = [
  person(sample.ada, 'Ada', 'Fields', { admin: true }),
  person(sample.ben, 'Ben', 'Okafor'),
  person(sample.bot, 'Lantern', 'Bot', { type: 'Robot' }),
  person(sample.adaInEurope, 'Ada', 'Fields', { accountId: sample.europeanAccount, admin: true }),
  person(sample.adaInSecondAmerica, 'Ada', 'Fields', {
    accountId: sample.secondAmericanAccount,
    admin: true,
  }),
];

type Folder = Row<'folders'>;
const folder = (
  id: string,
  title: string,
  kind: Folder['kind'],
  parentIds: readonly string[],
  members: Partial<Folder> = {},
): Folder => ({
  ...defaults.folders,
  ...account,
  id,
  title,
  kind,
  parentIds,
  sharedIds: everyone,
  ...members,
});

const firstFolders = (accountId: string, space: string, sharedIds: Folder['sharedIds']): Folder[] => {
  const { rootFolderId, recycleBinId } = rootsOf(accountId);
  const members = { accountId, sharedIds };
  return [
    folder(rootFolderId, 'Root', 'root', [], members),
    folder(recycleBinId, 'Recycle Bin', 'bin', [], members),
    folder(`${accountId}I5AB5SPC`, space, 'space', [rootFolderId], members),
  ];
};

const foldersOn = (on: Calendar): readonly Folder[] =>
  [
    ...firstFolders(sample.account, 'Studio', everyone),
    folder(sample.secondSpace, 'Back office', 'space', [sample.root]),
    folder(sample.folder, 'Website', 'folder', [sample.space], {
      customFields: [{ id: sample.text, value: 'Landing pages' }],
    }),
    folder(sample.subfolder, 'Copy', 'folder', [sample.folder]),
    folder(sample.privateFolder, 'Salaries', 'folder', [sample.secondSpace], { sharedIds: [sample.ada] }),
    folder(sample.project, 'Spring catalogue', 'project', [sample.space], {
      customItemTypeId: sample.campaignType,
      project: {
        authorId: sample.ada,
        ownerIds: [sample.ada],
        createdDate: `${on('2026-01-05')}T09:00:00Z`,
        customStatusId: sample.inProgress,
        startDate: on('2026-02-02'),
        endDate: on('2026-04-30'),
      },
    }),
    ...firstFolders(sample.europeanAccount, 'Office', [sample.adaInEurope]),
    ...firstFolders(sample.secondAmericanAccount, 'Office', [sample.adaInSecondAmerica]),
  ].map((row) => {
    const date = `${on('2026-01-05')}T09:00:00Z`;
    return { ...row, createdDate: date, updatedDate: date };
  });

/** Moves a day of the sample to the same weekday around the start. */
type Calendar = (day: string) => string;

type Task = Row<'tasks'>;
const tasksOn = (on: Calendar): readonly Task[] => {
  const createdDate = `${on('2026-01-05')}T09:00:00Z`;
  const task = (id: string, title: string, order: number, members: Partial<Task> = {}): Task => ({
    ...defaults.tasks,
    ...account,
    id,
    title,
    status: 'Active',
    customStatusId: sample.active,
    createdDate,
    updatedDate: createdDate,
    parentIds: [sample.folder],
    authorIds: [sample.ada],
    sharedIds: everyone,
    followerIds: [sample.ada],
    priority: `${order.toString(16).padStart(2, '0')}8`,
    ...members,
  });
  const foreignTask = (id: string, title: string, userId: string) => {
    const accountId = id.slice(0, sample.account.length);
    return task(id, title, 1, {
      accountId,
      parentIds: [`${accountId}I5AB5SPC`],
      authorIds: [userId],
      sharedIds: [userId],
      followerIds: [],
      customStatusId: `${accountId}JMAB5ACT`,
    });
  };

  const planned = (start: string, due: string, duration: number) => ({
    dates: { type: 'Planned', duration, start: `${on(start)}T09:00:00`, due: `${on(due)}T17:00:00` } as const,
  });

  return [
    task(sample.task, 'Write the launch page', 1, {
      ...planned('2026-02-02', '2026-02-06', 2400),
      description: 'Three sections, <b>one</b> message.',
      responsibleIds: [sample.ben, sample.invitation],
      sharedIds: [...everyone, sample.invitation],
      responsiblePlaceholderIds: [sample.placeholder],
      dependencyIds: [sample.dependency],
      metadata: [{ key: 'source', value: 'import' }],
      customFields: [
        { id: sample.text, value: 'Red and <b>gold</b>' },
        { id: sample.dropDown, value: 'High' },
        { id: sample.multiple, value: '["Print","Web"]' },
      ],
      cascadingFieldSettings: [
        { fieldId: sample.text, systemField: false, enabledBy: sample.ada, enabledAt: createdDate },
      ],
      subTaskIds: [sample.subtask],
      workScheduleId: sample.workSchedule,
      billingType: 'Billable',
      finance: { plannedCost: 0, plannedFees: 0, actualFees: 0, actualCost: 0, currency: 'Euro' },
      effortAllocation: {
        mode: 'Flexible',
        totalEffort: 960,
        allocatedEffort: 480,
        responsibleAllocation: [
          { userId: sample.ben, dailyAllocation: [{ date: on('2026-02-02'), effortMinutes: 480 }] },
        ],
      },
    }),
    task(sample.subtask, 'Choose the pictures', 2, { parentIds: [], superTaskIds: [sample.task] }),
    task(sample.milestone, 'Launch', 3, {
      dates: { type: 'Milestone', due: `${on('2026-03-02')}T17:00:00` },
      dependencyIds: [sample.dependency],
    }),
    task(sample.backlog, 'Think about dark mode', 4, { parentIds: [sample.subfolder] }),
    task(sample.completed, 'Buy the domain', 5, {
      status: 'Completed',
      customStatusId: sample.completedStatus,
      completedDate: `${on('2026-01-09')}T15:30:00Z`,
    }),
    task(sample.deferred, 'Translate', 6, { status: 'Deferred', customStatusId: sample.deferredStatus }),
    task(sample.cancelled, 'Print flyers', 7, {
      status: 'Cancelled',
      customStatusId: sample.cancelledStatus,
    }),
    task(sample.recurrent, 'Weekly report', 8, {
      responsibleIds: [sample.ada],
      recurrent: true,
      ...planned('2026-02-06', '2026-02-06', 480),
    }),
    task(sample.bug, 'The form loses its text', 9, {
      responsibleIds: [sample.ada],
      parentIds: [sample.project],
      importance: 'High',
      customItemTypeId: sample.bugType,
      customStatusId: sample.inProgress,
      ...planned('2026-02-09', '2026-02-10', 960),
    }),
    task(sample.withImage, 'Draw the lantern', 10, {
      parentIds: [sample.project],
      attachments: [
        {
          id: sample.attachment,
          ...{ authorId: sample.ada, createdDate, contentType: 'image/png' },
          url: `https://files.example.com/attachments/${sample.attachment}/lantern.png`,
        },
      ],
    }),
    task(sample.privateTask, 'Review salaries', 11, {
      parentIds: [sample.privateFolder],
      sharedIds: [sample.ada],
    }),
    task(sample.deletedTask, 'Old banner', 12, {
      scope: 'RbTask',
      parentIds: [sample.recycleBin],
      formerParentIds: [sample.folder],
    }),
    foreignTask(sample.europeanTask, 'Rent an office', sample.adaInEurope),
    foreignTask(sample.secondAmericanTask, 'Paint the door', sample.adaInSecondAmerica),
  ];
};

const field = (id: string, title: string, type: Row<'customFields'>['type'], values: string[] = []) => ({
  ...defaults.customFields,
  id,
  ...account,
  title,
  type,
  values,
  settings: values.length > 0 ? { values } : {},
});

const customFields = [
  field(sample.text, 'Colours', 'Text'),
  field(sample.numeric, 'Copies', 'Numeric'),
  field(sample.currency, 'Budget', 'Currency'),
  field(sample.percentage, 'Discount', 'Percentage'),
  field(sample.duration, 'Reading time', 'Duration'),
  field(sample.date, 'Goes to print', 'Date'),
  field(sample.checkbox, 'Approved', 'Checkbox'),
  field(sample.dropDown, 'Risk', 'DropDown', ['Low', 'Medium', 'High']),
  field(sample.multiple, 'Channels', 'Multiple', ['Print', 'Web', 'Mail', 'a, "quoted" one']),
  { ...field(sample.contacts, 'Reviewers', 'Contacts'), spaceId: sample.space },
];

const workflows: Snapshot['workflows'] = [
  ...accounts.map(({ id }) => standardWorkflow(id)),
  {
    ...account,
    id: sample.customWorkflow,
    spaceId: sample.space,
    name: 'Editorial',
    ...defaults.workflows,
    statuses: [
      { id: sample.inProgress, name: 'In progress', group: 'Active' },
      { id: sample.inReview, name: 'In review', group: 'Active' },
      { id: sample.published, name: 'Published', group: 'Completed' },
      { id: sample.onHold, name: 'On hold', group: 'Deferred' },
      { id: sample.dropped, name: 'Dropped', group: 'Cancelled' },
    ],
  },
];

type SampleToken = Omit<Row<'tokens'>, 'id'> & { readonly sample: SampleTokenName };
const token = (name: SampleTokenName, userId: string, applicationId: string): SampleToken => ({
  sample: name,
  use: 'access',
  applicationId,
  userId,
  scopes: ['Default', 'amReadWriteWorkflow', 'amReadWriteInvitation', 'amReadWriteGroup', 'amReadWriteUser'],
});

const tokens: readonly SampleToken[] = [
  token('ada', sample.ada, ready.id),
  token('ben', sample.ben, ready.id),
  token('adaOfTwo', sample.ada, two.id),
  token('adaInEurope', sample.adaInEurope, ready.id),
  { ...token('version3Refresh', sample.ada, ready.id), use: 'version 3', scopes: ['Default'] },
];

const webhook = (id: string, path: string, members: Partial<Row<'webhooks'>>) => ({
  ...defaults.webhooks,
  ...account,
  ...{ id, applicationId: ready.id, authorId: sample.ada, hookUrl: `https://${sample.receiver}/${path}` },
  ...members,
});

/** For people who try `wm`: one to suspend, one that looks like it, one of a folder, and one that is suspended. */
export const sampleWebhooks: Snapshot['webhooks'] = [
  webhook(sample.billingHook, 'billing', { events: ['TaskStatusChanged'] }),
  webhook(sample.secondBillingHook, 'billing2', { events: ['TaskStatusChanged'] }),
  webhook(sample.folderHook, 'website', {
    folderId: sample.folder,
    recursive: true,
    events: ['TaskCreated', 'TaskStatusChanged'],
  }),
  webhook(sample.suspendedHook, 'archive', { events: ['TaskCreated'], status: 'Suspended' }),
];

const named = (id: string, title: string) => ({ ...account, id, title });

const weekMs = 7 * 86_400_000;
/** The Monday of the sample's week, when its first task starts. */
const sampleWeek = Date.UTC(2026, 1, 2);

/** `startedAt`: moves the dates by weeks to around that moment. Without it, they are always the same. */
export const createSample = (sampleTokens: SampleTokens, startedAt: number = sampleWeek): Snapshot => {
  const weeks = Math.floor((startedAt - sampleWeek) / weekMs);
  const on: Calendar = (day) => new Date(Date.parse(day) + weeks * weekMs).toISOString().slice(0, 10);
  return {
    ...nothingRunning,
    folders: foldersOn(on),
    tasks: tasksOn(on),
    tokens: tokens.map((row) => ({ ...row, id: sampleTokens[row.sample] })),
    applications,
    accounts,
    users,
    comments: [],
    timelogs: [],
    timelogCategories: [
      { ...account, ...defaults.timelogCategories, id: sample.writing, name: 'Writing' },
      { ...account, ...defaults.timelogCategories, id: sample.design, name: 'Design', order: 1 },
    ],
    dependencies: [
      {
        ...defaults.dependencies,
        ...account,
        id: sample.dependency,
        predecessorId: sample.task,
        successorId: sample.milestone,
      },
    ],
    customFields,
    workflows,
    invitations: [
      {
        ...defaults.invitations,
        ...account,
        id: sample.invitation,
        email: 'cleo@paper-lantern.example',
        inviterUserId: sample.ada,
      },
    ],
    groups: [],
    customItemTypes: [
      { ...named(sample.bugType, 'Bug'), relatedType: 'Task' },
      { ...named(sample.storyType, 'Story'), relatedType: 'Task' },
      { ...named(sample.campaignType, 'Campaign'), relatedType: 'Project' },
    ],
    workSchedules: [named(sample.workSchedule, 'Weekdays'), named(sample.nightShift, 'Night shift')],
    placeholders: [named(sample.placeholder, 'Developer'), named(sample.secondPlaceholder, 'Designer')],
    webhooks: [],
  };
};
