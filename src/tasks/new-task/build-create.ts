// Turns the flags of `wm task create` into the parameters of the request. The checks, short forms and names are those of an
// update; errors name the flags of a creation.

import type { Context } from '#cli/context.ts';
import { toKebabCase, toWords } from '#cli/flags/flag.ts';
import type { TaskUpdate } from '#contract/task.ts';
import { type TaskCreate, updateNames } from '#contract/task-create.ts';
import { Failure, usageError } from '#failure.ts';
import { buildUpdate } from '../input/build-update.ts';
import { droppedHtmlWarning } from '../input/html-warning.ts';
import { hasDueDateAlone, validateUpdate } from '../input/validate-update.ts';
import { printRelativeDates, resolveIfNeeded } from '../one/update-one.ts';
import { type CreateFlagValues, toUpdateFlags } from './create-flags.ts';

/** The parameters as those of an update, validated and with ids in place of names. */
export async function prepareCreate(
  context: Context,
  title: string,
  flags: CreateFlagValues,
): Promise<TaskUpdate> {
  return withCreateNames(async () => {
    const built = buildUpdate(toUpdateFlags(flags), context.world.clock.now());
    const update = { ...built.update, title };
    // A new task has no dates that could be cleared.
    validateUpdate(update, true, 'is checked by the caller');
    if (hasDueDateAlone(update)) {
      const { due } = update.dates;
      throw usageError(
        `A due date alone (${due}) would make the task a milestone`,
        `For a planned task, give --start with --due. For a milestone: --due ${due} --milestone`,
      );
    }
    const dropped = droppedHtmlWarning(update.description);
    if (dropped !== undefined) await context.report.warn(dropped);
    await printRelativeDates(context, built.relativeDates);
    return resolveIfNeeded(context, update);
  });
}

/** What is sent. */
export function toCreate(update: TaskUpdate): TaskCreate {
  const own = new Map<string, string>(Object.entries(updateNames).map(([name, other]) => [other, name]));
  // Both have the same schemas under the two names.
  return Object.fromEntries(Object.entries(update).map(([name, value]) => [own.get(name) ?? name, value]));
}

/** A usage failure of what an update shares with a creation says `--add-responsibles`; here it is `--responsibles`. */
export async function withCreateNames<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'usage') throw error;
    throw error.redacted(toOwnNames);
  }
}

function toOwnNames(text: string): string {
  let renamed = text;
  for (const [own, other] of Object.entries(updateNames))
    renamed = renamed
      .replaceAll(`--${toKebabCase(other)}`, `--${toKebabCase(own)}`)
      .replaceAll(toWords(other), toWords(own));
  return renamed;
}
