// Reads the outcome of each operation of a batch from the results of its job, whose form is assumed.

import { type AsyncJob, type BatchOperation, finishedJobStatus } from '#contract/batch-operation.ts';
import { isJsonObject } from '#contract/json.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { Column } from '#terminal/table.ts';

/** `failed`: the service rejected this operation. `unknown`: sent, but wm recognises nothing that shows its outcome. */
export type BatchOutcome = 'done' | 'failed' | 'unknown' | 'not-sent';

export interface OperationOutcome {
  /** Counts from 1 in the order of the input. */
  readonly number: number;
  readonly outcome: BatchOutcome;
  /** Absent if wm follows a job whose input it does not know. */
  readonly operation?: BatchOperation | undefined;
  /** As the service sent it. */
  readonly result?: unknown;
}

/** `first`: the number of the job's first operation. */
export function readOutcomes(
  { status, results = [] }: AsyncJob,
  first: number,
  operations?: readonly BatchOperation[],
): readonly OperationOutcome[] {
  const count = operations?.length ?? results.length;
  return Array.from({ length: count }, (_, index) => {
    const result = results[index];
    const reported = readOutcome(result);
    // A job that did not complete may have undone operations that its results call done.
    const outcome =
      reported === 'done' && status !== undefined && status !== finishedJobStatus ? 'unknown' : reported;
    return { number: first + index, operation: operations?.[index], outcome, result };
  });
}

export function withOutcome(outcome: BatchOutcome, first: number, operations: readonly BatchOperation[]) {
  return operations.map((operation, index) => ({ number: first + index, operation, outcome }));
}

function readOutcome(result: unknown): BatchOutcome {
  const [error, status] = [member(result, 'error') ?? undefined, member(result, 'status')];
  const [succeeded, failed] =
    typeof status === 'number' ? [status >= 200 && status < 300, status >= 400] : [false, false];
  if (error === undefined) return succeeded ? 'done' : failed ? 'failed' : 'unknown';
  return typeof error === 'string' && error !== '' && !succeeded ? 'failed' : 'unknown';
}

function member(result: unknown, name: string): unknown {
  return isJsonObject(result) && Object.hasOwn(result, name) ? result[name] : undefined;
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

export const outcomeColumns: readonly Column<OperationOutcome>[] = [
  { title: 'operation', cell: ({ number }) => String(number) },
  {
    title: 'outcome',
    cell: ({ outcome }) => outcome,
    format: ({ outcome }, style) => (outcome === 'done' ? style.good : style.bad),
  },
  { title: 'method', cell: ({ operation }) => operation?.method ?? '' },
  { title: 'path', cell: ({ operation }) => operation?.path ?? '' },
  {
    title: 'ids',
    cell({ result }) {
      const data = member(result, 'data');
      return Array.isArray(data) ? data.map((record) => textOf(member(record, 'id'))).join(', ') : '';
    },
  },
  {
    title: 'error',
    cell: ({ result }) =>
      [member(result, 'error'), member(result, 'errorDescription')].map(textOf).filter(Boolean).join(': '),
  },
];

export function toOutcomeJson({ number, outcome, operation, result }: OperationOutcome): object {
  const { method, path } = operation ?? {};
  return { operation: number, outcome, ...omitUndefined({ method, path, result }) };
}
