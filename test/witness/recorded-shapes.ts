// The records of the service as recordings and its old reference show them, with every member, in an account of made-up data. Written
// by hand. A member that a record lacks is absent, never null. Which members an answer shows is in the lists below the records.

import { words } from './words.ts';

const account = 'IEAAAAAQ';
const [ada, ben, bot, team] = ['KUAAAAAA', 'KUAAAAAB', 'KUAAAAAC', 'KXAAAAAD'];
const [root, bin] = ['IEAAAAAQI7777777', 'IEAAAAAQI7777776'];
const [space, personal, folder] = ['IEAAAAAQI4AB5SPC', 'IEAAAAAQI4AB5PER', 'IEAAAAAQI4AB5FLD'];
const [project, inner, deletedFolder] = ['IEAAAAAQI4AB5PRJ', 'IEAAAAAQI4AB5INN', 'IEAAAAAQI4AB5DEL'];
const [pages, launch, subtask] = ['IEAAAAAQKQAB5BNG', 'IEAAAAAQKQAB5LCH', 'IEAAAAAQKQAB5SUB'];
const [backlog, inBin] = ['IEAAAAAQKQAB5BLG', 'IEAAAAAQKQAB5BIN'];
const [active, completed, inReview] = ['IEAAAAAQJMAB5ACT', 'IEAAAAAQJMAB5CMP', 'IEAAAAAQJMAB5REV'];
const [standard, ofSpace] = ['IEAAAAAQK4AB5STD', 'IEAAAAAQK4AB5SPW'];
const [risk, hours] = ['IEAAAAAQJUAB5RSK', 'IEAAAAAQJUAB5HRS'];
const dependency = 'IEAAAAAQIUAB5DEP';
const [comment, olderComment] = ['IEAAAAAQIMAB5CO2', 'IEAAAAAQIMAB5CO1'];
const [picture, link] = ['IEAAAAAQIYAB5PIC', 'IEAAAAAQIYAB5LNK'];
const [timelog, secondTimelog] = ['IEAAAAAQJQAB5TL1', 'IEAAAAAQJQAB5TL2'];

export const ids = {
  ...{ account, ada, ben, bot, team, root, bin, space, personal, folder, project, inner, deletedFolder },
  ...{ pages, launch, subtask, backlog, inBin, active, completed, inReview, standard, ofSpace, risk, hours },
  ...{ dependency, comment, olderComment, picture, link, timelog, secondTimelog },
  webhook: 'IEAAAAAQJAAB5HK1',
  job: 'IEAAAAAQJ4AB5JOBAAAAAAA',
} as const;

type Members = Readonly<Record<string, unknown>>;

/** Ten decimal digits. */
const permalink = (number: number) => `https://web.example/open.htm?id=${4_500_000_000 + number}`;

const taskBasics = {
  accountId: account,
  status: 'Active',
  importance: 'Normal',
  createdDate: '2026-10-07T01:00:00Z',
  scope: 'WsTask',
  customStatusId: active,
  // Only if `fields` names them.
  attachmentCount: 0,
  recurrent: false,
  effortAllocation: { responsibleAllocation: [], mode: 'None' },
  billingType: 'NonBillable',
  responsiblePlaceholderIds: [],
  cascadingFieldSettings: [],
  finance: { currency: 'Euro' },
  description: '',
  briefDescription: '',
  parentIds: [folder],
  superParentIds: [],
  sharedIds: [ada],
  responsibleIds: [],
  authorIds: [ada],
  hasAttachments: false,
  followedByMe: true,
  followerIds: [ada],
  superTaskIds: [],
  subTaskIds: [],
  dependencyIds: [],
  metadata: [],
  customFields: [],
};

