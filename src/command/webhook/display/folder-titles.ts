// Reads the titles of what webhooks cover: folders, spaces and custom fields, in at most one request for each kind.

import { type Operation, operations } from '../../../contract/operation.ts';
import type { Context } from '../../context.ts';
import type { Hook } from '../hook.ts';
import { type FolderTitles, noTitles } from './coverage.ts';

/** On a terminal; for a program nothing is looked up. */
export async function titlesForTerminal(context: Context, hooks: readonly Hook[]): Promise<FolderTitles> {
  const isForPerson = context.world.streams.output.isTerminal && !context.report.wantsJson;
  return isForPerson ? folderTitles(context, hooks) : noTitles;
}

/** A user should not wait longer than this for a title. */
const titlesWithinMs = 2000;

/** By id. A title is a courtesy: whatever keeps it from being read, the id does. */
export async function folderTitles(context: Context, hooks: readonly Hook[]): Promise<FolderTitles> {
  const created = hooks.flatMap(({ local }) => local?.created ?? []);
  const ofFields = created.flatMap(({ parameterisedEvents = [] }) =>
    parameterisedEvents.flatMap(({ customFields = [] }) => customFields),
  );
  const titles = await Promise.all([
    titlesOf(
      context,
      operations.listFolders,
      hooks.flatMap(({ record }) => record.folderId ?? []),
    ),
    titlesOf(
      context,
      operations.listSpaces,
      created.flatMap(({ spaceId }) => spaceId ?? []),
    ),
    titlesOf(context, operations.listCustomFields, ofFields),
  ]);
  return new Map(titles.flatMap((some) => [...some]));
}

/** Every kind of list that has titles takes no parameter that is needed. */
type TitledList = Operation<
  Record<never, never>,
  { readonly id: string; readonly title?: string | undefined }
>;

async function titlesOf(context: Context, list: TitledList, ids: readonly string[]): Promise<FolderTitles> {
  const wanted = new Set(ids);
  if (wanted.size === 0) return noTitles;
  try {
    const session = await context.session();
    const timeoutMs = Math.min(titlesWithinMs, context.timeoutMs);
    const { records } = await session.send(list, {}, {}, timeoutMs);
    return new Map(records.flatMap(({ id, title }) => (wanted.has(id) && title ? [[id, title]] : [])));
  } catch {
    return noTitles;
  }
}
