// Limits the wait for the disk, with one timer for the oldest of a linked list of waits: a timer for each delivery would cost more than
// judging it. Not a Set, whose old tables keep bodies alive until a full garbage collection, at a third of the throughput.

import type { Clock } from '#world/world.ts';

interface Storing {
  /** When the wait began, on the monotonic clock. */
  readonly since: number;
  readonly expire: () => void;
  previous: Storing | undefined;
  next: Storing | undefined;
}

export function createStoringLimit(clock: Pick<Clock, 'monotonic' | 'after'>, limitMs: number) {
  let oldest: Storing | undefined;
  let newest: Storing | undefined;
  let isTimerSet = false;
  /** Does nothing after the wait has expired. */
  const remove = (storing: Storing) => {
    const { previous, next } = storing;
    if (oldest === storing) oldest = next;
    if (newest === storing) newest = previous;
    if (previous) previous.next = next;
    if (next) next.previous = previous;
    storing.previous = storing.next = undefined;
  };
  const setTimer = (milliseconds: number) => {
    isTimerSet = true;
    clock.after(milliseconds, expire);
  };
  const expire = () => {
    isTimerSet = false;
    const now = clock.monotonic();
    while (oldest) {
      const remaining = oldest.since + limitMs - now;
      if (remaining > 0) return setTimer(remaining);
      const expired = oldest;
      remove(expired);
      expired.expire();
    }
  };
  return {
    /** Calls `expire` after the limit, unless the wait is removed first. */
    add(since: number, expire: () => void): Storing {
      const storing: Storing = { since, expire, previous: newest, next: undefined };
      if (newest) newest.next = storing;
      else oldest = storing;
      newest = storing;
      if (!isTimerSet) setTimer(limitMs);
      return storing;
    },
    remove,
  };
}
