// Judges what the program says after a strange response by what is true of the emulator. Exit statuses: docs/exit-statuses.md.

import type { StrangeResponse } from '../witness/strange-responses.ts';
import { allOperations, type Call } from './strange-calls.ts';
import type { Result } from './strange-place.ts';

/** Says what is untrue; undefined if all is true. */
export function findUntruth(call: Call, strange: StrangeResponse, result: Result): string | undefined {
  if (result.replaced === 0) return 'sent nothing';
  const { method } = allOperations[call.operation];
  return method === 'GET' ? ofRead(call, strange, result) : ofChange(call, strange, result);
}

function ofRead({ ids = [], argv }: Call, { from }: StrangeResponse, result: Result): string | undefined {
  const { status, output, errors, otherId = 'no id' } = result;
  // Of several, a command finds all that it asked for, and `wm api` prints the response as it is.
  const hasAll = from === 'records' && ids.length > 1 && ids.every((id) => output.includes(id));
  if (status === 0 && hasAll && (argv[0] === 'api' || !output.includes(otherId))) return undefined;
  if (status === 0) return 'success';
  if (from === 'service') return status < 8 ? undefined : `status ${status}`;
  if (from === 'records' && ids.length > 1)
    return status === 1 || (status === 5 && ids.some((id) => errors.includes(id)))
      ? undefined
      : `status ${status}`;
  return status === 1 || status === 7 ? undefined : `status ${status}`;
}

function ofChange(call: Call, { from }: StrangeResponse, result: Result): string | undefined {
  const { status, output, errors, isMade, otherId = 'no id' } = result;
  const { method } = allOperations[call.operation];
  // What does not exist yet has no id to look for, so a warning that names it is enough. `wm api` prints the response.
  const isNamed =
    method === 'POST' && from === 'records' && (call.argv[0] === 'api' ? output : errors).includes(otherId);
  if (status === 0 && !isMade && !isNamed) return 'success, though nothing was made';
  if (isMade && /nothing was (changed|deleted)/i.test(errors)) return '"nothing was changed", though it was';
  if (from === 'service') return undefined;
  if (status > 1 && status < 8) return `status ${status}`;
  if (status === 1 && isMade) return 'status 1, though it was made';
  return call.rows === undefined ? undefined : ofRows(call.rows, result);
}

/** Of a bulk run, whose last line counts the rows: `1 of 2 rows updated in 0.1 s (9/s), 1 unknown`. */
function ofRows(rows: number, { errors, isMade }: Result): string | undefined {
  const [line = errors, updated] = /(\d+) of \d+ rows updated.*/.exec(errors) ?? [];
  if (!isMade && updated !== '0') return `rows updated, though nothing was made: ${line}`;
  return updated === `${rows}` || line.includes(`${rows - Number(updated)} unknown`) ? undefined : line;
}
