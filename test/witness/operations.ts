// Every endpoint that the contract names, the authorization endpoints with their parameters, and the closed
// lists and numbers: scopes, kinds, identifiers, limits, lifetimes, addresses of deliveries. Allowed HTML is in html.ts.
// null always means "not shown". Records are in records.ts, events in events.ts, errors in errors.ts.

import { taskParameters } from './task-update.ts';
import { words } from './words.ts';

export interface OperationRow {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the base address, which ends in /api/v4. */
  readonly path: string;
  /** `kind` of the answer. */
  readonly kind: string | null;
  /** A token needs one of them. */
  readonly scopes: readonly string[] | null;
  readonly parameters: readonly string[] | null;
}

/** What `fields` of the task update may hold. */
export const taskFieldNames = words('billingType workScheduleId effortAllocation responsiblePlaceholderIds');

type Written = readonly [
  method: OperationRow['method'],
  path: string,
  kind: OperationRow['kind'],
  scopes: OperationRow['scopes'],
  parameters: OperationRow['parameters'],
];

const hookParameters = 'hookUrl secret events parameterisedEvents customItemTypes';
const hookParametersBelow = 'hookUrl secret events recursive parameterisedEvents customItemTypes';

const written: readonly Written[] = [
  ['PUT', '/tasks/{taskId}', 'tasks', words('Default wsReadWrite'), taskParameters.map(({ name }) => name)],
  ['POST', '/webhooks', 'webhooks', null, words(hookParameters)],
  ['POST', '/folders/{folderId}/webhooks', 'webhooks', null, words(hookParametersBelow)],
  ['POST', '/spaces/{spaceId}/webhooks', 'webhooks', null, words(hookParametersBelow)],
  ['GET', '/webhooks', 'webhooks', null, []],
  ['GET', '/webhooks/{webhookId},{webhookId},...', 'webhooks', null, []],
  ['PUT', '/webhooks/{webhookId}', 'webhooks', null, ['status']],
  ['DELETE', '/webhooks/{webhookId}', null, null, []],
  ['GET', '/contacts', null, null, words('me email name type active deleted metadata')],
  ['GET', '/account', null, null, null],
  ['GET', '/customfields', null, null, null],
  ['GET', '/spaces/{spaceId}/customfields', null, null, null],
  ['GET', '/spaces/{spaceId}/workflows', null, null, null],
  ['GET', '/spaces', null, null, null],
  ['GET', '/folders', null, null, null],
  ['GET', '/audit_log', null, null, null],
  ['POST', '/batch', null, null, null],
];

export const operations: readonly OperationRow[] = written.map(
  ([method, path, kind, scopes, parameters]) => ({ method, path, kind, scopes, parameters }),
);

/** Version 4 paths that are named as having lost the account of version 3. Their methods are not shown. */
export const accountlessPaths = words(`
  /folders /contacts /groups /invitations /workflows /customfields /tasks /comments /timelogs
  /timelog_categories /attachments /account
`);

/** Members of every answer that is not an error. */
export const answerFields: readonly string[] = ['kind', 'data'];

/** What creating a webhook takes, and for which kinds of webhook. */
export const webhookParameters: readonly {
  readonly name: string;
  readonly required: boolean;
  readonly appliesTo: readonly ('account' | 'folder' | 'space')[];
}[] = [
  { name: 'hookUrl', required: true, appliesTo: ['account', 'folder', 'space'] },
  { name: 'secret', required: false, appliesTo: ['account', 'folder', 'space'] },
  { name: 'events', required: false, appliesTo: ['account', 'folder', 'space'] },
  { name: 'recursive', required: false, appliesTo: ['folder', 'space'] },
  { name: 'parameterisedEvents', required: false, appliesTo: ['account', 'folder', 'space'] },
  { name: 'customItemTypes', required: false, appliesTo: ['account', 'folder', 'space'] },
];

