// Reads any number of records by id, in batches. The service rejects a whole batch for one unknown id, so wm halves the batch
// until the missing id is alone. It also halves a batch whose response is too large.

import { prepareRequest } from '#client/request.ts';
import type { JsonObject } from '#client/response.ts';
import type { Operation } from '#contract/operation.ts';
import type { ArgumentsOf, Parameters } from '#contract/parameter.ts';
import { Failure, type FailureCode, type Hint, toFailure } from '#failure.ts';
import type { Context } from './context.ts';
import { printEachIfDryRun } from './send.ts';

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

/**
 * Undefined if the requests were only printed. `name`: the path parameter for the ids. Reads a repeated id once. Throws a
 * usage failure for an invalid id before anything is sent.
 */
export async function readByIds<P extends Parameters, R extends { readonly id: string }>(
  context: Context,
  operation: Operation<P, R>,
  name: string,
  ids: readonly string[],
  parameters: ArgumentsOf<P>,
): Promise<ReadByIds<R> | undefined> {
  const portions = splitIntoPortions([...new Set(ids)], operation.pathParameters[name]?.maxIds ?? 1);
  const paths = portions.map((portion) => ({ [name]: portion }));
  for (const path of paths) prepareRequest(operation, path, parameters);
  if (await printEachIfDryRun(context, operation, paths, parameters)) return undefined;

  const session = await context.session();
  const reads = new Map<string, ReadRecord<R> | Failure>();
  const read = async (some: readonly string[]): Promise<void> => {
    try {
      const { records, raw } = await session.send(operation, { [name]: some }, parameters);
      for (const [at, record] of records.entries()) {
        const one = raw[at];
        if (one !== undefined && some.includes(record.id)) reads.set(record.id, { record, raw: one });
      }
      for (const id of some) if (!reads.has(id)) reads.set(id, notFound(id));
    } catch (error) {
      if (!(error instanceof Failure) || error.meaning.concerns !== 'record') throw error;
      const [only] = some;
      if (some.length === 1 && only !== undefined) return void reads.set(only, error);
      const middle = Math.ceil(some.length / 2);
      await read(some.slice(0, middle));
      await read(some.slice(middle));
    }
  };
  let endedBy: Failure | undefined;
  try {
    for (const portion of portions) await read(portion);
  } catch (error) {
    endedBy = toFailure(error);
  }
  const inOrder = [...new Set(ids)].flatMap((id) => {
    const one = reads.get(id);
    return one === undefined ? [] : [[id, one] as const];
  });
  return { reads: new Map(inOrder), ...(endedBy ? { endedBy } : {}) };
}

function notFound(id: string): Failure {
  return new Failure('not_found', { message: `The response of the service does not contain ${id}` });
}

function splitIntoPortions(ids: readonly string[], most: number): readonly (readonly string[])[] {
  const portions: (readonly string[])[] = [];
  for (let at = 0; at < ids.length; at += most) portions.push(ids.slice(at, at + most));
  return portions;
}

export function foundRecords<R>(reads: ReadResults<R>): readonly ReadRecord<R>[] {
  return [...reads.values()].flatMap((one) => (one instanceof Failure ? [] : [one]));
}

/**
 * The failure of the command, if any: a single id's own failure, or one that names all missing ids. `things`: the plural,
 * `webhooks`. `nameOf` names a record.
 */
export function missingFailure<R>(
  reads: ReadResults<R>,
  things: string,
  hint: Hint,
  nameOf = (id: string) => id,
): Failure | undefined {
  const failures = [...reads].flatMap(([id, one]) => (one instanceof Failure ? [{ id, failure: one }] : []));
  const [first] = failures;
  if (first === undefined) return undefined;
  if (reads.size === 1) return first.failure;
  const ids = (code: FailureCode) =>
    failures.filter(({ failure }) => failure.code === code).map(({ id }) => id);
  const [unknown, denied, tooLarge] = [ids('not_found'), ids('forbidden'), ids('too_large')];
  const rejected = ids('rejected');
  const parts = [
    ...(unknown.length > 0
      ? [`${countWithVerb(unknown, reads.size, things)} not found: ${joinSome(unknown.map(nameOf))}`]
      : []),
    ...(denied.length > 0
      ? [`${countWithVerb(denied, reads.size, things)} forbidden: ${joinSome(denied.map(nameOf))}`]
      : []),
    ...(tooLarge.length > 0
      ? [`${countWithVerb(tooLarge, reads.size, things)} too large: ${joinSome(tooLarge.map(nameOf))}`]
      : []),
    ...(rejected.length > 0
      ? [
          `${countWithVerb(rejected, reads.size, things)} rejected by the service: ${joinSome(rejected.map(nameOf))}`,
        ]
      : []),
  ];
  return new Failure('not_found', { message: parts.join('; '), hint });
}

function countWithVerb(ids: readonly string[], all: number, things: string): string {
  return `${ids.length} of ${all} ${things} ${ids.length === 1 ? 'was' : 'were'}`;
}

const maxNamed = 20;

function joinSome(ids: readonly string[]): string {
  const more = ids.length - maxNamed;
  return more > 0 ? `${ids.slice(0, maxNamed).join(', ')} and ${more} more` : ids.join(', ');
}
