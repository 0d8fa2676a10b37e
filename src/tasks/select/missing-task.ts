// A command without the task that it is about: whether one can be picked, and the error if not. Loads nothing else.

import type { Context } from '#cli/context.ts';
import { formatCommand, formatRepeatedCommand } from '#cli/format-command.ts';
import { commandHint, type Failure, type Hint, joinHints, usageError } from '#failure.ts';

/** Where a list can be offered: a person is there, and something will be sent. */
export function canPick({ canPrompt, common }: Pick<Context, 'canPrompt' | 'common'>): boolean {
  return canPrompt && !common.dryRun && !common.curl;
}

/** For a command whose task was left out, where none can be picked. */
export function missingTask(context: Context, command: string): Failure {
  return usageError(
    'Missing: ID',
    joinHints([
      `Give the id of the task, or its title: ${formatRepeatedCommand(context, `task ${command}`, ['ID'])}`,
      listTasksHint(context),
    ]),
  );
}

export function listTasksHint(context: Context): Hint {
  return commandHint('To list tasks: ', formatCommand(context, 'task list'));
}
