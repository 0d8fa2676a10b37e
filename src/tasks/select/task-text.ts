// The texts by which a user names a task: its id, its permalink or its title. A text that cannot be an id is a title; a text that
// can be an id is tried as an id first: docs/decisions/names-like-ids.md

import type { Context } from '#cli/context.ts';
import { formatCommand, formatRepeatedCommand } from '#cli/format-command.ts';
import { idFromLink, isIdShaped, isPermalink, isTitle } from '#cli/resolve/id-shape.ts';
import { identifier, isIdentifier } from '#contract/identifier.ts';
import { invalidValue, ValidationError } from '#contract/schema.ts';
import { title } from '#contract/task.ts';
import { commandHint, type Failure, type Hint, joinHints, usageError } from '#failure.ts';

type TaskText =
  | { readonly id: string; readonly title?: never }
  | { readonly id: undefined; readonly title: string };

export const taskArgumentHelp = 'the id, permalink or title of a task';

export const tasksArgument = {
  help: taskArgumentHelp,
  many: true,
  optional: true,
  completes: 'task',
} as const;

export const howToNameTasks = `Name a task by its id, permalink or title (ignoring case). If several tasks have the title, wm lets you pick on a terminal;
elsewhere it lists them and exits with status 2. A text that may be an id is tried as an id first. Without an ID, on a terminal, wm
lets you pick one of the open tasks that are assigned to you; what you type is also looked for in all tasks, if none of those has it.`;

/** Throws a {@link ValidationError} for an empty text, a link without an id, a title that is too long, and obviously mistyped ids. */
export function parseTaskText(text: string): TaskText {
  if (isTitle(text)) return { id: undefined, title: title.validate(text) };
  // An unset shell variable leaves an empty text.
  if (text.trim() === '') throw invalidValue(text, 'is blank: give the id, permalink or title of a task');
  // nameTasks looks it up.
  if (isPermalink(text)) return { id: text };
  return { id: identifier('TaskId').validate(idFromLink(text)) };
}

/** True for a text that may be an id, but lacks the form of the service's ids, so that it may be a title of one word. */
export const isWord = (text: string): boolean => isIdentifier('TaskId', text) && !isIdShaped(text);

/** True if the user can be prompted and something will be sent. */
export function canPick({ canPrompt, isDryRun }: Pick<Context, 'canPrompt' | 'isDryRun'>): boolean {
  return canPrompt && !isDryRun;
}

/** The failure for a command without its task, if the user cannot pick one. */
export function missingTask(context: Context, command: string): Failure {
  const repeated = formatRepeatedCommand(context, `task ${command}`, ['ID']);
  const hints = [`Give the id of the task, or its title: ${repeated}`, listTasksHint(context)];
  return usageError('Missing: ID', joinHints(hints));
}

export function listTasksHint(context: Context): Hint {
  return commandHint('To list tasks: ', formatCommand(context, 'task list'));
}