const tasks: readonly Members[] = [
  {
    ...taskBasics,
    id: pages,
    title: 'Pages',
    importance: 'High',
    updatedDate: '2026-10-07T01:00:00Z',
    dates: { type: 'Planned', duration: 1920, start: '2026-10-12T09:00:00', due: '2026-10-15T17:00:00' },
    permalink: permalink(1),
    priority: '01b89400800000000000b400',
    description:
      'All of them:<br /><span style="background-color: #c8e6c9;">green</span> <img src="https://files.example/a.png" />',
    briefDescription: 'All of them: green',
    responsibleIds: [ben],
    followerIds: [ben, ada],
    sharedIds: [ada, ben, team],
    subTaskIds: [subtask],
    dependencyIds: [dependency],
    hasAttachments: true,
    attachmentCount: 2,
    metadata: [{ key: 'build', value: '981' }],
    customFields: [
      { id: risk, value: 'High' },
      { id: hours, value: '12' },
    ],
    customItemTypeId: 'IEAAAAAQPIAB5BUG',
    workScheduleId: 'IEAAAAAQOMAB5WRK',
  },
  {
    ...taskBasics,
    id: launch,
    title: 'Launch',
    status: 'Completed',
    updatedDate: '2026-10-08T02:00:00Z',
    completedDate: '2026-10-08T02:00:00Z',
    dates: { type: 'Milestone', due: '2026-10-16T17:00:00' },
    customStatusId: completed,
    permalink: permalink(2),
    priority: '01b89400800000000000c000',
    parentIds: [project],
    dependencyIds: [dependency],
  },
  {
    ...taskBasics,
    id: subtask,
    title: 'Proofread, "twice"',
    updatedDate: '2026-10-08T03:00:00Z',
    dates: { type: 'Backlog' },
    permalink: permalink(3),
    priority: '01b89400800000000000c800',
    parentIds: [root],
    superParentIds: [folder],
    superTaskIds: [pages],
    responsibleIds: [ada],
  },
  {
    ...taskBasics,
    id: backlog,
    title: 'Pages',
    updatedDate: '2026-10-08T04:00:00Z',
    dates: { type: 'Backlog' },
    permalink: permalink(4),
    priority: '01b89400800000000000d000',
    parentIds: [inner],
    customStatusId: inReview,
  },
  {
    ...taskBasics,
    id: inBin,
    title: 'Old page',
    scope: 'RbTask',
    updatedDate: '2026-10-08T05:00:00Z',
    dates: { type: 'Backlog' },
    permalink: permalink(5),
    priority: '01b89400800000000000e000',
    parentIds: [bin],
  },
];

/** The members of a task in a list. `completedDate` only of a completed task. */
export const listedTaskMembers = words(`
  id accountId title status importance createdDate updatedDate completedDate dates scope customStatusId
  permalink priority
`);

/** Of a task by id, only if `fields` names them; attachmentCount also after a change. */
export const requestedTaskMembers = words(`
  attachmentCount recurrent effortAllocation billingType responsiblePlaceholderIds cascadingFieldSettings
  finance
`);

const folderBasics = {
  accountId: account,
  createdDate: '2026-10-07T00:00:00Z',
  updatedDate: '2026-10-07T00:30:00Z',
  description: '',
  sharedIds: [ada, team],
  superParentIds: [],
  scope: 'WsFolder',
  hasAttachments: false,
  workflowId: standard,
  metadata: [],
  customFields: [],
  childIds: [],
  // Only if `fields` names them.
  briefDescription: '',
  attachmentCount: 0,
  customColumnIds: [],
  color: 'None',
};

const folderOf = (
  id: string,
  title: string,
  number: number,
  parentIds: readonly string[],
  more: Members,
) => ({
  ...{ ...folderBasics, id, title, parentIds, permalink: permalink(number) },
  ...more,
});

