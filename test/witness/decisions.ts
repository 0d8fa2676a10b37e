// The contract's rules about requests, written a second time: when one may be rejected, and which assumptions an accepted one needs.
// decisions.test.ts compares random requests with them. Imports nothing of src/, so that a rejection that is wrongly called stated is
// found, and a tolerance without a name.

/** A parameter as it was sent: text of a query or form, or a value of a JSON body. */
export interface Sent {
  readonly name: string;
  readonly value: unknown;
  readonly isText: boolean;
}

type Violates = (sent: Sent) => boolean;

const parsed = ({ value, isText }: Sent): unknown => {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    // Bare lists are accepted by default; as JSON nothing else is.
    const inside = /^\s*\[(.*)\]\s*$/s.exec(value)?.[1];
    if (inside !== undefined && !/[{}]/.test(inside))
      return inside.split(',').map((item) => item.trim().replaceAll('"', ''));
    return isText ? new Error(value) : value;
  }
};

const isText = (value: unknown): value is string => typeof value === 'string';
const is = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Error);
const length = (text: string) => [...text].length;

const text =
  (most: number, notEmpty = false): Violates =>
  ({ value }) =>
    !isText(value) || length(value) > most || (notEmpty && value === '');
const word =
  (...words: readonly string[]): Violates =>
  ({ value }) =>
    !isText(value) || !words.includes(value);
const flag: Violates = ({ value, isText }) =>
  isText ? value !== 'true' && value !== 'false' : typeof value !== 'boolean';
const id =
  (pattern: RegExp): Violates =>
  ({ value }) =>
    !isText(value) || !pattern.test(value);
/** A lone id in a query stands for a list of one, by default. */
const list =
  (fits: (item: unknown) => boolean, most = Number.POSITIVE_INFINITY): Violates =>
  (sent) => {
    const value = parsed(sent);
    const items = Array.isArray(value) ? value : sent.isText && isText(sent.value) ? [sent.value] : undefined;
    return items === undefined || items.length > most || !items.every(fits);
  };
const json =
  (fits: (value: unknown) => boolean): Violates =>
  (sent) =>
    !fits(parsed(sent));

const eight = /^[A-Z0-9]{8}$/;
const sixteen = /^[A-Z0-9]{16}$/;
const long = /^[A-Za-z0-9\-_:.=]{1,256}$/;
const ids = (pattern: RegExp) => list((item) => isText(item) && pattern.test(item));
const only = (value: Record<string, unknown>, ...names: readonly string[]) =>
  Object.keys(value).every((name) => names.includes(name));
const optional = (value: unknown, fits: (value: unknown) => boolean) => value === undefined || fits(value);

