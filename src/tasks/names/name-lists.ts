// The lists of an account in which names are looked up: users, custom fields, workflows, folders. Each is requested when it is
// first needed, and once for a command, for any number of rows.

import type { FormatContext } from '#cli/format-command.ts';
import { emptyAfter, readOrNone, readWholeList } from '#cli/read-pages.ts';
import { findByPermalink } from '#cli/resolve/find-by-permalink.ts';
import type { LinkedKind } from '#cli/resolve/id-shape.ts';
import { createListCommand } from '#cli/resolve/match-name.ts';
import { withWorkflowsOfSpaces } from '#cli/resolve/read-pages-of-space.ts';
import { isDeleted } from '#cli/resolve/resolve-place.ts';
import { followPages } from '#client/follow-pages.ts';
import type { Session } from '#client/session.ts';
import { accountOperations } from '#contract/account-operations.ts';
import type { Operation } from '#contract/operation.ts';
import { maxPageSize } from '#contract/page-parameters.ts';
import type { ArgumentsOf } from '#contract/parameter.ts';
import type { Workflow } from '#contract/read-only-records.ts';
import { formatValue } from '#contract/schema.ts';
import type { Task } from '#contract/task.ts';
import { type taskFilters, taskLists } from '#contract/task-list.ts';
import { usageError } from '#failure.ts';
import { omitUndefined } from '#omit-undefined.ts';

/** A list shows these only on request. */
const requestedFields = ['parentIds', 'responsibleIds'] as const satisfies TaskFilters['fields'];

/** The members by which a person tells tasks apart. */
export type FoundTask = Pick<
  Task,
  'id' | 'title' | 'status' | 'updatedDate' | (typeof requestedFields)[number]
>;

const lists = { task: taskLists.listTasks, folder: accountOperations.listFolders };

export type NameLists = ReturnType<typeof createNameLists>;

export function createNameLists(session: () => Promise<Session>, context?: FormatContext) {
  const requests = new Map<string, Promise<unknown>>();
  const once = <T>(key: string, send: () => Promise<T>): Promise<T> => {
    const earlier = requests.get(key);
    // Each key has one type: that of the request below that uses it.
    if (earlier) return earlier as Promise<T>;
    const request = send();
    requests.set(key, request);
    return request;
  };
  const whole = <R>(list: Operation<Record<never, never>, R>) =>
    once(list.path, async () => readWholeList(await session(), list));
  const folders = () => whole(accountOperations.listFolders);
  /** Tasks outside the recycle bin that may have this title: the service's matches, or else all. */
  const tasksByTitle = async (title: string): Promise<readonly FoundTask[]> => {
    const matches = await once(`title ${title}`, async () => findExactly(await session(), title));
    return matches.length > 0 ? matches : once('tasks', async () => listTasks(await session()));
  };
  return {
    /** The command that prints such a list, for hints; undefined if hints are not shown. */
    listCommand: context && ((words: string, flag: string) => createListCommand(context, words, flag)),
    /** Converts dates such as 14/12/2026. For one task, they are an error that names the readings. */
    readDates: async (text: string): Promise<string> => text,
    /** The user who is signed in, if the service says. */
    me: () =>
      once('me', async () => {
        const users = await readWholeList(await session(), accountOperations.listContacts, {}, { me: true });
        return users.find((contact) => contact.me) ?? users[0];
      }),
    /** The users that the service finds by this e-mail address. */
    byEmail: (email: string) =>
      once(`email ${email.toLowerCase()}`, async () =>
        readWholeList(await session(), accountOperations.listContacts, {}, { email }),
      ),
    /** The id that a permalink stands for. Throws a usage failure if the link does not exist. */
    byPermalink: async (kind: LinkedKind, link: string) => {
      const id = await once(link, async () => findByPermalink(await session(), lists[kind], link));
      if (id === undefined) throw usageError(`No ${kind} has the link ${formatValue(link)}`);
      return id;
    },
    contacts: () => whole(accountOperations.listContacts),
    customFields: () => whole(accountOperations.listCustomFields),
    /** Also those of spaces, which the account's list leaves out, unless its own are enough. */
    workflows: async (areEnough: (workflows: readonly Workflow[]) => boolean = () => false) => {
      const own = await whole(accountOperations.listWorkflows);
      return areEnough(own) ? own : once('all workflows', async () => readAllWorkflows(await session(), own));
    },
    tasksByTitle,
    /** The same for a task or a folder. */
    byTitle: async (
      kind: LinkedKind,
      title: string,
    ): Promise<readonly { readonly id: string; readonly title?: string | undefined }[]> =>
      kind === 'task' ? tasksByTitle(title) : (await folders()).filter((folder) => !isDeleted(folder)),
    folders,
  };
}

/** As many as can be read. `own`: those of the account. */
async function readAllWorkflows(session: Session, own: readonly Workflow[]): Promise<readonly Workflow[]> {
  const all: Workflow[] = [];
  const firstPage = async function* () {
    yield { records: own, raw: [] };
  };
  await readOrNone(async () => {
    for await (const { records } of withWorkflowsOfSpaces(session, firstPage())) all.push(...records);
    return [];
  });
  return all;
}

/** The tasks with exactly this title, compared here too: that the service filters is an assumption. None if it rejects the filter. */
async function findExactly(session: Session, title: string): Promise<readonly FoundTask[]> {
  const found = await emptyAfter(
    ({ code }) => code === 'rejected',
    () => listTasks(session, { title }),
  );
  return found.filter((task) => task.title === title);
}

export type TaskFilters = ArgumentsOf<typeof taskFilters>;

/** Leaves out tasks in the recycle bin. */
export async function listTasks(session: Session, filters: TaskFilters = {}): Promise<readonly FoundTask[]> {
  const tasks: FoundTask[] = [];
  const parameters = { ...filters, fields: requestedFields };
  const pages = followPages(session, taskLists.listTasks, {}, parameters, { pageSize: maxPageSize });
  for await (const { records } of pages)
    for (const { id, title, status, scope, parentIds, updatedDate, responsibleIds } of records)
      if (scope !== 'RbTask')
        tasks.push({ id, ...omitUndefined({ title, status, parentIds, updatedDate, responsibleIds }) });
  return tasks;
}
