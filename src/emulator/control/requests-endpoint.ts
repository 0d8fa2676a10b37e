// The log of requests: those after a number, of some operations, or only those that were rejected.

import { formatValue, invalidChoice, ValidationError } from '../../contract/schema.ts';
import type { ControlRequest } from './control-request.ts';
import { requireRequestName } from './request-name.ts';

/** Besides the names that a fault may have. */
const otherNames: readonly string[] = ['any', 'stub', 'none', 'page', 'options'];
const parameters: readonly string[] = ['since', 'operation', 'rejected'];

export function listRequests({ service: { requests }, query }: ControlRequest) {
  for (const name of query.keys()) if (!parameters.includes(name)) throw invalidChoice(name, parameters);
  const since = readNumber(query.get('since') ?? '0');
  const operations = query.get('operation')?.split(',');
  for (const name of operations ?? []) requireRequestName(name, otherNames);
  const onlyRejected = query.get('rejected') === 'true';
  const { last, lastRemoved } = requests;
  return {
    requests: requests
      .after(since)
      .filter(
        ({ operation, status = 0 }) =>
          (operations === undefined || operations.includes('any') || operations.includes(operation)) &&
          (!onlyRejected || status >= 400),
      ),
    last,
    // Whoever counts has to know that some are missing.
    removed: Math.max(0, lastRemoved - since),
  };
}

export function clearRequests({ service: { requests } }: ControlRequest) {
  requests.clear();
  return { requests: [], last: requests.last, removed: 0 };
}

function readNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text))
    throw new ValidationError(formatValue(text), 'is not the number of a request');
  return Number(text);
}