/** `sometimes`: required only under a condition that is told beside it. null: not shown. */
export interface AuthorizationParameter {
  readonly name: string;
  readonly required: 'yes' | 'no' | 'sometimes' | null;
  readonly fixed?: string;
}

export interface AuthorizationRow {
  readonly name: 'authorize' | 'exchange' | 'refresh' | 'convert';
  readonly method: 'GET' | 'POST';
  /** Below the authorization address, not the API's. */
  readonly path: string;
  readonly in: 'query' | 'form';
  readonly parameters: readonly AuthorizationParameter[];
}

export const authorization: readonly AuthorizationRow[] = [
  {
    name: 'authorize',
    method: 'GET',
    path: '/oauth2/authorize/v4',
    in: 'query',
    parameters: [
      { name: 'client_id', required: 'yes' },
      { name: 'response_type', required: 'yes', fixed: 'code' },
      // Required when the application has several callback addresses.
      { name: 'redirect_uri', required: 'sometimes' },
      { name: 'state', required: 'no' },
      { name: 'scope', required: 'no' },
    ],
  },
  {
    name: 'exchange',
    method: 'POST',
    path: '/oauth2/token',
    in: 'form',
    parameters: [
      { name: 'client_id', required: 'yes' },
      { name: 'client_secret', required: 'yes' },
      { name: 'grant_type', required: 'yes', fixed: 'authorization_code' },
      { name: 'code', required: 'yes' },
      // Required, and the same, when the authorize request had one.
      { name: 'redirect_uri', required: 'sometimes' },
    ],
  },
  {
    name: 'refresh',
    method: 'POST',
    path: '/oauth2/token',
    in: 'form',
    parameters: [
      { name: 'client_id', required: 'yes' },
      { name: 'client_secret', required: 'yes' },
      { name: 'grant_type', required: 'yes', fixed: 'refresh_token' },
      { name: 'refresh_token', required: 'yes' },
      { name: 'scope', required: 'no' },
    ],
  },
  {
    name: 'convert',
    method: 'POST',
    path: '/oauth2/convert_v3_token',
    in: 'form',
    parameters: [
      { name: 'refresh_token', required: null },
      { name: 'accountId', required: null },
    ],
  },
];

/** The separator of scopes in one request; scopes are case-sensitive. */
export const scopeSeparator = ',';

export const scopes = words(`
  Default wsReadOnly wsReadWrite amReadOnlyWorkflow amReadWriteWorkflow amReadOnlyInvitation
  amReadWriteInvitation amReadOnlyGroup amReadWriteGroup amReadOnlyUser amReadWriteUser
`);

/** The default scope stands for these. */
export const defaultScopeHolds: readonly string[] = ['wsReadWrite', 'amReadOnlyWorkflow'];

/** Seconds; null never expires. A refresh token lives until it is used, which is once. */
export const lifetimes: readonly { readonly name: string; readonly seconds: number | null }[] = [
  { name: 'authorization code', seconds: 600 },
  { name: 'access token', seconds: 3600 },
  { name: 'permanent token', seconds: null },
  { name: 'v3 token, once its v4 successor is issued', seconds: 86400 },
];

/** The enum of `kind`, all 110. */
export const kinds = words(`
  accounts users contacts assets eDiscoveryReport folders folderTree tasks taskIds timelogs
  timelogCategories timelogLockPeriods timetrackerTimers comments attachments url version dataExport
  dataExportSchema auditLog accessRoles stream changes posts mailSettings integrationInfo
  gmailIntegrationSettings workTypesForIntegrations ids backups domains dependencies workflows workschedules
  workscheduleExclusions workscheduleUserExclusions customfields customfieldIds customstatuses invitations
  notifications jobroles placeholders groups session dashboards widgets taskCreationSettings colors
  experiments topics topicComments webhooks reviews boards textSearch chatChannels chatMessages forms
  requestForms request report platformWidgets platformWidgetInstances spaces pdf customerSatisfaction
  asyncJob approvals highlights highlightsList highlightsSettings highlightsCard timesheet timesheetRow
  timesheetSubmissionRule mobileFeatures mobileSettings folderBlueprintTree taskBlueprintTree feedback
  timeline_snapshot contactIds bookings integrateThreshold hourlyRatesProvision hourlyRates
  projectTeamMembers contactsHistory tasksHistory foldersHistory activityDigest workItemTemplates
  workTemplates workItemMetadata workItem customItemTypes verificationCode views listView tableView
  userTypes reactions externalRequesters workscheduleCapacityOverrides userCapacityOverrides
  userCapacityExclusions rollups requestFormPrefill cascadingFieldSettings
`);

