// Turns the flags of `wm task create` into the parameters of the request. Checks, short forms and names are the same as for an
// update; errors name the flags of `create`.

import type { Context } from '#cli/context.ts';
import { type Flag, type ParsedFlags, textFlag, toKebabCase, toWords } from '#cli/flags/flag.ts';
import { formatCommand } from '#cli/format-command.ts';
import { withValueName } from '#cli/parse-values.ts';
import { resolvePlace } from '#cli/resolve/resolve-place.ts';
import { type TaskUpdate, title as titleSchema } from '#contract/task.ts';
import { createName, type TaskCreate, taskCreateParameters, updateNames } from '#contract/task-create.ts';
import { Failure, usageError } from '#failure.ts';
import { buildUpdate, type UpdateFlagValues } from '../input/build-update.ts';
import { updateFlags } from '../input/update-flags.ts';
import { validateUpdate } from '../input/validate-update.ts';
import { announceAndResolve } from '../one/update-one.ts';

/** The parameters under their names in an update, validated and with ids in place of names. */
export async function prepareCreate(context: Context, title: string, flags: CreateFlagValues) {
  return withCreateNames(async () => {
    const built = buildUpdate(toUpdateFlags(flags), context.world.clock.now());
    const update = { ...built.update, title };
    // A new task has no dates that could be cleared.
    const dueDateAlone = validateUpdate({ ...built, update, allowsClearingDates: true });
    if (dueDateAlone)
      throw usageError(
        `A due date alone (${dueDateAlone.due}) would make the task a milestone`,
        `For a planned task, give --start with --due. For a milestone: --due ${dueDateAlone.due} --milestone`,
      );
    return announceAndResolve(context, { ...built, update });
  });
}

export function toCreate(update: TaskUpdate): TaskCreate {
  // A parameter has the same schema under both names.
  return Object.fromEntries(Object.entries(update).map(([name, value]) => [createName(name), value]));
}

/** Replaces `--add-responsibles` in a usage failure of the shared code by `--responsibles`. */
export async function withCreateNames<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'usage') throw error;
    throw error.redacted(toCreateNames);
  }
}

function toCreateNames(text: string): string {
  let renamed = text;
  for (const [name, updateName] of Object.entries(updateNames))
    renamed = renamed
      .replaceAll(`--${toKebabCase(updateName)}`, `--${toKebabCase(name)}`)
      .replaceAll(toWords(updateName), toWords(name));
  return renamed;
}

const meaningOf = (name: keyof typeof taskCreateParameters) => ({ help: taskCreateParameters[name].meaning });

/** The flags that `wm task update` has under another name. */
const renamedFlags = {
  responsibles: { ...updateFlags.addResponsibles, ...meaningOf('responsibles') },
  responsiblePlaceholders: {
    ...updateFlags.addResponsiblePlaceholders,
    ...meaningOf('responsiblePlaceholders'),
  },
  followers: { ...updateFlags.addFollowers, ...meaningOf('followers') },
  shareds: { ...updateFlags.addShareds, ...meaningOf('shareds') },
  parents: { ...updateFlags.addParents, ...meaningOf('parents') },
  superTasks: { ...updateFlags.addSuperTasks, ...meaningOf('superTasks') },
} as const;

export const placeFlag: Flag<string> = {
  ...textFlag('FOLDER', 'Create it in this folder, project or space: its id, title or permalink'),
  insteadOf: { flags: ['--space', '--project'], takes: 'a folder, a project or a space' },
};

/** Flags that are the same in `wm task update`. */
const sameFlags = <K extends keyof typeof updateFlags>(...names: readonly K[]) =>
  // Each name has its own flag.
  Object.fromEntries(names.map((name) => [name, updateFlags[name]])) as Pick<typeof updateFlags, K>;

export const createFlags = {
  folder: placeFlag,
  ...sameFlags('description', 'status', 'importance', 'start', 'due', 'duration', 'workOnWeekends'),
  milestone: { ...updateFlags.milestone, help: 'Create a milestone: a due date, no start' },
  backlog: { ...updateFlags.backlog, help: 'Create a task of the backlog: no dates' },
  dates: updateFlags.dates,
  ...renamedFlags,
  follow: { ...updateFlags.follow, ...meaningOf('follow') },
  priorityBefore: { ...updateFlags.priorityBefore, ...meaningOf('priorityBefore') },
  priorityAfter: { ...updateFlags.priorityAfter, ...meaningOf('priorityAfter') },
  metadata: { ...updateFlags.metadata, help: 'Set metadata entries; as KEY=VALUE or JSON' },
  customField: updateFlags.customField,
  customFields: {
    ...updateFlags.customFields,
    help: `${taskCreateParameters.customFields.meaning}; as JSON`,
  },
  ...sameFlags('customStatus', 'effortMode', 'totalEffort', 'effortAllocation', 'billingType'),
  ...sameFlags('workScheduleId', 'withInvitations', 'plainTextCustomFields', 'fields'),
} as const;

type CreateFlagValues = ParsedFlags<typeof createFlags>;

/** The same values under the names of an update. */
function toUpdateFlags({ folder: _, ...flags }: CreateFlagValues): UpdateFlagValues {
  const names: Readonly<Record<string, string>> = updateNames;
  // Each flag parses to the type of the flag of the other name.
  return Object.fromEntries(Object.entries(flags).map(([name, value]) => [names[name] ?? name, value]));
}

export function assertTitle(title: string): void {
  withValueName('TITLE', () => titleSchema.validate(title));
}

/** The value of --folder. Throws a usage failure if it is missing, before anything is looked up. */
export function requireFolderFlag(context: Context, folder: string | undefined): string {
  if (folder !== undefined) return folder;
  throw usageError(
    'Missing: --folder',
    `Give the folder, project or space that it belongs in, by its title or id. To see them: ${formatCommand(context, 'folder list')}`,
  );
}

export function resolveFolder(context: Context, folder: string): Promise<string> {
  return resolvePlace(context, folder, 'folder', ['folder', 'space']);
}
