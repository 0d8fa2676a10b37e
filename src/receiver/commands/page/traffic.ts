// Counts deliveries and failures by minute for the chart of the last hour. It uses the wall clock, as the labels do: if the clock is set
// back, new bars appear further left.

import type { PageActivity } from './page-source.ts';

const shownMinutes = 60;
const minuteMs = 60_000;

export function createTraffic() {
  const minutes = new Map<number, { received: number; failed: number }>();
  return {
    add(activity: PageActivity, now: number) {
      const current = Math.floor(now / minuteMs);
      const received = activity.kind === 'stored' ? 1 : activity.kind === 'passed' ? activity.count : 0;
      const failed = failuresIn(activity);
      if (received + failed === 0) return;
      const counts = minutes.get(current) ?? { received: 0, failed: 0 };
      counts.received += received;
      counts.failed += failed;
      minutes.set(current, counts);
      for (const minute of minutes.keys()) if (!isShown(minute, current)) minutes.delete(minute);
    },
    /** Oldest first, without empty minutes. */
    minutes(now: number) {
      const last = Math.floor(now / minuteMs);
      return [...minutes]
        .filter(([minute]) => isShown(minute, last))
        .map(([minute, counts]) => ({ minute, ...counts }))
        .toSorted((a, b) => a.minute - b.minute);
    },
    minute(now: number) {
      const minute = Math.floor(now / minuteMs);
      return { minute, ...(minutes.get(minute) ?? { received: 0, failed: 0 }) };
    },
  };
}

const isShown = (minute: number, last: number) => minute > last - shownMinutes && minute <= last;

function failuresIn(activity: PageActivity): number {
  if (activity.kind === 'rejected') return 1 + (activity.leftOut ?? 0);
  return activity.kind === 'attempt' && activity.verdict !== 'forwarded' ? 1 : 0;
}
