// Prints the results of a bulk run whose rows are all invalid, in the same form as among valid rows.

import { toFailure } from '../../../failure.ts';
import type { Context } from '../../context.ts';
import type { Rows } from './read-rows.ts';
import { createResultWriter } from './results.ts';

/** Throws a Failure where standard output cannot be written. */
export async function listInvalid(
  { world: { streams, secrets }, report }: Pick<Context, 'world' | 'report'>,
  { batches }: Rows,
): Promise<void> {
  const thrown: unknown[] = [];
  const results = createResultWriter(streams.output, {
    report,
    secrets,
    earlierErrors: new Map(),
    // There is no journal to record it.
    onReported() {},
    onBroken: (error) => thrown.push(error),
  });
  for await (const batch of batches)
    for (const row of batch.filter((one) => 'invalid' in one)) await results.add({ row });
  await results.flush();
  for (const error of thrown) throw toFailure(error);
}
