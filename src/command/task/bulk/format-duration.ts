// How long something takes, as a person says it: 40 s, 15 min, 3.5 h, 365 days.

const hour = 3600;
const day = 24 * hour;

/** Rounded up where it is short: nobody waits for 0 s. */
export function formatDuration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 1.5 * hour) return `${Math.round(seconds / 60)} min`;
  if (seconds < 2 * day) return `${(seconds / hour).toFixed(1)} h`;
  return `${Math.round(seconds / day)} days`;
}
