// The filters of a list of tasks. The service's filters are an assumption, so wm checks the records too: even if the service ignores a
// filter, the list is right. If a record lacks a member, the service's filter is trusted, unless the request had no such filter.

import { findByName, nameNotFound } from '#cli/resolve/match-name.ts';
import { createTextMatch } from '#cli/resolve/text-match.ts';
import { formatTimestamp } from '#contract/date.ts';
import { isIdentifier } from '#contract/identifier.ts';
import { parseJsonIfValid } from '#contract/json.ts';
import type { Workflow } from '#contract/read-only-records.ts';
import { unlessInvalid } from '#contract/schema.ts';
import { type Task, taskStatus } from '#contract/task.ts';
import type { TaskFilters } from '#contract/task-list.ts';
import { resolveDate } from '#dates/relative-date.ts';
import { resolveSince } from '#dates/time-input.ts';
import { usageError } from '#failure.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { resolveCustomField } from '../names/custom-field.ts';
import { listStatuses, type NamedStatus } from '../names/custom-status.ts';
import type { NameLists } from '../names/name-lists.ts';
import { resolveUsers } from '../names/user.ts';
import type { ListFlags } from './list-flags.ts';

export interface TaskFilter {
  /** `due before 2026-12-31`, one for each condition. */
  readonly conditions: readonly string[];
  /** Wider than the flag where the service's own filter would leave out matching tasks, or is unknown. */
  readonly request?: TaskFilters;
  readonly matches: (task: Task) => boolean;
  /** True if `matches` checks more than the request does. */
  readonly isFilteredHere?: boolean;
  /** What the check reads, if a response may omit it. */
  readonly field?: 'metadata' | 'customFields';
}

/** In the order in which they are named. Throws a usage failure for a future date and for an unknown name. */
export async function resolveFilters(
  lists: NameLists,
  { status, responsible, unassigned, metadata, customField, title, updatedSince, ...due }: ListFlags,
  now: number,
): Promise<readonly TaskFilter[]> {
  const filters = await Promise.all([
    status && filterByStatus(lists, status),
    responsible && filterByResponsible(lists, responsible),
    unassigned ? unassignedOnly : undefined,
    metadata && filterByMetadata(metadata),
    customField && filterByCustomField(lists, customField, now),
    title === undefined ? undefined : filterByTitle(title),
    filterByDue(due, now),
    updatedSince === undefined ? undefined : filterByUpdate(updatedSince, now),
  ]);
  return filters.filter((filter) => filter !== undefined);
}

/** Statuses and custom statuses; a custom status by name stands for all statuses with that name. Throws for an unknown name. */
async function filterByStatus(lists: NameLists, statuses: readonly string[]): Promise<TaskFilter> {
  const conditions = [`with status ${statuses.join(' or ')}`];
  const groups = new Set(statuses.flatMap((status) => toGroup(status) ?? []));
  const customStatuses = statuses.filter((status) => toGroup(status) === undefined);
  if (customStatuses.length === 0)
    return {
      conditions,
      request: { status: [...groups] },
      matches: ({ status }) => status === undefined || statuses.includes(status),
    };
  const areKnown = (workflows: readonly Workflow[]) =>
    customStatuses.every((status) => matchStatuses(listStatuses(workflows), status).length > 0);
  const listed = listStatuses(await lists.workflows(areKnown));
  const found = customStatuses.flatMap((status) => findStatuses(listed, status));
  const ids = new Set(found.map(({ id }) => id));
  const customGroups = found.flatMap(({ group }) => toGroup(group) ?? []);
  return {
    conditions,
    // If the group of a custom status is unknown, the service would leave its tasks out.
    request: customGroups.length < found.length ? {} : { status: [...new Set([...groups, ...customGroups])] },
    matches: ({ status, customStatusId }) =>
      (status !== undefined && statuses.includes(status)) ||
      (customStatusId !== undefined && ids.has(customStatusId)),
    isFilteredHere: true,
  };
}

const toGroup = (status: string | undefined) => unlessInvalid(() => taskStatus.validate(status));

/** By id, else by name, else by group. */
function matchStatuses(listed: readonly NamedStatus[], idOrName: string): readonly NamedStatus[] {
  const byId = listed.filter(({ id }) => id === idOrName);
  if (byId.length > 0) return byId;
  const byName = findByName(listed, idOrName, ({ name }) => name);
  return byName.length > 0 ? byName : findByName(listed, idOrName, ({ group }) => group);
}

/** An unlisted id is valid too: tasks keep a status that was removed from its workflow. */
function findStatuses(
  listed: readonly NamedStatus[],
  idOrName: string,
): readonly Pick<NamedStatus, 'id' | 'group'>[] {
  const found = matchStatuses(listed, idOrName);
  if (found.length > 0) return found;
  if (isIdentifier('CustomStatusId', idOrName)) return [{ id: idOrName, group: undefined }];
  const names = [...new Set([...taskStatus.choices, ...listed.flatMap(({ name }) => name || [])])];
  throw nameNotFound('status', idOrName, 'a status', names);
}