const folders: readonly Members[] = [
  folderOf(root, 'Root', 100, [], { scope: 'WsRoot', childIds: [space, personal] }),
  folderOf(space, 'Studio', 101, [root], { childIds: [folder, project], workflowId: ofSpace }),
  folderOf(personal, 'Personal', 102, [root], {}),
  folderOf(inner, 'Drafts', 105, [folder], { superParentIds: [space] }),
  folderOf(folder, 'Website', 103, [space], {
    childIds: [inner],
    description: 'All that is online',
    metadata: [{ key: 'source', value: 'plan' }],
    customFields: [{ id: risk, value: 'Low' }],
  }),
  folderOf(project, 'Relaunch', 104, [space], {
    project: {
      authorId: ada,
      ownerIds: [ben],
      customStatusId: active,
      startDate: '2026-10-12',
      endDate: '2026-11-30',
      createdDate: '2026-10-07T00:00:00Z',
      completedDate: '2026-11-30T12:00:00Z',
    },
  }),
  folderOf(bin, 'Recycle Bin', 106, [], { scope: 'RbRoot', childIds: [deletedFolder] }),
  folderOf(deletedFolder, 'Old site', 107, [bin], { scope: 'RbFolder' }),
];

/** The members of a folder in a list of kind `folderTree`, which is one without a filter. */
export const treeMembers = words('id title childIds scope project');
/** What a list of kind `folders` leaves out. */
export const unlistedFolderMembers = words('superParentIds hasAttachments metadata customFields');
export const requestedFolderMembers = words('briefDescription attachmentCount customColumnIds color');

const spaces: readonly Members[] = [
  {
    id: personal,
    title: 'Personal',
    avatarUrl: 'https://files.example/spaces/personal.png',
    accessType: 'Personal',
    archived: false,
    defaultProjectWorkflowId: standard,
    defaultTaskWorkflowId: standard,
  },
  {
    id: space,
    title: 'Studio',
    avatarUrl: 'https://files.example/spaces/studio.png',
    accessType: 'Public',
    archived: false,
    guestRoleId: 'IEAAAAAQNUAB5GST',
    defaultProjectWorkflowId: ofSpace,
    defaultTaskWorkflowId: ofSpace,
  },
];

const profileOf = (email: string, role = 'User', external = false) => ({
  accountId: account,
  email,
  role,
  external,
  admin: role === 'User' && email.startsWith('ada'),
  owner: role === 'User' && email.startsWith('ada'),
  active: true,
});

const contactOf = (id: string, firstName: string, lastName: string) => ({
  id,
  firstName,
  lastName,
  type: 'Person',
  profiles: [profileOf(`${firstName.toLowerCase()}@example.com`)],
  avatarUrl: `https://files.example/avatars/${id}.png`,
  timezone: 'Europe/Berlin',
  locale: 'en',
  deleted: false,
});

/** Sorted by name. */
const contacts: readonly Members[] = [
  {
    ...contactOf(ada, 'Ada', 'Okafor'),
    me: true,
    title: 'Editor',
    companyName: 'Example',
    phone: '+49 30 1234567',
    primaryEmail: 'ada@example.com',
  },
  { ...contactOf(ben, 'Ben', 'Lang'), primaryEmail: 'ben@example.com' },
  {
    id: team,
    firstName: 'Editors',
    lastName: '',
    type: 'Group',
    profiles: [
      { accountId: account, role: 'User', external: false, admin: false, owner: false, active: true },
    ],
    avatarUrl: 'https://files.example/avatars/group.png',
    timezone: 'Z',
    locale: 'en',
    deleted: false,
    memberIds: [ada, ben],
    myTeam: true,
  },
  {
    ...contactOf(bot, 'Publisher', 'Bot'),
    type: 'Robot',
    profiles: [profileOf('publisher@bots.example', 'Collaborator', true)],
    primaryEmail: 'publisher@bots.example',
  },
];

const fieldSettings = {
  inheritanceType: 'All',
  applicableEntityTypes: ['WorkItem'],
  readOnly: false,
};

