// What an earlier run of a bulk has left of its input: for the prompt, and for what is said at its end.

import { type RowStates, state } from '../../../bulk/states.ts';
import { count } from './count.ts';
import type { Plan } from './plan.ts';
import type { Rows } from './read-rows.ts';

export interface Left {
  /** Rows to be sent, those of unknown outcome among them. */
  readonly toSend: number;
  /** Invalid rows that are on no record yet. */
  readonly toRefuse: number;
  /** Where those of unknown outcome stand in the input; the first of them, where they are many. */
  readonly unknown: string;
}

/** Of a bulk that begins. */
export function allOf({ rows, refused }: Plan): Left {
  return { toSend: rows - refused, toRefuse: refused, unknown: '' };
}

const mostPlaces = 50;

/** Reads all rows. */
export async function leftOf({ items }: Rows, states: RowStates): Promise<Left> {
  const places: string[] = [];
  let toSend = 0;
  let toRefuse = 0;
  for await (const batch of items) {
    for (const item of batch) {
      const known = states.of(item.line);
      if (known === state.done || known === state.failed) continue;
      if ('refused' in item) toRefuse++;
      else toSend++;
      if (known === state.sent && places.length < mostPlaces)
        places.push(`line ${item.line} (${item.id ?? ''})`);
    }
  }
  const more = states.count(state.sent) - places.length;
  return { toSend, toRefuse, unknown: `${places.join(', ')}${more > 0 ? ` and ${more} more` : ''}` };
}

/** What an earlier run did, as far as it is not done again. */
export function answeredLine(states: RowStates, rows: number): string | undefined {
  const failed = states.count(state.failed);
  const answered = states.count(state.done) + failed;
  if (answered === 0) return undefined;
  const wrong = failed > 0 ? ` (${count(failed)} failed or invalid)` : '';
  // The disk may have been full when they were listed, so that nobody can say that they never were.
  const { unreported } = states;
  const listed =
    unreported > 0
      ? `${count(unreported)} of them ${unreported === 1 ? 'is' : 'are'} not recorded as listed, and ${unreported === 1 ? 'is' : 'are'} listed now; the others are not listed again.`
      : 'They are skipped and not listed again.';
  return `Done in an earlier run: ${count(answered)} of ${count(rows)} rows${wrong}. ${listed} The journal has each by its line.`;
}