function isDay(value: unknown): boolean {
  if (!isText(value) || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const time = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
}
const isSchedulingDate = (value: unknown) =>
  isText(value) &&
  isDay(value.slice(0, 10)) &&
  /^.{10}(T([01]\d|2[0-3]):[0-5]\d:[0-5]\d)?$/.test(value) &&
  value >= '1970-01-01' &&
  value < '2100-01-01';
const isNumber = (value: unknown) => typeof value === 'number';

function areDates(value: unknown): boolean {
  if (!is(value) || !only(value, 'type', 'start', 'due', 'duration', 'workOnWeekends')) return false;
  const { type, start, due, duration, workOnWeekends } = value;
  const planned = type === 'Planned' || start !== undefined;
  const least = planned && due === undefined ? 1 : 0;
  return (
    optional(type, (value) => ['Milestone', 'Backlog', 'Planned'].includes(String(value))) &&
    optional(start, isSchedulingDate) &&
    optional(due, isSchedulingDate) &&
    optional(duration, (value) => typeof value === 'number' && value >= least && value < 1_800_000) &&
    optional(workOnWeekends, (value) => typeof value === 'boolean')
  );
}

const isMetadata = (value: unknown) =>
  is(value) &&
  only(value, 'key', 'value') &&
  isText(value['key']) &&
  /^[A-Za-z0-9_-]{1,49}$/.test(value['key']) &&
  (value['value'] === null || (isText(value['value']) && length(value['value']) < 1_000));

const multipleField = 'IEAAAAAQJUAB5MUL';
const isCustomField = (value: unknown) =>
  is(value) &&
  only(value, 'id', 'value') &&
  isText(value['id']) &&
  sixteen.test(value['id']) &&
  (value['value'] === null ||
    (isText(value['value']) &&
      length(value['value']) <= 4_000 &&
      !value['value'].includes('\u0000') &&
      !value['value'].startsWith('\u0011') &&
      (value['id'] !== multipleField || /^\[.*\]$|^$/.test(value['value']))));

const isAllocation = (value: unknown) =>
  is(value) &&
  only(value, 'userId', 'placeholderId', 'dailyAllocation') &&
  optional(value['userId'], (assigneeId) => isText(assigneeId) && eight.test(assigneeId)) &&
  optional(value['placeholderId'], (assigneeId) => isText(assigneeId) && sixteen.test(assigneeId)) &&
  Array.isArray(value['dailyAllocation']) &&
  value['dailyAllocation'].every((day) => is(day) && isDay(day['date']) && isNumber(day['effortMinutes']));

const isEffort = (value: unknown) =>
  is(value) &&
  only(
    value,
    'mode',
    'dailyAllocationPercentage',
    'allocatedEffort',
    'totalEffort',
    'responsibleAllocation',
  ) &&
  ['Basic', 'Flexible', 'FullTime', 'None'].includes(String(value['mode'])) &&
  ['dailyAllocationPercentage', 'allocatedEffort', 'totalEffort'].every((name) =>
    optional(value[name], isNumber),
  ) &&
  optional(
    value['responsibleAllocation'],
    (all) => Array.isArray(all) && all.every((entry) => isAllocation(entry)),
  );

const onRequest = ['billingType', 'workScheduleId', 'effortAllocation', 'responsiblePlaceholderIds'];

/** Whether the value of a parameter of PUT /tasks/{taskId} is against the contract's letter. */
export const taskParameterViolations: Readonly<Record<string, Violates>> = {
  title: text(1_000, true),
  description: text(1_000_000),
  status: word('Active', 'Deferred', 'Completed', 'Cancelled'),
  importance: word('High', 'Low', 'Normal'),
  dates: json(areDates),
  addParents: (sent) => ids(long)(sent) || holdsBin(sent),
  removeParents: (sent) => ids(long)(sent) || holdsBin(sent),
  addShareds: ids(eight),
  removeShareds: ids(eight),
  addResponsibles: ids(eight),
  removeResponsibles: ids(eight),
  addResponsiblePlaceholders: ids(sixteen),
  removeResponsiblePlaceholders: ids(sixteen),
  addFollowers: ids(eight),
  follow: flag,
  priorityBefore: id(long),
  priorityAfter: id(long),
  addSuperTasks: ids(long),
  removeSuperTasks: ids(long),
  metadata: list(isMetadata, 100),
  customFields: list(isCustomField, 100),
  customStatus: id(sixteen),
  restore: flag,
  effortAllocation: json(isEffort),
  setResponsibleAllocation: list(isAllocation),
  billingType: word('Billable', 'NonBillable'),
  withInvitations: flag,
  convertToCustomItemType: id(sixteen),
  plainTextCustomFields: flag,
  workScheduleId: id(sixteen),
  fields: list((name) => onRequest.includes(String(name))),
};

function holdsBin(sent: Sent): boolean {
  return String(sent.value).includes('IEAAAAAQI7777776');
}

/** The same for a new webhook. `events`: the names that there are. */
export const webhookParameterViolations = (
  events: readonly string[],
): Readonly<Record<string, Violates>> => ({
  hookUrl: ({ value }) => !isText(value) || !/^https?:\/\/(127\.0\.0\.1:\d+|\[::1\]|hooks\.)/.test(value),
  secret: text(Number.POSITIVE_INFINITY, true),
  events: list((name) => events.includes(String(name))),
  recursive: flag,
  parameterisedEvents: list((entry) => {
    if (!is(entry) || !events.includes(String(entry['event']))) return false;
    const { event, fields = [], recurrent, customFields } = entry;
    if (!only(entry, 'event', 'fields', event === 'TaskCreated' ? 'recurrent' : 'customFields')) return false;
    if (customFields !== undefined && event !== 'TaskCustomFieldChanged') return false;
    if (recurrent !== undefined && typeof recurrent !== 'boolean') return false;
    return Array.isArray(fields) && !fields.includes('project');
  }),
  customItemTypes: ids(sixteen),
});

/** The rows that every accepted request of these depends on; one that is not here depends on none. */
export const operationRows: readonly (readonly [method: string, path: RegExp, row: string])[] = [
  ['DELETE', /^\/webhooks\/[^/]+$/, 'webhook-delete-response'],
  ['GET', /^\/contacts$/, 'contact-filters'],
  ['GET', /^\/audit_log$/, 'audit-log'],
  ['POST', /^\/batch$/, 'batch'],
  ['GET', /^\/async_job\/[^/]+$/, 'batch'],
  ['POST', /^\/(tasks|folders)\/[^/]+\/attachments$/, 'attach-file'],
  ['GET', /^\/ids$/, 'permalinks'],
  ['GET', /^\/invitations$/, 'invitations'],
  ['PUT', /^\/(tasks|folders)\/[^/]+(,|%2C)[^/]+$/i, 'several-records'],
  ['POST', /^\/(tasks|folders)\/[^/]+\/(comments|timelogs)$/, 'task-items'],
  ['GET', /^\/(tasks|folders)\/[^/]+\/(comments|timelogs|attachments)$/, 'task-items'],
  ['GET', /^\/attachments\/[^/]+\/(url|download)$/, 'file-contents'],
  ['GET', /^\/tasks\/[^/]+\/dependencies$/, 'task-dependencies'],
  ['POST', /^\/tasks\/[^/]+\/dependencies$/, 'task-dependencies'],
  ['DELETE', /^\/dependencies\/[^/]+$/, 'task-dependencies'],
  ['GET', /^\/(tasks|folders|spaces)\/[^/]+\/timelog_lock_periods$/, 'timelog-groups'],
  ['GET', /^\/(comments|timelogs|attachments)(\/[^/]+)?$/, 'task-items'],
  ['PUT', /^\/(comments|timelogs)\/[^/]+$/, 'task-items'],
  ['PUT', /^\/(dependencies|attachments)\/[^/]+$/, 'reference-endpoints'],
  ['GET', /^\/attachments\/[^/]+\/preview(\/[^/]+)?$/, 'reference-endpoints'],
  ['DELETE', /^\/(comments|timelogs|attachments)\/[^/]+$/, 'task-items'],
];
