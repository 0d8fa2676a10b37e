// What an earlier run of a bulk has left of its input: for the question, and for what is said at its end.

import { type RowStates, state } from '../../../bulk/past.ts';
import { count } from './count.ts';
import type { Plan } from './plan.ts';
import type { Rows } from './read-rows.ts';

export interface Left {
  /** Rows to be sent, those of unknown outcome among them. */
  readonly toSend: number;
  /** Rows to be refused, and on no record yet. */
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
      const known = states.of(item.number);
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

/** A kill may have come between an answer on record and its line on standard output. */
export function answeredLine(states: RowStates, rows: number): string | undefined {
  const failed = states.count(state.failed);
  const answered = states.count(state.done) + failed;
  if (answered === 0) return undefined;
  const [all, of, wrong] = [answered, rows, failed].map(count);
  return `Answered before: ${all} of ${of} rows${failed > 0 ? `, ${wrong} of them failed or refused` : ''}. They are neither sent nor told again; the journal has each by its row, counted from 1.`;
}
