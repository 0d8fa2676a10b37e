// Reads the titles of what webhooks cover: folders, spaces and custom fields, in at most one request for each kind.

import { type Operation, operations } from '../../../contract/operation.ts';
import type { Webhook } from '../../../contract/webhook.ts';
import type { Context } from '../../context.ts';
import { type LocalWebhooks, noLocalWebhooks } from '../local/local-webhook.ts';
import { type FolderTitles, noTitles } from './coverage.ts';

type Needs = Pick<Context, 'session' | 'timeoutMs'>;

/** On a terminal; for a program nothing is looked up. */
export async function titlesForTerminal(
  context: Needs & Pick<Context, 'report' | 'world'>,
  webhooks: readonly Webhook[],
  local: LocalWebhooks = noLocalWebhooks,
): Promise<FolderTitles> {
  const isForPerson = context.world.streams.output.isTerminal && !context.report.wantsJson;
  return isForPerson ? folderTitles(context, webhooks, local) : noTitles;
}

/** Nobody should wait longer than this for a title. */
const titlesWithinMs = 2000;

/** By id. A title is a courtesy: whatever keeps it from being read, the id does. */
export async function folderTitles(
  context: Needs,
  webhooks: readonly Webhook[],
  local: LocalWebhooks = noLocalWebhooks,
): Promise<FolderTitles> {
  const created = webhooks.flatMap(({ id }) => local.get(id)?.created ?? []);
  const ofFields = created.flatMap(({ parameterisedEvents = [] }) =>
    parameterisedEvents.flatMap(({ customFields = [] }) => customFields),
  );
  const titles = await Promise.all([
    titlesOf(
      context,
      operations.listFolders,
      webhooks.flatMap(({ folderId }) => folderId ?? []),
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

async function titlesOf(context: Needs, list: TitledList, ids: readonly string[]): Promise<FolderTitles> {
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