const customfields: readonly Members[] = [
  {
    id: risk,
    accountId: account,
    title: 'Risk',
    type: 'DropDown',
    spaceId: space,
    sharedIds: [],
    sharing: {},
    description: '',
    archived: false,
    settings: {
      ...fieldSettings,
      values: ['Low', 'High'],
      options: [
        { value: 'Low', color: 'Green' },
        { value: 'High', color: 'Red' },
      ],
      optionColorsEnabled: true,
      allowOtherValues: false,
    },
  },
  {
    id: hours,
    accountId: account,
    title: 'Hours',
    type: 'Numeric',
    sharedIds: [],
    sharing: {},
    description: '',
    archived: false,
    settings: {
      ...fieldSettings,
      decimalPlaces: 2,
      useThousandsSeparator: false,
      currency: 'EUR',
      aggregation: 'Sum',
    },
  },
];

const statusOf = (id: string, name: string, group: string, color: string) => ({
  id,
  name,
  standardName: name === group,
  color,
  standard: name === group,
  group,
  hidden: false,
});

/** `GET /workflows` leaves out the last one, which belongs to a space. */
const workflows: readonly Members[] = [
  {
    id: standard,
    name: 'Default Workflow',
    standard: true,
    hidden: false,
    customStatuses: [
      statusOf(active, 'Active', 'Active', 'Blue'),
      statusOf(completed, 'Completed', 'Completed', 'Green'),
    ],
    description: '',
  },
  {
    id: ofSpace,
    name: 'Publishing',
    standard: false,
    hidden: false,
    customStatuses: [statusOf(inReview, 'In review', 'Active', 'Turquoise')],
    description: 'For all that is printed',
  },
];

/** Newest first. `attachmentIds` only by id and after a change, `type` only if `fields` names it. */
const comments: readonly Members[] = [
  {
    id: comment,
    authorId: ada,
    text: '<a class="stream-user-id avatar" rel="KUAAAAAB">&#64;Ben</a> it&#39;s done &#x1f44d;',
    updatedDate: '2026-10-08T02:00:00Z',
    createdDate: '2026-10-08T02:00:00Z',
    taskId: pages,
    attachmentIds: [picture],
    type: 'Regular',
  },
  {
    id: olderComment,
    authorId: ben,
    text: '1 &gt; 0',
    updatedDate: '2026-10-07T02:00:00Z',
    createdDate: '2026-10-07T02:00:00Z',
    taskId: pages,
    attachmentIds: [],
    type: 'Regular',
  },
];

/** With `plainText=true`. */
export const plainTexts: Readonly<Record<string, string>> = {
  [comment]: "@Ben it's done 👍",
  [olderComment]: '1 > 0',
};

/** By creation. The last members only if `fields` names them. */
const timelogs: readonly Members[] = [
  {
    id: timelog,
    taskId: pages,
    userId: ada,
    hours: 1.5,
    createdDate: '2026-10-07T03:00:00Z',
    updatedDate: '2026-10-07T03:00:00Z',
    trackedDate: '2026-10-07',
    comment: 'Proofreading',
    categoryId: 'IEAAAAAQJ7AB5CAT',
    exportStatus: 'NotExported',
    approvalStatus: 'NotSubmitted',
    billingType: 'NonBillable',
    lockStatus: 'Unlocked',
    finance: { currency: 'Euro' },
  },
  {
    id: secondTimelog,
    taskId: pages,
    userId: ben,
    hours: 2,
    createdDate: '2026-10-08T03:00:00Z',
    updatedDate: '2026-10-08T03:00:00Z',
    trackedDate: '2026-10-08',
    comment: '',
  },
];
export const requestedTimelogMembers = words('exportStatus approvalStatus billingType lockStatus finance');

