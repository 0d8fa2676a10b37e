// Decides which rows the page's filter shows.

import type { DeliveryRow } from '../page-messages.ts';

export interface RowFilter {
  /** Words that the row must all contain. */
  readonly text: string;
  /** The event type; empty for all. */
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
