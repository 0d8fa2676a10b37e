// Opens the page of `wm webhook listen --ui`, which reads the journal as `wm webhook log` does.

import type { Context } from '#cli/context.ts';
import type { Clock } from '#world/world.ts';
import { collectDeliveries } from '../archive/deliveries/collect-deliveries.ts';
import { toFilter } from '../archive/deliveries/delivery-filter.ts';
import type { Titles } from '../archive/deliveries/delivery-summary.ts';
import { openJournalArchive } from '../archive/deliveries/journal-archive.ts';
import type { ReplayStore } from '../archive/deliveries/replays-file.ts';
import type { ForwarderState } from '../core/forwarding/forwarder.ts';
import type { DeliveryStore } from '../core/intake/delivery-journal.ts';
import { createPageReplay } from '../page/page-replay.ts';
import { type PageHost, type PageSource, type ReceiverPage, shownDeliveries } from '../page/page-source.ts';
import type { ListenFlags } from './listen-flags.ts';

export async function openJournalPage(
  context: Context,
  flags: ListenFlags,
  parts: Pick<JournalParts, 'journal' | 'targets'> & { readonly retryNow: () => string },
  titles: Titles,
): Promise<ReceiverPage> {
  const archive = await openJournalArchive(context, flags.journal);
  const { replays } = archive;
  const older: PageSource['older'] = async (before, limit) => {
    const filter = toFilter({}, [{ from: 1, to: before - 1 }], 0);
    const selection = { filter, states: [], last: limit };
    return (await collectDeliveries(archive.source, await replays.read(), selection, titles)).deliveries;
  };
  const source = createJournalSource({ ...parts, older, replays, clock: context.world.clock });
  const { startPage } = await import('../page/start-page.ts');
  return startPage({
    world: context.world,
    port: flags.uiPort ?? 0,
    source,
    command: 'wm webhook listen',
    titleOf: titles.find,
    retryNow: parts.retryNow,
    replay: await createPageReplay(context, flags, archive),
  });
}

const pollMs = 1_000;

export interface JournalParts extends Pick<PageSource, 'older'> {
  readonly journal: Pick<DeliveryStore, 'read' | 'state'>;
  /** Records of any process. */
  readonly replays: Pick<ReplayStore, 'read' | 'version'>;
  readonly clock: Pick<Clock, 'sleep'>;
  /** Returns the state of the targets; empty before the receiver forwards. */
  readonly targets: () => ForwarderState['targets'];
}

export function createJournalSource({ journal, older, replays, clock, targets }: JournalParts): PageSource {
  let host: PageHost | undefined;
  return {
    scope: '',
    first: () => older(Number.POSITIVE_INFINITY, shownDeliveries),
    older,
    read: (sequence) => journal.read(sequence),
    async follow(page, signal) {
      host = page;
      for (let last = -1; !signal.aborted; await clock.sleep(pollMs, signal))
        try {
          const version = await replays.version();
          if (version === last) continue;
          for (const replay of [...(await replays.read()).bySequence.values()].flat()) page.onReplay(replay);
          last = version;
        } catch {
          // A read that fails is repeated.
        }
    },
    onActivity: (activity) => host?.onActivity(activity),
    onOpened: () => {},
    state() {
      const { unfinished, fault } = journal.state();
      return {
        unfinished,
        fault,
        stale: null,
        stuck: targets().flatMap(({ target, waiting, retrying, oldest, isBehind, fault: outage }) =>
          oldest === undefined || (outage === undefined && retrying === 0)
            ? []
            : [{ target, waiting: waiting + retrying, retrying, isBehind, oldest }],
        ),
      };
    },
  };
}