/** `url` only with `withUrls`. */
const attachments: readonly Members[] = [
  {
    id: picture,
    authorId: ada,
    name: 'Cover page.png',
    createdDate: '2026-10-08T02:00:00Z',
    version: 1,
    type: 'Own',
    contentType: 'image/png',
    size: 2048,
    taskId: pages,
    commentId: comment,
    url: 'https://files.example/signed/Cover+page.png?signature=0123456789abcdef',
    width: 640,
    height: 480,
    originVersionId: picture,
  },
  {
    id: link,
    authorId: ben,
    name: 'Notes',
    createdDate: '2026-10-08T02:30:00Z',
    version: 1,
    type: 'Google',
    contentType: 'text/html',
    size: -1,
    taskId: pages,
    url: 'https://docs.example/notes',
    originVersionId: link,
  },
];

/** The same in every answer, by the kind of the answer. */
export const records = {
  tasks,
  folders,
  spaces,
  contacts,
  customfields,
  workflows,
  comments,
  timelogs,
  attachments,
  dependencies: [
    {
      id: dependency,
      predecessorId: pages,
      successorId: launch,
      relationType: 'FinishToStart',
      lagTime: 0,
    },
  ],
  /** As the contract has it. */
  accounts: [
    {
      id: account,
      name: 'Example',
      dateFormat: 'dd/MM/yyyy',
      firstDayOfWeek: 'Mon',
      workDays: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'],
      rootFolderId: root,
      recycleBinId: bin,
      createdDate: '2026-10-01T00:00:00Z',
      joinedDate: '2026-10-01T00:00:00Z',
    },
  ],
  version: [{ major: 4, minor: 0 }],
  asyncJob: [
    {
      id: ids.job,
      status: 'Completed',
      progressPercent: 100,
      totalCount: 1,
      processedCount: 1,
      type: 'Batch',
      result: {},
    },
  ],
  auditLog: [
    {
      id: 'IEAAAAAQKMAB5AU2',
      operation: 'TaskDeleted',
      userId: ada,
      userEmail: 'ada@example.com',
      eventDate: '2026-10-08T05:00:00Z',
      ipAddress: '192.0.2.7',
      objectType: 'Task',
      objectName: 'Old page',
      objectId: inBin,
      details: { from: 'Website' },
    },
  ],
  invitations: [
    {
      id: 'KXAAAAAE',
      accountId: account,
      firstName: 'Cleo',
      lastName: 'Adeyemi',
      email: 'cleo@example.com',
      status: 'Accepted',
      inviterUserId: ada,
      invitationDate: '2026-10-02T00:00:00Z',
      resolvedDate: '2026-10-03T00:00:00Z',
      role: 'User',
      external: false,
    },
  ],
  groups: [
    {
      id: team,
      accountId: account,
      title: 'Editors',
      memberIds: [ada, ben],
      childIds: [],
      parentIds: [],
      avatarUrl: 'https://files.example/avatars/group.png',
      myTeam: true,
      metadata: [],
    },
  ],
  /** As the contract has it. */
  webhooks: [
    { id: ids.webhook, accountId: account, hookUrl: 'https://hooks.example.com/first', status: 'Active' },
  ],
} as const satisfies Readonly<Record<string, readonly Members[]>>;

export type RecordedKind = keyof typeof records;

/** The parameters that each list takes; any other is rejected. All of them take `fields` or have none. */
export const listParameters: Readonly<Record<string, readonly string[]>> = {
  tasks: words(`
    pageSize nextPageToken fields descendants subTasks title permalink status customStatuses importance type
    authors responsibles createdDate updatedDate completedDate startDate dueDate scheduledDate metadata
    customField customFields billingTypes sortField sortOrder limit
  `),
  folders: words(`
    permalink descendants metadata customField updatedDate project title deleted contractTypes fields
  `),
  spaces: ['withArchived', 'userIsMember', 'fields'],
  contacts: words('me deleted metadata type name email active fields'),
  customfields: ['fields'],
  comments: words('plainText limit createdDate updatedDate fields'),
  timelogs: words('descendants subTasks trackedDate createdDate updatedDate me plainText fields'),
  attachments: ['versions', 'withUrls', 'createdDate'],
  auditLog: words('pageSize nextPageToken eventDate operations'),
};
