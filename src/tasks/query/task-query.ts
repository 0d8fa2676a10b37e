// The request of `wm task list`, and the checks by wm itself. The service's filters are an assumption, so wm applies each of them
// to the records too: even if the service ignores a filter, the list is right.

import type { Context } from '#cli/context.ts';
import { resolveDate } from '#cli/relative-date.ts';
import { resolvePlace } from '#cli/resolve/resolve-place.ts';
import { createTextMatch } from '#cli/resolve/text-match.ts';
import { resolveSince } from '#cli/time-input.ts';
import type { PathArguments } from '#client/request.ts';
import { formatTimestamp } from '#contract/date.ts';
import type { Operation } from '#contract/operation.ts';
import type { Task } from '#contract/task.ts';
import type { TaskFilters, taskFilters } from '#contract/task-list.ts';
import { taskLists } from '#contract/task-list.ts';
import { usageError } from '#failure.ts';
import { resolveCustomField } from '../names/custom-field.ts';
import { createNameLists } from '../names/name-lists.ts';
import { resolveUsers } from '../names/user.ts';
import { type ListFlags, sortKeys } from './list-flags.ts';
import { resolveStatuses } from './resolve-statuses.ts';
import { choicesOf, type Filters, matchesAll, serviceFilters } from './task-filters.ts';

type ListOperation = Operation<typeof taskFilters, Task>;

export interface TaskQuery {
  readonly operation: ListOperation;
  readonly path: PathArguments;
  readonly parameters: TaskFilters;
  readonly matches: (task: Task) => boolean;
  /** True if `matches` checks more than the request does. */
  readonly isFilteredHere: boolean;
  /** Explains an empty list: what was searched, and how to search more. `read`: how many tasks the service returned. */
  readonly describeEmpty: (read: number) => string;
}

/** Looks up names. Throws a usage failure for flags that contradict each other, and for an unknown name. */
export async function resolveQuery(context: Context, flags: ListFlags): Promise<TaskQuery> {
  assertConsistent(flags);
  const now = context.world.clock.now();
  const lists = createNameLists(context.session);
  const [place, statuses, responsibles, fields = []] = await Promise.all([
    findPlace(context, flags),
    flags.status && resolveStatuses(lists, flags.status),
    flags.responsible && resolveUsers(lists, 'responsible', flags.responsible),
    flags.customField &&
      Promise.all(
        flags.customField.map((field) => ('id' in field ? field : resolveCustomField(lists, field, now))),
      ),
  ]);
  const dueBefore = flags.dueBefore === undefined ? undefined : resolveDate(flags.dueBefore, now);
  const dueAfter = flags.dueAfter === undefined ? undefined : resolveDate(flags.dueAfter, now);
  const { unassigned = false, metadata = [] } = flags;
  const since = flags.updatedSince === undefined ? undefined : resolveSince(flags.updatedSince, now);
  if (since !== undefined && since > now)
    throw usageError('--updated-since is in the future', 'Give a past date, such as 7d or yesterday.');
  const updatedSince = since === undefined ? undefined : formatTimestamp(since);
  const sort = flags.sort === undefined ? undefined : sortKeys[flags.sort];
  const filters: Filters = {
    statuses,
    responsibles,
    unassigned,
    dueBefore,
    dueAfter,
    metadata,
    fields,
    updatedSince,
    hasTitle: createTextMatch(flags.title),
  };
  return {
    ...place,
    parameters: {
      ...(flags.recursive && { descendants: true }),
      ...serviceFilters(filters),
      ...(sort && { sortField: sort.field, sortOrder: flags.reverse ? opposite[sort.order] : sort.order }),
      fields: [
        'responsibleIds',
        ...(metadata.length > 0 ? (['metadata'] as const) : []),
        ...(fields.length > 0 ? (['customFields'] as const) : []),
      ],
    },
    matches: (task) => matchesAll(task, filters),
    isFilteredHere:
      flags.title !== undefined ||
      unassigned ||
      metadata.length > 1 ||
      fields.length > 1 ||
      fields.some(({ value }) => choicesOf(value) !== undefined) ||
      // The service includes both ends.
      dueBefore !== undefined ||
      dueAfter !== undefined ||
      statuses?.isFilteredHere === true,
    describeEmpty: (read) => describeEmpty(flags, filters, read),
  };
}

function describeEmpty(flags: ListFlags, filters: Filters, read: number): string {
  const conditions = describeConditions(flags, filters);
  const isInPlace = flags.folder !== undefined || flags.space !== undefined;
  return [
    conditions.length === 0 ? 'No tasks that you can see.' : `No tasks ${conditions.join(', ')}.`,
    ...(read === 0 ? [] : [`Searched ${read.toLocaleString('en')} ${read === 1 ? 'task' : 'tasks'}.`]),
    ...(isInPlace && flags.recursive !== true
      ? ['The folders below were not searched: --recursive includes them.']
      : []),
  ].join('\n');
}

const opposite = { Asc: 'Desc', Desc: 'Asc' } as const;

function assertConsistent(flags: ListFlags): void {
  const { folder, space, recursive, reverse, sort, unassigned, responsible } = flags;
  if (unassigned === true && responsible !== undefined)
    throw usageError('--unassigned and --responsible exclude each other');
  if (folder !== undefined && space !== undefined)
    throw usageError('--folder and --space exclude each other', 'Give only the folder: it is in one space.');
  if (recursive === true && folder === undefined && space === undefined)
    throw usageError(
      '--recursive needs --folder or --space',
      'Without them, wm lists all tasks that you can see.',
    );
  if (reverse === true && sort === undefined)
    throw usageError('--reverse needs --sort', 'For example: --sort due --reverse');
}

async function findPlace(
  context: Context,
  { folder, space }: ListFlags,
): Promise<Pick<TaskQuery, 'operation' | 'path'>> {
  if (folder !== undefined) {
    const folderId = await resolvePlace(context, folder, 'folder');
    return { operation: taskLists.listFolderTasks, path: { folderId } };
  }
  if (space !== undefined) {
    const spaceId = await resolvePlace(context, space, 'space');
    return { operation: taskLists.listSpaceTasks, path: { spaceId } };
  }
  return { operation: taskLists.listTasks, path: {} };
}

function describeConditions(
  flags: ListFlags,
  { dueBefore, dueAfter, updatedSince }: Filters,
): readonly string[] {
  return [
    ...(flags.folder === undefined ? [] : [`in the folder ${JSON.stringify(flags.folder)}`]),
    ...(flags.space === undefined ? [] : [`in the space ${JSON.stringify(flags.space)}`]),
    ...(flags.status === undefined ? [] : [`with status ${flags.status.join(' or ')}`]),
    ...(flags.responsible === undefined ? [] : [`assigned to ${flags.responsible.join(' or ')}`]),
    ...(flags.unassigned ? ['without an assignee'] : []),
    ...(flags.metadata ?? []).map(
      ({ key, value }) => `with metadata ${key}${value === undefined ? '' : `=${value}`}`,
    ),
    ...(flags.customField ?? []).map(
      (field) =>
        `with custom field ${'id' in field ? field.id : field.title}${field.value === null ? '' : `=${field.value}`}`,
    ),
    ...(flags.title === undefined ? [] : [`with ${JSON.stringify(flags.title)} in the title`]),
    ...(dueBefore === undefined ? [] : [`due before ${dueBefore}`]),
    ...(dueAfter === undefined ? [] : [`due after ${dueAfter}`]),
    ...(updatedSince === undefined ? [] : [`updated since ${updatedSince}`]),
  ];
}