/** The last part of every base address. */
export const versionPath = '/api/v4';

/** Where deliveries come from. */
export const deliveryRanges: readonly { readonly dataCentre: string; readonly ranges: readonly string[] }[] =
  [
    { dataCentre: 'US', ranges: ['160.19.162.0/23', '34.73.3.211/32'] },
    { dataCentre: 'US2', ranges: ['35.196.104.95/32', '34.72.158.28/32'] },
    { dataCentre: 'EU', ranges: ['185.157.64.0/22', '146.148.2.222/32'] },
  ];

/** Answers that make a delivery a success. */
export const deliverySuccess: readonly number[] = [200, 201, 202, 204];

/** The 4xx answers that are tried again; every other 4xx suspends the webhook at once. */
export const deliveryRetryable4xx: readonly number[] = [408, 429];

export interface IdentifierRow {
  readonly types: readonly string[];
  /** Source of a regular expression over the whole text. */
  readonly pattern: string;
  readonly good: readonly string[];
  readonly bad: readonly string[];
}

export const identifiers: readonly IdentifierRow[] = [
  {
    types: ['AccountId', 'UserId'],
    pattern: '^[A-Z0-9]{8}$',
    good: ['KUAAAAAA', '00000000', 'ZZZZZZZ9'],
    bad: ['', ...words('KUAAAAA KUAAAAAAA kuaaaaaa KUAAAA-A KUAAAAAÉ'), 'KUAAAA A', 'KUAAAAAA\n', ' KUAAAAA'],
  },
  {
    types: ['CustomFieldId', 'EntityTypeId', 'PlaceholderId', 'CustomStatusId', 'WorkScheduleId'],
    pattern: '^[A-Z0-9]{16}$',
    good: ['IEAAAAAQJUAAAAAA', '0123456789ABCDEF'],
    bad: [
      ...['', 'IEAAAAAQJUAAAAA', 'IEAAAAAQJUAAAAAAA', 'ieaaaaaqjuaaaaaa', 'IEAAAAAQJUAAAA_A'],
      ...['IEAAAAAQJUAAAAA ', 'IEAAAAAQJUAAAAAA\n'],
    ],
  },
  {
    types: ['TaskId', 'FolderId', 'DependencyId'],
    pattern: '^[A-Za-z0-9_:.=-]{1,256}$',
    good: ['a', 'IEAAAAAQKQAB5BNG', 'lower-Case_:.=', '-', 'x'.repeat(256)],
    bad: ['', 'x'.repeat(257), 'IEAA AAAQ', 'a/b', 'a+b', 'a,b', 'é', 'a\n', 'a%20b', '"a"'],
  },
];

/** The rows of the contract's table of limits, as numbers. `below` is the first number that is too much. */
export const limits = {
  metadataEntries: { max: 100 },
  metadataKey: { below: 50, pattern: '^[A-Za-z0-9_-]+$' },
  metadataValue: { below: 1000 },
  customFieldEntries: { max: 100 },
  customFieldValue: { max: 4000 },
  duration: { min: 0, below: 1800000 },
  durationOfPlannedWithoutDue: { min: 1, below: 1800000 },
  startAndDue: { from: '1970-01-01T00:00:00', before: '2100-01-01T00:00:00' },
  webhookIdsPerGet: { max: 100 },
  batchOperations: { max: 100 },
  title: { min: 1, max: 1000 },
  description: { max: 1000000 },
  comment: { max: 10000 },
  authorizationCodeMinutes: 10,
  accessTokenSeconds: 3600,
  deliveryAttempts: 3,
  hookUrlPorts: [80, 443],
  descriptionEventDelayMinutes: 5,
} as const;

