// How long a claim or a wait of another forwarder still holds. The clocks of forwarders and servers may differ, so besides the time that
// the servers recorded, it goes by how long this process has known the record.

import type { Clock } from '../../world/world.ts';
import type { Known, Progress } from './sink-progress.ts';

/** How often to look at a claim that another forwarder holds. */
export const watchMs = 1_000;
/** After a longer gap between looks, the servers may have been down. */
const mostUnwatchedMs = 3 * watchMs;

/** The servers wait for the next attempt too, and start a moment later. */
const earlyMs = 100;

export interface ClaimWatchOptions {
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  /** Identifies this process among the forwarders. */
  readonly holder: string;
  /** A claim is void after this time without a renewal. */
  readonly holdMs: number;
  /**
   * But it is not void until this process has watched it unchanged for this long: after an outage of the servers, a forwarder that has sent
   * something must have time to record that.
   */
  readonly unchangedMs: number;
}

export interface Remaining {
  /** 0: this process may claim the delivery. */
  readonly forMs: number;
  /** Another forwarder may be sending it. */
  readonly isSending: boolean;
}

export interface ClaimWatch {
  /** One look at the record that wins. */
  look(consumer: string, known: Pick<Known, 'time'>, progress: Progress): Remaining;
  /** The servers did not respond: the record may have changed unseen. */
  interrupt(consumer: string): void;
}

interface Seen {
  readonly version: number;
  readonly time: number;
  readonly since: number;
  readonly watchedSince: number;
  readonly lookedAt: number;
}

export function createClaimWatch({ clock, holder, holdMs, unchangedMs }: ClaimWatchOptions): ClaimWatch {
  /** By consumer. */
  const seen = new Map<string, Seen>();

  const note = (consumer: string, time: number, version: number): Seen => {
    const now = clock.monotonic();
    const before = seen.get(consumer);
    const isSame = before?.version === version && before.time === time;
    const isWatched = isSame && now - before.lookedAt <= mostUnwatchedMs;
    const found = {
      version,
      time,
      since: isSame ? before.since : now,
      watchedSince: isWatched ? before.watchedSince : now,
      lookedAt: now,
    };
    seen.set(consumer, found);
    return found;
  };

  return {
    look(consumer, { time }, { version, state, holder: by, waitMs = 0 }) {
      const isSending = state === 'claimed' && by !== holder;
      const mostMs = state === 'retry' ? waitMs - earlyMs : isSending ? holdMs : 0;
      if (mostMs <= 0) return { forMs: 0, isSending };
      const { since, watchedSince, lookedAt: now } = note(consumer, time, version);
      const left = Math.min(mostMs - Math.max(clock.now() - time, now - since), mostMs);
      return { forMs: Math.max(left, isSending ? unchangedMs - (now - watchedSince) : 0), isSending };
    },
    interrupt: (consumer) => void seen.delete(consumer),
  };
}
