// The tasks that arguments name. Titles are looked up first. A word that may be an id is tried as an id, and looked up as a title
// only if the service has no such task. A text in the form of the service's ids costs no request.

import type { Context } from '#cli/context.ts';
import { findByPermalink } from '#cli/resolve/find-by-permalink.ts';
import { isPermalink, isTitle } from '#cli/resolve/id-shape.ts';
import { findByName } from '#cli/resolve/match-name.ts';
import { didYouMean } from '#contract/did-you-mean.ts';
import { formatValue } from '#contract/schema.ts';
import { taskOperations } from '#contract/task.ts';
import { taskLists } from '#contract/task-list.ts';
import { Failure, isInterruption, joinHints } from '#failure.ts';
import { sanitizeLine } from '#terminal/sanitize.ts';
import { createNameLists, type NameLists } from '../names/name-lists.ts';
import { type NamedTask, pickAmong, toNamed } from './pick-task.ts';
import { isWord, listTasksHint, parseTaskText } from './task-text.ts';

/** With a failure for each title without a task. Prints which task a title means. Throws a usage failure for an ambiguous one. */
export async function nameTasks(context: Context, texts: readonly string[]) {
  const parsed = texts.map(parseTaskText);
  const ids = parsed.flatMap(({ id }) => (id === undefined ? [] : [id]));
  if (ids.length === parsed.length) return Promise.all(ids.map((id) => followPermalink(context, id)));
  const lists = createNameLists(context.session);
  const named: (NamedTask | Failure)[] = [];
  // One after the other, since each may prompt.
  for (const { id, title = '' } of parsed)
    named.push(await (id === undefined ? findTitled(context, lists, title) : followPermalink(context, id)));
  return named;
}

/** The task of an id or a permalink. An id costs no request. */
async function followPermalink(context: Context, idOrLink: string): Promise<NamedTask | Failure> {
  if (!isPermalink(idOrLink)) return { id: idOrLink };
  const id = await findByPermalink(await context.session(), taskLists.listTasks, idOrLink);
  if (id !== undefined) return { id };
  const message = `No task has the link ${formatValue(idOrLink)}`;
  return new Failure('not_found', { message, hint: listTasksHint(context) });
}

/** The same for one task. A word is tried as an id first, then as a title. Throws `not_found` too. */
export async function nameTask(context: Context, text: string): Promise<NamedTask> {
  const [task] = await nameTasks(context, [text]);
  if (task === undefined) throw new Error('a text without a task');
  if (task instanceof Failure) throw task;
  if (!isWord(text)) return task;
  const failure = await failureOfId(context, text);
  return failure && mayBeWord(failure) ? findByWord(context, text, failure) : task;
}

async function failureOfId(context: Context, id: string): Promise<Failure | undefined> {
  try {
    await (await context.session()).send(taskOperations.getTasks, { taskIds: [id] }, {});
    return undefined;
  } catch (error) {
    if (error instanceof Failure && !isInterruption(error.code)) return error;
    throw error;
  }
}

/** Replaces the titles in a bulk run's texts by ids. A text without a task stays, and becomes an invalid row. */
export async function replaceTitles(context: Context, texts: readonly string[]): Promise<readonly string[]> {
  const ids = new Map<string, string>();
  const titles = texts.filter(isTitle);
  const named = titles.length === 0 ? [] : await nameTasks(context, titles);
  for (const [index, title] of titles.entries()) {
    const task = named[index];
    if (task instanceof Failure) await context.report.warn(`${task.message}. ${task.hint}`);
    else if (task) ids.set(title, task.id);
  }
  const lists = createNameLists(context.session);
  for (const word of texts.filter(isWord)) {
    const failure = await failureOfId(context, word);
    const task = failure && mayBeWord(failure) && (await findTitled(context, lists, word));
    if (task && !(task instanceof Failure)) ids.set(word, task.id);
  }
  return texts.map((text) => ids.get(text) ?? text);
}

/** True for the failures that the service returns for a text that is not a task id. */
export const mayBeWord = ({ code }: Failure): boolean => code === 'not_found' || code === 'rejected';

/** The task with this title of one word. If there is none, throws `failure`, which is the word's failure as an id. */
export async function findByWord(context: Context, text: string, failure: Failure): Promise<NamedTask> {
  if (!isWord(text)) throw failure;
  const lists = createNameLists(context.session);
  await lists.tasksByTitle(text).catch((error: unknown) => {
    // If tasks cannot be listed, the word stays an id.
    throw error instanceof Failure && !isInterruption(error.code) ? failure : error;
  });
  const task = await findTitled(context, lists, text);
  if (!(task instanceof Failure)) return task;
  throw failure.code === 'not_found' ? failure.with({ hint: task.wholeHint }) : failure;
}

/** Comparing more titles would make a suggestion too slow. */
const maxOthers = 10_000;

/** The task with the title, or the failure that there is none. */
async function findTitled(context: Context, lists: NameLists, title: string): Promise<NamedTask | Failure> {
  const listed = await lists.tasksByTitle(title);
  const tasks = findByName(listed, title, (task) => task.title);
  const [first, ...more] = tasks;
  if (first === undefined) {
    const others = listed.flatMap((task) => task.title ?? []).slice(0, maxOthers);
    return new Failure('not_found', {
      message: `No task has the title ${formatValue(title)}`,
      hint: joinHints([didYouMean(title, others, formatValue) ?? [], listTasksHint(context)].flat()),
    });
  }
  const task = more.length === 0 ? first : await pickAmong(context, title, tasks);
  // A script's log needs the id; a person who typed the title does not. JSON has the id itself.
  const { isTerminal } = context.world.streams.errors;
  if (!context.report.wantsJson)
    await context.report.info(sanitizeLine(`Task: ${task.title}${isTerminal ? '' : ` (${task.id})`}`));
  return toNamed(task, tasks);
}
