// Finds a record by its permalink, which only the service can resolve. Separate from id-shape.ts, since help needs no lists.

import { followPages } from '#client/follow-pages.ts';
import type { Session } from '#client/session.ts';
import { accountOperations } from '#contract/account-operations.ts';
import type { Operation } from '#contract/operation.ts';
import { text } from '#contract/schema.ts';
import { taskLists } from '#contract/task-list.ts';
import { type LinkedKind, numberIn } from './id-shape.ts';

interface Linked {
  readonly id: string;
  readonly permalink?: string | undefined;
}

const filter = { permalink: { schema: text('permalink'), meaning: '' } };
const lists: Readonly<Record<LinkedKind, Operation<typeof filter, Linked>>> = {
  task: taskLists.listTasks,
  folder: accountOperations.listFolders,
};

/** The id of the record with this permalink. Compares permalinks itself too, since the service may ignore the filter. */
export async function findByPermalink(
  session: Pick<Session, 'send'>,
  kind: LinkedKind,
  link: string,
): Promise<string | undefined> {
  const unlinked: string[] = [];
  for await (const { records } of followPages(session, lists[kind], {}, { permalink: link })) {
    for (const { id, permalink } of records) {
      if (permalink === undefined) unlinked.push(id);
      else if (numberIn(permalink) === numberIn(link)) return id;
    }
  }
  return unlinked.length === 1 ? unlinked[0] : undefined;
}
