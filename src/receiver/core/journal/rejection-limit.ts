// Limits the notes about rejected requests, so that strangers cannot fill the disk. After some notes in a minute, only the last one is
// written, with the number of rejections that it stands for.

import type { Clock } from '#world/world.ts';
import type { Rejection } from '../intake/delivery-journal.ts';

const minuteMs = 60_000;
const maxPerMinute = 60;

export function createRejectionLimit(clock: Pick<Clock, 'after'>, write: (note: Rejection) => void) {
  let last: Rejection | undefined;
  const limit = createRateLimit(clock, minuteMs, maxPerMinute, (count) => {
    if (last) write({ ...last, leftOut: count - 1 });
  });
  return {
    add(note: Rejection) {
      if (limit.take()) write(note);
      else last = note;
    },
    end: limit.end,
  };
}

/** Lets up to `most` through in each period, and reports at its end how many more came, if any. */
export function createRateLimit(
  clock: Pick<Clock, 'after'>,
  periodMs: number,
  most: number,
  report: (count: number) => void,
) {
  let count = 0;
  let cancel: (() => void) | undefined;
  const end = () => {
    cancel?.();
    cancel = undefined;
    const more = count - most;
    count = 0;
    if (more > 0) report(more);
  };
  return {
    take() {
      cancel ??= clock.after(periodMs, end);
      count += 1;
      return count <= most;
    },
    end,
  };
}
