// Numbers and sizes in sentences: `1 delivery`, `1,200 deliveries are`, `1 row of 3 was`, and the words that agree with them.

const plurals = { is: 'are', was: 'were', has: 'have', differs: 'differ', it: 'them' } as const;

type Agreeing = keyof typeof plurals;

export function agree(count: number, word: Agreeing): string {
  return count === 1 ? word : plurals[word];
}

/** `1,000,000`. */
export function formatCount(count: number): string {
  // Not toLocaleString, which takes some 10 ms to load its tables.
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `1 delivery`, `2 deliveries are`. */
export function countOf(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatCount(count)} ${count === 1 ? singular : plural}`;
}

/** The subject and its verb: `1 row of 3 was`, `2 of 3 rows were`, `The only row was`. */
export function shareOf(count: number, total: number, noun: string, verb: Agreeing): string {
  if (total === 1) return `The only ${noun} ${verb}`;
  const share =
    count === 1 ? `1 ${noun} of ${formatCount(total)}` : `${formatCount(count)} of ${countOf(total, noun)}`;
  return `${share} ${agree(count, verb)}`;
}

const kilobyte = 1000;

/** `812 bytes`, `1.2 MB`. */
export function formatSize(bytes: number): string {
  if (bytes < kilobyte) return `${bytes} bytes`;
  const inKilobytes = bytes / kilobyte;
  return inKilobytes < kilobyte
    ? `${inKilobytes.toFixed(1)} kB`
    : `${(inKilobytes / kilobyte).toFixed(1)} MB`;
}

const hour = 3600;
const day = 24 * hour;

/** `40 s`, `15 min`, `3.5 h`, `365 days`. Short times are rounded up, so that a wait is never shown as 0 s. */
export function formatDuration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 1.5 * hour) return `${Math.round(seconds / 60)} min`;
  if (seconds < 2 * day) return `${(seconds / hour).toFixed(1)} h`;
  return `${Math.round(seconds / day)} days`;
}
