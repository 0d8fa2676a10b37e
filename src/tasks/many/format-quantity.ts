// Names a row of a bulk run, and formats durations.

/** `line 3 (IEAAAAAQKQAB5BNG)`; without the id if it is unknown. */
export function formatRow({ line, id }: { readonly line: number; readonly id: string | undefined }): string {
  return id?.trim() ? `line ${line} (${id})` : `line ${line}`;
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
