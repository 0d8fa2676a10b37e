// Opens the page of `wm webhook listen --ui`, which reads the journal as `wm webhook log` does, and replays as `wm webhook replay` does.

import type { Context } from '#cli/context.ts';
import type { Forwarder } from '#receiver/forwarding/forwarder.ts';
import type { DeliveryStore } from '#receiver/intake/delivery-journal.ts';
import type { World } from '#world/world.ts';
import { collectDeliveries } from '../deliveries/collect-deliveries.ts';
import { toFilter } from '../deliveries/delivery-filter.ts';
import { openJournalArchive } from '../deliveries/journal-archive.ts';
import { parseReplay, type Replay, replaysPath } from '../deliveries/replays-file.ts';
import type { Titles } from '../listening/delivery-summary.ts';
import type { ListenFlags } from '../listening/listen-flags.ts';
import type { ReceiverPage } from '../listening/receiver-storage.ts';
import { shownDeliveries } from '../page/page-messages.ts';
import { createPageReplay } from '../page/page-replay.ts';
import type { PageHost, PageSource } from '../page/page-source.ts';

export async function openJournalPage(
  context: Context,
  flags: ListenFlags,
  folder: string,
  journal: JournalParts['journal'],
  titles: Titles,
): Promise<ReceiverPage> {
  const { world } = context;
  const archive = await openJournalArchive(context, flags.journal);
  const { startPage } = await import('../page/start-page.ts');
  return startPage({
    world,
    port: flags.uiPort ?? 0,
    source: createJournalSource({
      journal,
      followReplays: (onReplay, signal) => followReplays(world, folder, onReplay, signal),
      async older(before, limit) {
        const numbers = before === Number.POSITIVE_INFINITY ? [] : [{ from: 1, to: before - 1 }];
        const { deliveries } = await collectDeliveries(
          archive.source,
          await archive.replays.read(),
          { filter: toFilter({}, numbers, 0), states: [], last: limit },
          titles,
        );
        return deliveries;
      },
    }),
    command: 'wm webhook listen',
    titleOf: titles.find,
    replay: await createPageReplay(context, flags, archive),
  });
}

const pollMs = 1_000;
/** How much is read at a time. The next read gets the rest. */
const mostBytes = 1024 * 1024;
const lineFeed = 0x0a;

/** Watches the file until the signal. Never rejects: a read that fails is repeated later. */
async function followReplays(
  { files, clock }: Pick<World, 'files' | 'clock'>,
  folder: string,
  onReplay: (replay: Replay) => void,
  signal: AbortSignal,
): Promise<void> {
  const path = replaysPath(folder);
  /** The start of the first unread line. */
  let offset = await files.size(path).catch(() => 0);
  const readNew = async () => {
    const size = await files.size(path);
    // The file was removed and begun again.
    if (size < offset) offset = 0;
    if (size === offset) return;
    const file = await files.openForReading(path);
    if (!file) return;
    try {
      const bytes = Buffer.from(await file.read(offset, Math.min(size - offset, mostBytes)));
      const end = bytes.lastIndexOf(lineFeed) + 1;
      // Skips bytes that are too long for a line of wm.
      offset += end === 0 && bytes.length === mostBytes ? bytes.length : end;
      for (const line of bytes.toString('utf8', 0, end).split('\n')) {
        const replay = line === '' ? undefined : parseReplay(line);
        if (replay) onReplay(replay);
      }
    } finally {
      await file.close();
    }
  };
  for (; !signal.aborted; await clock.sleep(pollMs, signal)) await readNew().catch(() => {});
}

export interface JournalParts extends Pick<PageSource, 'older'> {
  readonly journal: Pick<DeliveryStore, 'read' | 'state'>;
  /** Passes on each replay that any process records from now on, until the signal. */
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
