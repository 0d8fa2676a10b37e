// Reads the tasks that arguments name, by id, permalink or title: each once, in the order given.

import type { Context } from '#cli/context.ts';
import { type ReadByIds, type ReadRecord, readByIds } from '#cli/read-by-ids.ts';
import { operations } from '#contract/operation.ts';
import type { ArgumentsOf } from '#contract/parameter.ts';
import type { Task } from '#contract/task.ts';
import { Failure, toFailure } from '#failure.ts';
import { findByWord, mayBeWord, nameTasks } from '../select/named-task.ts';

export type ReadOptions = ArgumentsOf<(typeof operations.getTasks)['parameters']>;

/** Tasks and failures, by id or by the title that was not found. Undefined if the requests were only shown. */
export async function readNamed(
  context: Context,
  texts: readonly string[],
  options: ReadOptions,
): Promise<ReadByIds<Task> | undefined> {
  const named = await nameTasks(context, texts);
  const ids = named.flatMap((one) => (one instanceof Failure ? [] : [one.id]));
  const several = await readTasksByIds(context, ids, options);
  if (!several) return undefined;
  const reads = new Map<string, ReadRecord<Task> | Failure>();
  for (const [at, one] of named.entries()) {
    if (one instanceof Failure) {
      reads.set(texts[at] ?? '', one);
      continue;
    }
    const read = several.reads.get(one.id);
    if (read instanceof Failure && mayBeWord(read)) {
      for (const [id, found] of await readWord(context, one.id, read, options)) reads.set(id, found);
    } else if (read !== undefined) reads.set(one.id, read);
  }
  return { ...several, reads };
}

/** The task that has the word as its title, since the service has no such id. */
async function readWord(
  context: Context,
  word: string,
  failure: Failure,
  options: ReadOptions,
): Promise<ReadByIds<Task>['reads']> {
  try {
    const { id } = await findByWord(context, word, failure);
    return (await readTasksByIds(context, [id], options))?.reads ?? new Map();
  } catch (error) {
    const notFound = toFailure(error);
    if (!mayBeWord(notFound)) throw error;
    return new Map([[word, notFound]]);
  }
}

export function readTasksByIds(
  context: Context,
  ids: readonly string[],
  options: ReadOptions,
): Promise<ReadByIds<Task> | undefined> {
  return readByIds(context, operations.getTasks, 'taskIds', ids, options);
}
