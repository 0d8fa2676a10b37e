// Formats a time relative to now: "in 58 minutes", "3 days ago". Only for terminals: pipes and JSON get the timestamp.

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const;

/** Both in milliseconds since 1970. Uses the largest unit that gives at least two, or exactly one. */
export function formatRelativeTime(time: number, now: number): string {
  const distance = Math.abs(time - now);
  const [unit, unitMs] = units.find(([, ms]) => distance >= 2 * ms || distance === ms) ?? ['second', 1000];
  const count = Math.floor(distance / unitMs);
  if (count === 0) return 'now';
  const amount = `${count} ${unit}${count === 1 ? '' : 's'}`;
  return time > now ? `in ${amount}` : `${amount} ago`;
}

/** For a cell: relative if `now` is given, otherwise the time in ISO 8601 itself. */
export function formatTime(time: string, now: number | undefined): string {
  return now === undefined ? time : formatRelativeTime(Date.parse(time), now);
}
