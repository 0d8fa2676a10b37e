// Opens the page of `wm webhook listen --ui`, which reads the journal as `wm webhook log` does, and replays as `wm webhook replay` does.

import type { Context } from '#cli/context.ts';
import { readLastTarget } from '#cli/journal-folder.ts';
import type { Forwarder } from '#receiver/forwarding/forwarder.ts';
import type { DeliveryStore } from '#receiver/intake/delivery-journal.ts';
import type { World } from '#world/world.ts';
import { collectDeliveries } from '../deliveries/collect-deliveries.ts';
import type { ReplayStore } from '../deliveries/delivery-archive.ts';
import { toFilter } from '../deliveries/delivery-filter.ts';
import { createEntrySource } from '../deliveries/entry-source.ts';
import { createJournalReplays } from '../deliveries/journal-archive.ts';
import type { Replay } from '../deliveries/replays-file.ts';
import { namesTargets } from '../deliveries/target-flags.ts';
import type { Titles } from '../listening/delivery-summary.ts';
import type { ListenFlags } from '../listening/listen-flags.ts';
import type { ReceiverPage } from '../listening/receiver-storage.ts';
import { shownDeliveries } from '../page/page-messages.ts';
import type { PageHost, PageSource } from '../page/page-source.ts';
import { servePage } from '../page/serve-page.ts';
import { chooseReplayTargets } from '../replaying/choose-targets.ts';

export async function openJournalPage(
  context: Context,
  flags: ListenFlags,
  folder: string,
  journal: JournalParts['journal'],
  titles: Titles,
): Promise<ReceiverPage> {
  const { world } = context;
  const entries = createEntrySource(world, folder);
  const replays = createJournalReplays(context, folder);
  return servePage(context, flags, {
    source: createJournalSource({
      journal,
      followReplays: (onReplay, signal) => followReplays(replays, world.clock, onReplay, signal),
      async older(before, limit) {
        const numbers = before === Number.POSITIVE_INFINITY ? [] : [{ from: 1, to: before - 1 }];
        const { deliveries } = await collectDeliveries(
          entries,
          await replays.read(),
          { filter: toFilter({}, numbers, 0), states: [], last: limit },
          titles,
        );
        return deliveries;
      },
    }),
    command: 'wm webhook listen',
    titles,
    replays,
    targets: await findTargets(context, folder, flags),
  });
}

/** Returns the targets of this receiver, or else of an earlier one with this journal; `undefined` without either. */
async function findTargets(context: Context, folder: string, { print: _, ...flags }: ListenFlags) {
  // Ignore a file that cannot be read: the receiver does not need it.
  const last = (await readLastTarget(context.world, folder).catch(() => undefined)) ?? {};
  const hasLast = last.forwardTo !== undefined || (last.routes ?? []).length > 0;
  if (!namesTargets(flags) && !hasLast) return undefined;
  return chooseReplayTargets(context, async () => last, flags);
}

const pollMs = 1_000;

/** Passes on all replays whenever there are new ones, until the signal. Never rejects: a read that fails is repeated later. */
async function followReplays(
  { read, version }: ReplayStore,
  clock: World['clock'],
  onReplay: (replay: Replay) => void,
  signal: AbortSignal,
): Promise<void> {
  let lastVersion = await version().catch(() => 0);
  const readNew = async () => {
    const current = await version();
    if (current === lastVersion) return;
    for (const replays of (await read()).bySequence.values()) for (const replay of replays) onReplay(replay);
    lastVersion = current;
  };
  for (; !signal.aborted; await clock.sleep(pollMs, signal)) await readNew().catch(() => {});
}

export interface JournalParts extends Pick<PageSource, 'older'> {
  readonly journal: Pick<DeliveryStore, 'read' | 'state'>;
  /** Passes on each replay that any process records from now on, maybe more than once, until the signal. */
  readonly followReplays: (onReplay: (replay: Replay) => void, signal: AbortSignal) => Promise<void>;
}

export function createJournalSource({ journal, older, followReplays }: JournalParts): PageSource {
  let host: PageHost | undefined;
  let forwarder: Pick<Forwarder, 'state'> | undefined;
  return {
    scope: '',
    first: () => older(Number.POSITIVE_INFINITY, shownDeliveries),
    older,
    read: (sequence) => journal.read(sequence),
    follow(page, signal) {
      host = page;
      return followReplays((replay) => page.onReplay(replay), signal);
    },
    onActivity: (activity) => host?.onActivity(activity),
    onReady(running) {
      forwarder = running;
    },
    onOpened: () => {},
    state() {
      const { unfinished, fault } = journal.state();
      const lines = forwarder?.state().targets ?? [];
      return {
        unfinished,
        fault,
        stale: null,
        stuck: lines.flatMap(({ target, waiting, retrying, oldest, isBehind, fault: outage }) =>
          oldest === undefined || (outage === undefined && retrying === 0)
            ? []
            : [{ target, waiting: waiting + retrying, retrying, isBehind, oldest }],
        ),
      };
    },
  };
}
