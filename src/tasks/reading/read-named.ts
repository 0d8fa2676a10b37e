// Reads the tasks that arguments name by id, permalink or title: each once, in the order of the arguments.

import type { Context } from '#cli/context.ts';
import { type ReadRecord, readByIds } from '#cli/read-by-ids.ts';
import type { ArgumentsOf } from '#contract/parameter.ts';
import { type Task, taskOperations } from '#contract/task.ts';
import { Failure, toFailure } from '#failure.ts';
import { findByWord, mayBeWord, nameTasks } from '../select/named-task.ts';

export type ReadOptions = ArgumentsOf<(typeof taskOperations.getTasks)['parameters']>;

/** Tasks and failures, by id or by the title that was not found. Undefined if the requests were only printed. */
export async function readNamed(context: Context, texts: readonly string[], options: ReadOptions) {
  const named = await nameTasks(context, texts);
  const ids = named.flatMap((task) => (task instanceof Failure ? [] : [task.id]));
  const results = await readTasksByIds(context, ids, options);
  if (!results) return undefined;
  const reads = new Map<string, ReadRecord<Task> | Failure>();
  for (const [index, task] of named.entries()) {
    if (task instanceof Failure) {
      reads.set(texts[index] ?? '', task);
      continue;
    }
    const read = results.reads.get(task.id);
    if (read instanceof Failure && mayBeWord(read)) {
      for (const [id, readAgain] of await readWord(context, task.id, read, options)) reads.set(id, readAgain);
    } else if (read !== undefined) reads.set(task.id, read);
  }
  return { ...results, reads };
}

/** The task that has the word as its title, since the service has no such id. */
async function readWord(context: Context, word: string, failure: Failure, options: ReadOptions) {
  try {
    const { id } = await findByWord(context, word, failure);
    return (await readTasksByIds(context, [id], options))?.reads ?? new Map();
  } catch (error) {
    const notFound = toFailure(error);
    if (!mayBeWord(notFound)) throw error;
    return new Map([[word, notFound]]);
  }
}

export function readTasksByIds(context: Context, ids: readonly string[], options: ReadOptions) {
  return readByIds(context, taskOperations.getTasks, 'taskIds', ids, options);
}
