// The folder, project or space of a new webhook, by its id or its title.

import { isIdentifier } from '../../../contract/identifier.ts';
import { operations } from '../../../contract/operation.ts';
import type { Context } from '../../context.ts';
import { ambiguousName, findByName, nameNotFound } from '../../task/resolve/match-name.ts';
import type { WebhookScope } from './create-request.ts';

interface Titled {
  readonly id: string;
  readonly title?: string | undefined;
}

/** Both by id. Sends nothing if they are ids already. Throws a usage failure for a title of none or of several. */
export async function resolveScope(
  context: Context,
  { folder, space }: { readonly folder?: string; readonly space?: string },
): Promise<WebhookScope> {
  const list = async (flag: 'folder' | 'space'): Promise<readonly Titled[]> => {
    const session = await context.session();
    if (flag === 'space') return (await session.send(operations.listSpaces, {}, {})).records;
    return (await session.send(operations.listFolders, {}, {})).records;
  };
  const resolve = async (flag: 'folder' | 'space', text: string | undefined) =>
    text === undefined || isIdShaped(text) ? text : resolveTitle(flag, text, await list(flag));
  return { folderId: await resolve('folder', folder), spaceId: await resolve('space', space) };
}

/** As the service writes ids. The contract allows more, so any other text may be an id or a title. */
function isIdShaped(text: string): boolean {
  return /^[A-Z0-9]{8}[A-Za-z0-9]{4,}$/.test(text);
}

function resolveTitle(flag: 'folder' | 'space', text: string, all: readonly Titled[]): string {
  if (all.some(({ id }) => id === text)) return text;
  const found = findByName(all, text, ({ title }) => title);
  const [first, ...more] = found;
  if (first !== undefined && more.length === 0) return first.id;
  if (first !== undefined) {
    const candidates = found.map(({ id, title }) => `${id}  ${title}`);
    throw ambiguousName(flag, text, `${flag}s`, candidates);
  }
  // One that is not listed may still be there.
  if (isIdentifier('FolderId', text) && /[\d=]/.test(text)) return text;
  const titles = all.flatMap(({ title }) => title ?? []);
  throw nameNotFound(
    flag,
    text,
    flag === 'space' ? 'the title of a space' : 'the title of a folder or project',
    titles,
  );
}
