// Reads any number of records by id, in batches. If a batch names one unknown id, the service responds with an error for
// all of it, so the batch is halved until the missing id is alone. A batch whose response is too large is halved too.

import type { JsonObject } from '#client/response.ts';
import { prepareRequest } from '#client/session.ts';
import type { Operation } from '#contract/operation.ts';
import type { ArgumentsOf, Parameters } from '#contract/parameter.ts';
import { Failure, type FailureCode, type Hint, toFailure } from '#failure.ts';
import type { Context } from './context.ts';
import { printEachIfDryRun } from './send.ts';

export interface ReadRecord<R> {
  readonly record: R;
  readonly raw: JsonObject;
}

/** By id, in the order of the ids: the record, or why there is none. */
export type ReadResults<R> = ReadonlyMap<string, ReadRecord<R> | Failure>;

export interface ReadByIds<R> {
  readonly reads: ReadResults<R>;
  /** What kept the rest from being read, where something did: no network, a token that is not accepted. */
  readonly endedBy?: Failure;
}

/**
 * Nothing where the requests were only shown. `name` is the path parameter that takes the ids; an id that is given twice
 * is read once. Throws a usage failure for an id that cannot be one, before anything is sent.
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
 * The failure that the command ends with, where there is one: of a single id its own, of several one that names those
 * that are missing. `things` is the plural: webhooks; `nameOf` names one.
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
