// Which rows the filter of the page shows.

import type { DeliveryRow } from '../page-messages.ts';

export interface RowFilter {
  /** Words, each of which must be somewhere in what the row shows. */
  readonly text: string;
  /** Empty for all of them. */
  readonly event: string;
  readonly state: string;
}

export function matchesRowFilter(row: DeliveryRow, { text, event, state }: RowFilter): boolean {
  if (event !== '' && !row.events.includes(event)) return false;
  if (state !== '' && row.state !== state) return false;
  const words = text.normalize('NFC').toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return true;
  const shown = [
    `#${row.sequence}`,
    ...row.events,
    ...row.subjects,
    row.title,
    row.signature,
    row.state,
    row.outcome,
  ]
    .join('\n')
    .normalize('NFC')
    .toLowerCase();
  return words.every((word) => shown.includes(word));
}
