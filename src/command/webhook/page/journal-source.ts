// The journal of a receiver as what its page shows: what happens is what happens in this process, and replays by others are in a file.

import type { DeliveryStore } from '../../../receiver/delivery-journal.ts';
import type { Forwarder } from '../../../receiver/forwarding/forwarder.ts';
import type { Replay } from '../deliveries/replays-file.ts';
import { shownDeliveries } from './page-messages.ts';
import type { PageHost, PageSource } from './page-source.ts';

export interface JournalParts extends Pick<PageSource, 'older'> {
  readonly journal: Pick<DeliveryStore, 'read' | 'state'>;
  /** Calls back for each replay that is recorded from now on, by whichever process, until the signal. */
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
    follow(given, signal) {
      host = given;
      return followReplays((replay) => given.replayed(replay), signal);
    },
    onActivity: (activity) => host?.happened(activity),
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
