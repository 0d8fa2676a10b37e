// Names in place of ids, on a terminal: users, custom statuses, folders, custom fields. Each list is read at most once, and
// only if a task has such an id. If a name cannot be read in time, its id is shown: names are a convenience.

import type { Context } from '#cli/context.ts';
import { createCommandSession, type SessionContext } from '#cli/create-session.ts';
import { fullName } from '#cli/identity.ts';
import type { Workflow } from '#contract/read-only-records.ts';
import type { Task } from '#contract/task.ts';
import type { ReportedRecords } from '#terminal/report.ts';
import { createNameLists, type NameLists } from '../names/name-lists.ts';
import {
  type FieldOnRequest,
  idsOnly,
  type NameOf,
  noName,
  type TaskNames,
  taskColumnsWith,
  taskLinesWith,
  withFields,
} from './columns.ts';

const timeLimitMs = 3000;
/** The command itself has already printed any messages about the sign-in. */
const silent = { isQuiet: true, info: () => {}, warn: () => {} };

interface NamedItem {
  readonly id: string;
  readonly name?: string | undefined;
  readonly title?: string | undefined;
}

interface KindOfName {
  isIn(task: Task): boolean;
  list(lists: NameLists, tasks: readonly Task[]): Promise<readonly NamedItem[]>;
}

const allKinds = ['user', 'customStatus', 'folder', 'customField'] as const;
type NameKind = (typeof allKinds)[number];

/** For each kind of id: the tasks that have one, and the list with the names. */
const nameKinds: Readonly<Record<NameKind, KindOfName>> = {
  user: {
    isIn: ({ responsibleIds = [], followerIds = [] }) => responsibleIds.length + followerIds.length > 0,
    list: async (lists) =>
      (await lists.contacts()).map((contact) => ({ id: contact.id, name: fullName(contact) })),
  },
  customStatus: {
    isIn: ({ customStatusId }) => customStatusId !== undefined,
    async list(lists, tasks) {
      const statusesIn = (workflows: readonly Workflow[]) =>
        workflows.flatMap(({ customStatuses = [] }) => customStatuses);
      const areEnough = (workflows: readonly Workflow[]) => {
        const known = new Set(statusesIn(workflows).map(({ id }) => id));
        return tasks.every(({ customStatusId = '' }) => customStatusId === '' || known.has(customStatusId));
      };
      return statusesIn(await lists.workflows(areEnough));
    },
  },
  folder: { isIn: ({ parentIds = [] }) => parentIds.length > 0, list: (lists) => lists.folders() },
  customField: {
    isIn: ({ customFields = [] }) => customFields.length > 0,
    list: (lists) => lists.customFields(),
  },
};

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
  kinds: readonly NameKind[] = allKinds,
): (tasks: readonly Task[]) => Promise<TaskNames> {
  const { world, report } = context;
  // Standard error never has JSON, so it may show names.
  if ((shownOn === 'output' && report.wantsJson) || !world.streams[shownOn].isTerminal)
    return async () => idsOnly;
  const nameLists = quietLists(context);
  const lookups = new Map<NameKind, Promise<NameOf>>();
  return async (tasks) => {
    for (const kind of kinds) {
      const { isIn, list } = nameKinds[kind];
      // Later tasks may have a status of a space, whose workflows were not read yet.
      if ((kind === 'customStatus' || !lookups.has(kind)) && tasks.some(isIn)) {
        const names = lookUpOrNone(() => list(nameLists, tasks));
        lookups.set(kind, names);
      }
    }
    const [user = noName, customStatus = noName, folder = noName, customField = noName] = await Promise.all(
      allKinds.map((kind) => lookups.get(kind)),
    );
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

/** The names of custom statuses for a pipe, without ids; read if a task has one. Never rejects. */
export function createStatusReader(context: SessionContext): (tasks: readonly Task[]) => Promise<NameOf> {
  const lists = quietLists(context);
  const { isIn, list } = nameKinds.customStatus;
  return async (tasks) =>
    tasks.some(isIn) ? lookUpOrNone(() => list(lists, tasks), { withIds: false }) : noName;
}

/** The names of folders, for a list or an error that must distinguish tasks, on a terminal or not. Never rejects. */
export function readFolderNames(context: SessionContext): Promise<NameOf> {
  return lookUpOrNone(() => quietLists(context).folders());
}

function quietLists(context: SessionContext): NameLists {
  return createNameLists(() => createCommandSession(context, { notices: silent, timeoutMs: timeLimitMs }));
}

/** If several items have the same name, the id follows the name. */
async function lookUpOrNone(list: () => Promise<readonly NamedItem[]>, { withIds = true } = {}) {
  const items = await list().catch(() => []);
  const names = new Map(items.map(({ id, name, title }) => [id, name ?? title]));
  const counts = new Map<string | undefined, number>();
  for (const name of names.values()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return (id: string) => {
    const name = names.get(id);
    if (!name) return undefined;
    return withIds && counts.get(name) !== 1 ? `${name} (${id})` : name;
  };
}
