// Knows titles of tasks and folders without sending a request: those that events carry, and those that commands on this machine have
// read.

import type { Context } from '#cli/context.ts';
import { findCacheOwner, readRecordCache } from '#cli/record-cache.ts';
import type { Titles } from './delivery-summary.ts';

/** The newest count. */
const mostTitles = 10_000;
/** A hostile title may be as long as a body. */
const mostCharacters = 200;

export interface KnownTitles extends Titles {
  /** Reads what commands have read. Never rejects: a title is only a help. */
  load(context: Pick<Context, 'world' | 'account'>): Promise<void>;
}

export function createKnownTitles(): KnownTitles {
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
    find: (id) => titles.get(id),
    remember,
    async load({ world, account }) {
      try {
        const owner = await findCacheOwner(world, account);
        if (owner === undefined) return;
        for (const { kind, id, title } of (await readRecordCache(world, owner)).toReversed())
          if (title !== undefined && kind !== 'user' && !titles.has(id)) remember(id, title);
      } catch {
        // No account, or one that cannot be read: then ids are shown.
      }
    },
  };
}
