// What an earlier run of a bulk has left of its input: for the prompt, and for what is said at its end.

import { type RowStates, rowState } from '../../../bulk/row-states.ts';
import { formatCount } from './format-number.ts';
import type { Plan } from './plan.ts';
import type { Rows } from './read-rows.ts';

export interface Remaining {
  /** Rows to be sent, those of unknown outcome among them. */
  readonly toSend: number;
  /** Invalid rows that are on no record yet. */
  readonly newInvalid: number;
  /** Where those of unknown outcome stand in the input; the first of them, where they are many. */
  readonly unknownRows: string;
}

/** Of a bulk that begins. */
export function remainingOfNew({ rows, invalid }: Plan): Remaining {
  return { toSend: rows - invalid, newInvalid: invalid, unknownRows: '' };
}

const maxUnknownListed = 50;

/** Reads all rows. */
export async function remainingOfResumed({ batches }: Rows, states: RowStates): Promise<Remaining> {
  const places: string[] = [];
  let toSend = 0;
  let toRefuse = 0;
  for await (const batch of batches) {
    for (const item of batch) {
      const known = states.get(item.line);
      if (known === rowState.updated || known === rowState.failed) continue;
      if ('invalid' in item) toRefuse++;
      else toSend++;
      if (known === rowState.sent && places.length < maxUnknownListed)
        places.push(`line ${item.line} (${item.id ?? ''})`);
    }
  }
  const more = states.count(rowState.sent) - places.length;
  return {
    toSend,
    newInvalid: toRefuse,
    unknownRows: `${places.join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
  };
}

/** What an earlier run did, as far as it is not done again. */
export function earlierRunLine(states: RowStates, rows: number): string | undefined {
  const failed = states.count(rowState.failed);
  const answered = states.count(rowState.updated) + failed;
  if (answered === 0) return undefined;
  const wrong = failed > 0 ? ` (${formatCount(failed)} failed or invalid)` : '';
  // The disk may have been full when they were listed, so that nobody can say that they never were.
  const { unreported } = states;
  const listed =
    unreported > 0
      ? `${formatCount(unreported)} of them ${unreported === 1 ? 'is' : 'are'} not recorded as listed, and ${unreported === 1 ? 'is' : 'are'} listed now; the others are not listed again.`
      : 'They are skipped and not listed again.';
  return `Done in an earlier run: ${formatCount(answered)} of ${formatCount(rows)} rows${wrong}. ${listed} The journal has each by its line.`;
}