/** Leap years: those of four, but of centuries only those of four hundred. */
export const calendar = {
  days: ['2028-02-29', '2027-02-28', '2000-02-29', '2026-01-31', '2026-04-30', '2026-12-31'],
  none: [
    ...['2028-02-30', '2027-02-29', '2026-01-32', '2026-04-31', '2026-06-31', '2026-09-31', '2026-11-31'],
    ...['2026-00-10', '2026-13-10', '2026-05-00'],
  ],
  /** Outside what start and due may be. */
  farDays: ['1969-12-31', '2100-01-01', '1600-02-29', '2400-02-29', '0001-01-01', '9999-12-31'],
  farNone: ['1900-02-29', '2100-02-29', '2200-02-29', '1800-02-29'],
} as const;

/** Minutes of a day of work. */
export const minutesPerDay = 480;

/** Longest challenge that a receiver should answer. */
export const challengeMax = 100;

export const hookUrlProtocols: readonly string[] = ['http', 'https'];

/** Forbidden in custom field values: the first anywhere, the second as first character. */
export const customFieldForbidden = { anywhere: '\u0000', atStart: '\u0011' } as const;

/** How each parameter for creating a webhook looks on the wire, in a form body, before URI-encoding. */
export const webhookParameterTexts: readonly {
  readonly name: string;
  readonly value: unknown;
  readonly texts: readonly [written: string, ...alsoRead: string[]];
}[] = [
  { name: 'hookUrl', value: 'https://example.com/hook', texts: ['https://example.com/hook'] },
  { name: 'secret', value: 'se"cret', texts: ['se"cret'] },
  {
    name: 'events',
    value: ['TaskCreated', 'CommentAdded'],
    texts: ['["TaskCreated","CommentAdded"]', '[TaskCreated,CommentAdded]'],
  },
  { name: 'recursive', value: true, texts: ['true'] },
  {
    name: 'parameterisedEvents',
    value: [{ event: 'TaskCreated', recurrent: true, fields: ['title'] }],
    texts: ['[{"event":"TaskCreated","recurrent":true,"fields":["title"]}]'],
  },
  { name: 'customItemTypes', value: ['IEAAAAAQJUAAAAAA'], texts: ['["IEAAAAAQJUAAAAAA"]'] },
];

/** Where the parameters of a request go; without a row, in the query. */
export const formRequests: readonly string[] = [
  'POST /folders/{folderId}/tasks',
  'POST /folders/{folderId}/folders',
  'POST /tasks/{taskId}/comments',
  'POST /tasks/{taskId}/timelogs',
  'POST /batch',
  'POST /webhooks',
  'POST /folders/{folderId}/webhooks',
  'POST /spaces/{spaceId}/webhooks',
];

/** No scope stands for more than these: [scope, what it holds]. The default scope has no access to invitations. */
export const scopesHeld: readonly (readonly [string, readonly string[]])[] = [
  ['Default', ['wsReadWrite', 'wsReadOnly', 'amReadOnlyWorkflow']],
  ['wsReadOnly', []],
  ['wsReadWrite', ['wsReadOnly']],
  ['amReadOnlyWorkflow', []],
  ['amReadWriteWorkflow', ['amReadOnlyWorkflow']],
  ['amReadOnlyInvitation', []],
  ['amReadWriteInvitation', ['amReadOnlyInvitation']],
  ['amReadOnlyGroup', []],
  ['amReadWriteGroup', ['amReadOnlyGroup']],
  ['amReadOnlyUser', []],
  ['amReadWriteUser', ['amReadOnlyUser']],
];
