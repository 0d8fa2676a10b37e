// Reads any number of records by id, in batches. The service rejects a whole batch for one unknown id, so wm halves the batch
// until the missing id is alone. It also halves a batch whose response is too large.

import { missingRecords } from '#client/expected-records.ts';
import { prepareRequest } from '#client/request.ts';
import type { JsonObject } from '#contract/json.ts';
import { type Operation, pathParameter } from '#contract/operation.ts';
import type { ArgumentsOf, Parameters } from '#contract/parameter.ts';
import { Failure, type FailureCode, type Hint, toFailure } from '#failure.ts';
import type { Context } from './context.ts';
import { agree } from './count-of.ts';
import { printIfDryRun } from './send.ts';

export interface ReadRecord<R> {
  readonly record: R;
  readonly raw: JsonObject;
}

/** The record, or the failure to read it, by id and in the order of the ids. */
export type ReadResults<R> = ReadonlyMap<string, ReadRecord<R> | Failure>;

export interface ReadByIds<R> {
  readonly reads: ReadResults<R>;
  /** The failure that kept the rest from being read: no network, a rejected token. */
  readonly endedBy?: Failure;
}

/** Undefined if only printed. `name`: the path parameter for the ids. Throws a usage failure for an invalid id before anything is sent. */
export async function readByIds<P extends Parameters, R extends { readonly id: string }>(
  context: Context,
  operation: Operation<P, R>,
  name: string,
  ids: readonly string[],
  parameters: ArgumentsOf<P>,
): Promise<ReadByIds<R> | undefined> {
  const batches = splitIntoBatches([...new Set(ids)], pathParameter(name)?.maxIds ?? 1);
  const paths = batches.map((batch) => ({ [name]: batch }));
  for (const path of paths) prepareRequest(operation, path, parameters);
  const requests = paths.map((path) => ({ path, parameters }));
  if (await printIfDryRun(context, operation, requests)) return undefined;

  const session = await context.session();
  const reads = new Map<string, ReadRecord<R> | Failure>();
  const read = async (batch: readonly string[]): Promise<void> => {
    try {
      const { records, raw } = await session.send(operation, { [name]: batch }, parameters);
      const found = new Map(
        records.map((record, index) => [record.id, { record, raw: raw[index] ?? {} }] as const),
      );
      for (const id of batch) reads.set(id, found.get(id) ?? missingRecords([id]));
    } catch (error) {
      if (!(error instanceof Failure) || error.meaning.concerns !== 'record') throw error;
      const [onlyId] = batch;
      if (batch.length === 1 && onlyId !== undefined) return void reads.set(onlyId, error);
      const middle = Math.ceil(batch.length / 2);
      await read(batch.slice(0, middle));
      await read(batch.slice(middle));
    }
  };
  let endedBy: Failure | undefined;
  try {
    for (const batch of batches) await read(batch);
  } catch (error) {
    endedBy = toFailure(error);
  }
  return { reads, ...(endedBy ? { endedBy } : {}) };
}

function splitIntoBatches(ids: readonly string[], batchSize: number): readonly (readonly string[])[] {
  const batches: (readonly string[])[] = [];
  for (let start = 0; start < ids.length; start += batchSize)
    batches.push(ids.slice(start, start + batchSize));
  return batches;
}

export function foundRecords<R>(reads: ReadResults<R>): readonly ReadRecord<R>[] {
  return [...reads.values()].flatMap((result) => (result instanceof Failure ? [] : [result]));
}

/** A single id's own failure, or one that names all missing ids. `things`: the plural, `webhooks`. `nameOf` names a record. */
export function missingFailure<R>(
  reads: ReadResults<R>,
  things: string,
  hint: Hint,
  nameOf = (id: string) => id,
): Failure | undefined {
  const failures = [...reads].flatMap(([id, result]) =>
    result instanceof Failure ? [{ id, failure: result }] : [],
  );
  const [first] = failures;
  if (first === undefined) return undefined;
  if (reads.size === 1) return first.failure;
  const parts = outcomes.flatMap(([code, outcome]) => {
    const names = failures.filter(({ failure }) => failure.code === code).map(({ id }) => nameOf(id));
    const verb = agree(names.length, 'was');
    return names.length === 0
      ? []
      : [`${names.length} of ${reads.size} ${things} ${verb} ${outcome}: ${joinSome(names)}`];
  });
  return new Failure('not_found', { message: parts.join('; '), hint });
}

const outcomes: readonly (readonly [FailureCode, string])[] = [
  ['not_found', 'not found'],
  ['forbidden', 'forbidden'],
  ['too_large', 'too large'],
  ['rejected', 'rejected by the service'],
];

const maxNamed = 20;

function joinSome(ids: readonly string[]): string {
  const more = ids.length - maxNamed;
  return more > 0 ? `${ids.slice(0, maxNamed).join(', ')} and ${more} more` : ids.join(', ');
}
