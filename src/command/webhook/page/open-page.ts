// Opens the page of `wm webhook listen --ui`, and connects it with what `wm webhook log` reads and what `wm webhook replay` sends.

import type { Context } from '../../context.ts';
import { collectDeliveries } from '../deliveries/collect-deliveries.ts';
import { createEntrySource } from '../deliveries/entry-source.ts';
import { followReplays } from '../deliveries/follow-replays.ts';
import { createJournalReplays, lastJournalTarget } from '../deliveries/journal-place.ts';
import { readReplays } from '../deliveries/replays-file.ts';
import { readLastTarget } from '../listen/journal-folder.ts';
import type { ListenFlags } from '../listen/listen-flags.ts';
import type { OpenReceiverPage } from '../listen/receiver-page.ts';
import { chooseReplayTargets, type ReplayTargets } from '../replay/choose-targets.ts';
import { createJournalSource } from './journal-source.ts';
import { namesTargets, servePage } from './serve-page.ts';

export const openPage: OpenReceiverPage = async (context, flags, { folder, journal, titles }) => {
  const { world } = context;
  const entries = createEntrySource(world, folder);
  return servePage(context, flags, {
    source: createJournalSource({
      journal,
      followReplays: (onReplay, signal) => followReplays(world, folder, onReplay, signal),
      async older(before, limit) {
        const numbers = before === Number.POSITIVE_INFINITY ? [] : [{ from: 1, to: before - 1 }];
        const { deliveries } = await collectDeliveries(
          entries,
          await readReplays(world, folder),
          { filter: { ...everything, numbers }, states: [], last: limit },
          titles,
        );
        return deliveries;
      },
    }),
    command: 'wm webhook listen',
    titles,
    replays: createJournalReplays(context, folder),
    targets: await findTargets(context, folder, flags),
  });
};

const everything = {
  numbers: [],
  from: Number.NEGATIVE_INFINITY,
  before: Number.POSITIVE_INFINITY,
  events: undefined,
  subjectId: undefined,
};

/**
 * Where this receiver forwards; if nowhere, where an earlier one forwarded from this journal, as for `wm webhook replay`. `undefined`
 * if there is neither.
 */
async function findTargets(
  context: Context,
  folder: string,
  { print: _, ...flags }: ListenFlags,
): Promise<ReplayTargets | undefined> {
  if (!namesTargets(flags) && !(await hasLastTarget(context, folder))) return undefined;
  return chooseReplayTargets(context, () => lastJournalTarget(context, folder), flags);
}

/** One that cannot be read is none: the receiver does not need it. */
async function hasLastTarget({ world }: Context, folder: string): Promise<boolean> {
  const { forwardTo, routes = [] } = (await readLastTarget(world, folder).catch(() => undefined)) ?? {};
  return forwardTo !== undefined || routes.length > 0;
}
