// Limits the notes about rejected requests, so that strangers cannot fill the disk. After some notes in a minute, only the last one is
// written, with the number of rejections that it stands for.

import type { Clock } from '#world/world.ts';
import type { Rejection } from '../intake/delivery-journal.ts';

const minuteMs = 60_000;
const maxPerMinute = 60;

export function createRejectionLimit(clock: Pick<Clock, 'after'>, write: (note: Rejection) => void) {
  let written = 0;
  let leftOut = 0;
  /** The last rejection that was left out. */
  let last: Rejection | undefined;
  let cancel: (() => void) | undefined;
  const end = () => {
    cancel?.();
    cancel = undefined;
    if (last) write({ ...last, leftOut });
    written = 0;
    leftOut = 0;
    last = undefined;
  };
  return {
    add(note: Rejection) {
      cancel ??= clock.after(minuteMs, end);
      if (written < maxPerMinute) {
        written += 1;
        return write(note);
      }
      if (last) leftOut += 1;
      last = note;
    },
    end,
  };
}
