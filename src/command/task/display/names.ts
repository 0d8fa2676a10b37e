// Names in place of ids, on a terminal: users, custom statuses, folders, custom fields. Each list is read at most once, and
// only if a task has such an id. An id stays an id if its name cannot be read in time: names are a convenience.

import type { Task } from '../../../contract/task.ts';
import { fullName } from '../../contact-name.ts';
import type { Context } from '../../context.ts';
import { createCommandSession, type SessionContext } from '../../create-session.ts';
import { createNameLists } from '../resolve/name-lists.ts';
import { idsOnly, type NameOf, type TaskNames } from './columns.ts';

const noName: NameOf = () => undefined;

const timeLimitMs = 3000;
/** The command itself has already printed any messages about the sign-in. */
const silent = { isQuiet: true, info: () => {}, warn: () => {} };

interface NamedItem {
  readonly id: string;
  readonly name: string | undefined;
}

/** Never rejects. Looks nothing up without a terminal or with --json. */
export async function readNames(
  context: SessionContext & Pick<Context, 'report'>,
  tasks: readonly Task[],
  shownOn: 'output' | 'errors' = 'output',
): Promise<TaskNames> {
  const { world, report } = context;
  // Standard error carries no JSON, so names are fine there.
  if (shownOn === 'output' && report.wantsJson) return idsOnly;
  if (!world.streams[shownOn].isTerminal) return idsOnly;
  const directory = createNameLists(() =>
    createCommandSession(context, { notices: silent, timeoutMs: timeLimitMs }),
  );
  const some = (of: (task: Task) => readonly unknown[] | undefined) =>
    tasks.some((task) => (of(task)?.length ?? 0) > 0);
  const read = async (isNeeded: boolean, list: () => Promise<readonly NamedItem[]>): Promise<NameOf> => {
    if (!isNeeded) return noName;
    try {
      return nameLookup(await list());
    } catch {
      return noName;
    }
  };
  const [person, customStatus, folder, customField] = await Promise.all([
    read(
      some(({ responsibleIds = [], followerIds = [] }) => [...responsibleIds, ...followerIds]),
      async () =>
        (await directory.contacts()).map((contact) => ({ id: contact.id, name: fullName(contact) })),
    ),
    read(
      some(({ customStatusId }) => (customStatusId === undefined ? [] : [customStatusId])),
      async () =>
        (await directory.workflows()).flatMap(({ customStatuses = [] }) => customStatuses.map(named)),
    ),
    read(
      some(({ parentIds }) => parentIds),
      async () => (await directory.folders()).map(titled),
    ),
    read(
      some(({ customFields }) => customFields),
      async () => (await directory.customFields()).map(titled),
    ),
  ]);
  return { user: person, customStatus, folder, customField, readableDurations: true };
}

function named({ id, name }: { readonly id: string; readonly name?: string }): NamedItem {
  return { id, name };
}

function titled({ id, title }: { readonly id: string; readonly title?: string }): NamedItem {
  return { id, name: title };
}

/** If several items have the same name, the id follows it. */
function nameLookup(all: readonly NamedItem[]): NameOf {
  const names = new Map(all.map(({ id, name }) => [id, name]));
  const seen = new Set<string | undefined>();
  const repeated = new Set<string | undefined>();
  for (const name of names.values()) (seen.has(name) ? repeated : seen).add(name);
  return (id) => {
    const name = names.get(id);
    if (!name) return undefined;
    return repeated.has(name) ? `${name} (${id})` : name;
  };
}