async function filterByResponsible(lists: NameLists, users: readonly string[]): Promise<TaskFilter> {
  const responsibles = await resolveUsers(lists, 'responsible', users);
  return {
    conditions: [`assigned to ${users.join(' or ')}`],
    request: { responsibles },
    matches: ({ responsibleIds }) =>
      responsibleIds === undefined || responsibles.some((id) => responsibleIds.includes(id)),
  };
}

const unassignedOnly: TaskFilter = {
  conditions: ['without an assignee'],
  matches: ({ responsibleIds }) => responsibleIds?.length === 0,
  isFilteredHere: true,
};

/** The service filters by one entry. */
function filterByMetadata(entries: NonNullable<ListFlags['metadata']>): TaskFilter {
  const [first] = entries;
  return {
    conditions: entries.map(
      ({ key, value }) => `with metadata ${key}${value === undefined ? '' : `=${value}`}`,
    ),
    request: omitUndefined({ metadata: first }),
    matches: ({ metadata }) =>
      (metadata === undefined && entries.length < 2) ||
      entries.every(({ key, value }) =>
        metadata?.some((entry) => entry.key === key && (value === undefined || entry.value === value)),
      ),
    isFilteredHere: entries.length > 1,
    field: 'metadata',
  };
}

/** The service filters by one field. A value of null stands for any value. */
async function filterByCustomField(
  lists: NameLists,
  typed: NonNullable<ListFlags['customField']>,
  now: number,
): Promise<TaskFilter> {
  const fields = await Promise.all(
    typed.map((field) => ('id' in field ? field : resolveCustomField(lists, field, now))),
  );
  const [first] = fields;
  // How the service filters by some of several choices or users is unknown, so then it filters by the field only.
  const hasChoices = (value: string | null) => choicesOf(value) !== undefined;
  const isAnyValue = !first || first.value === null || hasChoices(first.value);
  return {
    conditions: typed.map((field) => {
      const name = 'id' in field ? field.id : field.title;
      return `with custom field ${name}${field.value === null ? '' : `=${field.value}`}`;
    }),
    request: omitUndefined({
      customField: first && { id: first.id, ...(isAnyValue ? {} : { value: first.value }) },
    }),
    matches: ({ customFields }) =>
      (customFields === undefined && fields.length < 2) ||
      fields.every(({ id, value }) =>
        customFields?.some((field) => field.id === id && hasValue(field.value, value)),
      ),
    isFilteredHere: fields.length > 1 || fields.some(({ value }) => hasChoices(value)),
    field: 'customFields',
  };
}

/** The choices of a field that has several, or the ids of its users, which a value has with commas between them. */
function choicesOf(value: string | null): readonly unknown[] | undefined {
  const users = value?.split(',');
  if (users?.every((id) => isIdentifier('UserId', id))) return users;
  const list = value?.startsWith('[') ? parseJsonIfValid(value) : undefined;
  return Array.isArray(list) ? list : undefined;
}

/** True if the field has the value, or all of the requested choices: no choice is a value of its own. */
function hasValue(value: string, requested: string | null): boolean {
  if (requested === null || value === requested) return true;
  const [requestedChoices = [], choices = []] = [choicesOf(requested), choicesOf(value)];
  return requestedChoices.length > 0 && requestedChoices.every((choice) => choices.includes(choice));
}

function filterByTitle(text: string): TaskFilter {
  const hasText = createTextMatch(text);
  return {
    conditions: [`with ${JSON.stringify(text)} in the title`],
    matches: ({ title }) => hasText(title),
    isFilteredHere: true,
  };
}

/** The service may include the end; `wm` compares as text, in which a day is before its own times. */
async function filterByDue({ dueBefore, dueAfter }: ListFlags, now: number): Promise<TaskFilter | undefined> {
  if (dueBefore === undefined && dueAfter === undefined) return undefined;
  const before = dueBefore === undefined ? undefined : resolveDate(dueBefore, now);
  const after = dueAfter === undefined ? undefined : resolveDate(dueAfter, now);
  return {
    conditions: [
      ...(before === undefined ? [] : [`due before ${before}`]),
      ...(after === undefined ? [] : [`due after ${after}`]),
    ],
    request: { dueDate: omitUndefined({ start: after, end: before }) },
    matches: ({ dates }) =>
      dates === undefined ||
      (dates.due !== undefined &&
        (before === undefined || dates.due < before) &&
        (after === undefined || isAfter(dates.due, after))),
    isFilteredHere: true,
  };
}

/** A day as a whole: none of its times is after it. */
function isAfter(due: string, date: string): boolean {
  const isDay = date.length === '2026-12-31'.length;
  return isDay ? due.slice(0, date.length) > date : due > date;
}

/** Throws a usage failure for a future date. */
async function filterByUpdate(since: string, now: number): Promise<TaskFilter> {
  const at = resolveSince(since, now);
  if (at > now)
    throw usageError('--updated-since is in the future', 'Give a past date, such as 7d or yesterday.');
  const start = formatTimestamp(at);
  return {
    conditions: [`updated since ${start}`],
    request: { updatedDate: { start } },
    matches: ({ updatedDate }) => updatedDate === undefined || updatedDate >= start,
  };
}
