// Names in place of ids, on a terminal: users, custom statuses, folders, custom fields. Each list is read at most once, and
// only if a task has such an id. If a name cannot be read in time, its id is shown: names are a convenience.

import type { Context } from '#cli/context.ts';
import { createCommandSession, type SessionContext } from '#cli/create-session.ts';
import { fullName } from '#cli/identity.ts';
import type { Task } from '#contract/task.ts';
import type { ReportedRecords } from '#terminal/report.ts';
import { createNameLists, type NameLists } from '../names/name-lists.ts';
import {
  type FieldOnRequest,
  idsOnly,
  type NameOf,
  type TaskNames,
  taskColumnsWith,
  taskLinesWith,
  withFields,
} from './columns.ts';

const noName: NameOf = () => undefined;

const timeLimitMs = 3000;
/** The command itself has already printed any messages about the sign-in. */
const silent = { isQuiet: true, info: () => {}, warn: () => {} };

interface NamedItem {
  readonly id: string;
  readonly name?: string | undefined;
  readonly title?: string | undefined;
}

const nameKinds = ['user', 'customStatus', 'folder', 'customField'] as const;
/** The names that can replace ids. */
type NameKind = (typeof nameKinds)[number];

/** Never rejects. Looks nothing up without a terminal or with --json. */
export function readNames(
  context: SessionContext & Pick<Context, 'report'>,
  tasks: readonly Task[],
  shownOn: 'output' | 'errors' = 'output',
): Promise<TaskNames> {
  return createNameReader(context, shownOn)(tasks);
}

/** The same for tasks that arrive in batches: each list is read once for all of them. `kinds`: the names that are shown. */
export function createNameReader(
  context: SessionContext & Pick<Context, 'report'>,
  shownOn: 'output' | 'errors' = 'output',
  kinds: readonly NameKind[] = nameKinds,
): (tasks: readonly Task[]) => Promise<TaskNames> {
  const { world, report } = context;
  // Standard error never has JSON, so it may show names.
  if ((shownOn === 'output' && report.wantsJson) || !world.streams[shownOn].isTerminal)
    return async () => idsOnly;
  const nameLists = quietLists(context);
  const lookups = new Map<NameKind, Promise<NameOf>>();
  const lists: { readonly [K in NameKind]: () => Promise<readonly NamedItem[]> } = {
    user: async () =>
      (await nameLists.contacts()).map((contact) => ({ id: contact.id, name: fullName(contact) })),
    customStatus: () => listNamedStatuses(nameLists),
    folder: () => nameLists.folders(),
    customField: () => nameLists.customFields(),
  };
  return async (tasks) => {
    const read = (kind: NameKind): Promise<NameOf> | NameOf => {
      const earlier = lookups.get(kind);
      if (earlier) return earlier;
      if (!kinds.includes(kind) || !tasks.some((task) => hasIds(task, kind))) return noName;
      const lookup = lookUpOrNone(lists[kind]);
      lookups.set(kind, lookup);
      return lookup;
    };
    const [user, customStatus, folder, customField] = await Promise.all([
      read('user'),
      read('customStatus'),
      read('folder'),
      read('customField'),
    ]);
    return { user, customStatus, folder, customField, readableDurations: true };
  };
}

/** Tasks with the columns that a report prints of them: with names on a terminal. */
export async function withNames(
  context: SessionContext & Pick<Context, 'report'>,
  { records, raw }: Pick<ReportedRecords<Task>, 'records' | 'raw'>,
  fields: readonly FieldOnRequest[] | undefined,
): Promise<ReportedRecords<Task>> {
  const names = await readNames(context, records);
  const columns = withFields(taskColumnsWith(names), fields);
  return { columns, details: withFields(taskLinesWith(names), fields), records, raw };
}

function hasIds(task: Task, kind: NameKind): boolean {
  const { responsibleIds = [], followerIds = [], parentIds = [], customFields = [] } = task;
  switch (kind) {
    case 'user':
      return responsibleIds.length + followerIds.length > 0;
    case 'customStatus':
      return task.customStatusId !== undefined;
    case 'folder':
      return parentIds.length > 0;
    case 'customField':
      return customFields.length > 0;
  }
}

/** The names of custom statuses for a pipe, without ids; read once, if a task has one. Never rejects. */
export function createStatusReader(context: SessionContext): (tasks: readonly Task[]) => Promise<NameOf> {
  let lookup: Promise<NameOf> | undefined;
  return async (tasks) => {
    if (!lookup && !tasks.some((task) => hasIds(task, 'customStatus'))) return noName;
    lookup ??= lookUpOrNone(() => listNamedStatuses(quietLists(context)), { withIds: false });
    return lookup;
  };
}

/** The names of folders, for a list or an error that must distinguish tasks, on a terminal or not. Never rejects. */
export function readFolderNames(context: SessionContext): Promise<NameOf> {
  return lookUpOrNone(() => quietLists(context).folders());
}

function quietLists(context: SessionContext): NameLists {
  return createNameLists(() => createCommandSession(context, { notices: silent, timeoutMs: timeLimitMs }));
}

async function listNamedStatuses(lists: NameLists): Promise<readonly NamedItem[]> {
  return (await lists.workflows()).flatMap(({ customStatuses = [] }) => customStatuses);
}

/** If several items have the same name, the id follows the name. */
async function lookUpOrNone(
  list: () => Promise<readonly NamedItem[]>,
  { withIds = true } = {},
): Promise<NameOf> {
  const items = await list().catch(() => []);
  const names = new Map(items.map(({ id, name, title }) => [id, name ?? title]));
  const counts = new Map<string | undefined, number>();
  for (const name of names.values()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return (id) => {
    const name = names.get(id);
    if (!name) return undefined;
    return withIds && counts.get(name) !== 1 ? `${name} (${id})` : name;
  };
}
