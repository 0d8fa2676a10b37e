// Finds titles of tasks and folders without a request: in events, and in what commands on this machine have read.

import type { Context } from '#cli/context.ts';
import { findCacheOwner, readRecordCache } from '#cli/record-cache.ts';

const mostTitles = 10_000;
/** A hostile title may be as long as a body. */
const mostCharacters = 200;

export type TitleCache = ReturnType<typeof createTitleCache>;

export function createTitleCache() {
  const titles = new Map<string, string>();
  const remember = (id: string, title: string) => {
    titles.delete(id);
    titles.set(id, title.slice(0, mostCharacters));
    for (const oldest of titles.keys()) {
      if (titles.size <= mostTitles) break;
      titles.delete(oldest);
    }
  };
  return {
    find: (id: string) => titles.get(id),
    remember,
    /** Loads the titles that commands have read. Never rejects: a title is optional. */
    async load({ world, account }: Pick<Context, 'world' | 'account'>) {
      try {
        const owner = await findCacheOwner(world, account);
        if (owner === undefined) return;
        for (const { kind, id, title } of (await readRecordCache(world, owner)).toReversed())
          if (title !== undefined && kind !== 'user' && !titles.has(id)) remember(id, title);
      } catch {
        // Without a readable account, ids are shown.
      }
    },
  };
}
