// Formats counts, shares and durations for a bulk run: 1,000,000 rows; 1 row of 3 was; 15 min.

/** `1,000,000`. */
export function formatCount(number: number): string {
  // Not toLocaleString, which takes some 10 ms to load its tables.
  return String(number).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `line 3 (IEAAAAAQKQAB5BNG)`; without the id if it is unknown. */
export function formatRow({ line, id }: { readonly line: number; readonly id: string | undefined }): string {
  return id?.trim() ? `line ${line} (${id})` : `line ${line}`;
}

/** `1 row`, `2 rows`. */
export function formatRows(number: number): string {
  return `${formatCount(number)} ${number === 1 ? 'row' : 'rows'}`;
}

const plural = { is: 'are', was: 'were', has: 'have' } as const;

/** `is` or `are`, by the number. */
export function conjugate(number: number, verb: keyof typeof plural): string {
  return number === 1 ? verb : plural[verb];
}

/** The subject and its verb: `1 row of 3 was`, `2 of 3 rows were`, `The only row was`. */
export function formatShare(count: number, total: number, verb: keyof typeof plural): string {
  if (total === 1) return `The only row ${verb}`;
  const share =
    count === 1 ? `1 row of ${formatCount(total)}` : `${formatCount(count)} of ${formatRows(total)}`;
  return `${share} ${conjugate(count, verb)}`;
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
