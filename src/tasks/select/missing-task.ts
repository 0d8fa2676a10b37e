// For a command that was given no task: whether the user can pick one, and the error if not. Loads nothing else.

import type { Context } from '#cli/context.ts';
import { formatCommand, formatRepeatedCommand } from '#cli/format-command.ts';
import { commandHint, type Failure, type Hint, joinHints, usageError } from '#failure.ts';

/** True if the user can be prompted and something will be sent. */
export function canPick({ canPrompt, common }: Pick<Context, 'canPrompt' | 'common'>): boolean {
  return canPrompt && !common.dryRun && !common.curl;
}

/** The failure for a command without its task, if the user cannot pick one. */
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
