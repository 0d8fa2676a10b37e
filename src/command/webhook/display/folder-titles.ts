// Reads the titles of the folders that webhooks cover, in one request.

import { operations } from '../../../contract/operation.ts';
import type { Webhook } from '../../../contract/webhook.ts';
import type { Context } from '../../context.ts';
import { type FolderTitles, noTitles } from './columns.ts';

/** On a terminal; for a program nothing is looked up. */
export async function titlesForTerminal(
  context: Pick<Context, 'session' | 'timeoutMs' | 'report' | 'world'>,
  webhooks: readonly Webhook[],
): Promise<FolderTitles> {
  const isForPerson = context.world.streams.output.isTerminal && !context.report.wantsJson;
  return isForPerson ? folderTitles(context, webhooks) : noTitles;
}

/** Nobody should wait longer than this for a title. */
const titlesWithinMs = 2000;

/** By id. A title is a courtesy: whatever keeps it from being read, the id does. */
export async function folderTitles(
  context: Pick<Context, 'session' | 'timeoutMs'>,
  webhooks: readonly Webhook[],
): Promise<FolderTitles> {
  const wanted = new Set(webhooks.flatMap(({ folderId }) => folderId ?? []));
  if (wanted.size === 0) return noTitles;
  try {
    const session = await context.session();
    const timeoutMs = Math.min(titlesWithinMs, context.timeoutMs);
    const { records } = await session.send(operations.listFolders, {}, {}, timeoutMs);
    return new Map(records.flatMap(({ id, title }) => (wanted.has(id) && title ? [[id, title]] : [])));
  } catch {
    return noTitles;
  }
}
