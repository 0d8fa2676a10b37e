// Names in place of ids, on a terminal: users, custom statuses, folders, custom fields. Each list is read at most once, and
// only if a task has such an id. An id stays an id if its name cannot be read in time: names are a convenience.

import { fullName } from '#cli/contact-name.ts';
import type { Context } from '#cli/context.ts';
import { createCommandSession, type SessionContext } from '#cli/create-session.ts';
import type { Task } from '#contract/task.ts';
import { createNameLists, type NameLists } from '../names/name-lists.ts';
import { idsOnly, type NameOf, type TaskNames } from './columns.ts';

const noName: NameOf = () => undefined;

const timeLimitMs = 3000;
/** The command itself has already printed any messages about the sign-in. */
const silent = { isQuiet: true, info: () => {}, warn: () => {} };

interface NamedItem {
  readonly id: string;
  readonly name?: string | undefined;
  readonly title?: string | undefined;
}

/** The names that can stand in place of ids. */
export type NameKind = 'user' | 'customStatus' | 'folder' | 'customField';

const everyKind: readonly NameKind[] = ['user', 'customStatus', 'folder', 'customField'];

/** Never rejects. Looks nothing up without a terminal or with --json. */
export function readNames(
  context: SessionContext & Pick<Context, 'report'>,
  tasks: readonly Task[],
  shownOn: 'output' | 'errors' = 'output',
): Promise<TaskNames> {
  return createNameReader(context, shownOn)(tasks);
}

/** The same for tasks that come in parts: each list is read once for all of them. `kinds`: the names that are shown. */
export function createNameReader(
  context: SessionContext & Pick<Context, 'report'>,
  shownOn: 'output' | 'errors' = 'output',
  kinds: readonly NameKind[] = everyKind,
): (tasks: readonly Task[]) => Promise<TaskNames> {
  const { world, report } = context;
  // Standard error carries no JSON, so names are fine there.
  if ((shownOn === 'output' && report.wantsJson) || !world.streams[shownOn].isTerminal)
    return async () => idsOnly;
  const directory = quietLists(context);
  const lookups = new Map<NameKind, Promise<NameOf>>();
  const lists: { readonly [K in NameKind]: () => Promise<readonly NamedItem[]> } = {
    user: async () =>
      (await directory.contacts()).map((contact) => ({ id: contact.id, name: fullName(contact) })),
    customStatus: () => listNamedStatuses(directory),
    folder: () => directory.folders(),
    customField: () => directory.customFields(),
  };
  return async (tasks) => {
    const read = (kind: NameKind): Promise<NameOf> | NameOf => {
      const before = lookups.get(kind);
      if (before) return before;
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
    lookup ??= lookUpOrNone(() => listNamedStatuses(quietLists(context)), 'names alone');
    return lookup;
  };
}

/** The names of folders, for a list or an error that has to tell tasks apart, on a terminal or not. Never rejects. */
export function readFolderNames(context: SessionContext): Promise<NameOf> {
  return lookUpOrNone(() => quietLists(context).folders());
}

function quietLists(context: SessionContext): NameLists {
  return createNameLists(() => createCommandSession(context, { notices: silent, timeoutMs: timeLimitMs }));
}

async function listNamedStatuses(lists: NameLists): Promise<readonly NamedItem[]> {
  return (await lists.workflows()).flatMap(({ customStatuses = [] }) => customStatuses);
}

/** If several items have the same name, the id follows it. */
async function lookUpOrNone(
  list: () => Promise<readonly NamedItem[]>,
  shown?: 'names alone',
): Promise<NameOf> {
  const all = await list().catch(() => []);
  const names = new Map(all.map(({ id, name, title }) => [id, name ?? title]));
  const seen = new Set<string | undefined>();
  const repeated = new Set<string | undefined>();
  for (const name of names.values()) (seen.has(name) ? repeated : seen).add(name);
  return (id) => {
    const name = names.get(id);
    if (!name) return undefined;
    return repeated.has(name) && shown === undefined ? `${name} (${id})` : name;
  };
}
