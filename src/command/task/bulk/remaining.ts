// What an earlier run left to do, for the prompt and the summary.

import { finalKind, type RowStates, rowState } from '../../../bulk/row-states.ts';
import { conjugate, formatCount, formatRow, formatRows } from './format-quantity.ts';
import type { Plan } from './plan.ts';
import type { Rows } from './read-rows.ts';

export interface Remaining {
  /** Rows to send, those of unknown outcome among them. */
  readonly toSend: number;
  /** Invalid rows that the journal does not have yet. */
  readonly newInvalid: number;
  /** The lines and ids of rows with an unknown outcome; the first of them, where they are many. */
  readonly unknownRows: string;
}

/** What a new run has to do. */
export function remainingOfNew({ rows, invalid }: Plan): Remaining {
  return { toSend: rows - invalid, newInvalid: invalid, unknownRows: '' };
}

const maxUnknownListed = 50;

/** Reads all rows. Rejects with a usage failure where the input cannot be read any more. */
export async function remainingOfResumed({ batches }: Rows, states: RowStates): Promise<Remaining> {
  const unknownRows: string[] = [];
  let toSend = 0;
  let newInvalid = 0;
  for await (const batch of batches) {
    for (const row of batch) {
      const state = states.get(row.line);
      if (finalKind(state) !== undefined) continue;
      if ('invalid' in row) newInvalid++;
      else toSend++;
      if (state === rowState.sent && unknownRows.length < maxUnknownListed) unknownRows.push(formatRow(row));
    }
  }
  const more = states.count(rowState.sent) - unknownRows.length;
  return {
    toSend,
    newInvalid,
    unknownRows: `${unknownRows.join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
  };
}

/** What an earlier run has finished; undefined where that is nothing. */
export function earlierRunLine(states: RowStates, rows: number): string | undefined {
  const { final, unreported } = states;
  if (final === 0) return undefined;
  const notUpdated = final - states.count(rowState.updated);
  const problems = notUpdated > 0 ? ` (${formatCount(notUpdated)} failed or invalid)` : '';
  // The disk may have been full when they were listed, so nobody can say that they never were.
  const listed =
    unreported > 0
      ? `${formatCount(unreported)} of them ${conjugate(unreported, 'is')} not recorded as listed and ${conjugate(unreported, 'is')} listed now; the others are not listed again.`
      : 'They are skipped and not listed again.';
  return `Done in an earlier run: ${formatCount(final)} of ${formatRows(rows)}${problems}. ${listed} The journal has each by its line.`;
}
