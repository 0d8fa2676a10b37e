// The flags of `wm task create`: those of an update, by the names that a creation has for them, and the same short forms.

import { type Flag, type ParsedFlags, textFlag } from '#cli/flags/flag.ts';
import { taskCreateParameters, updateNames } from '#contract/task-create.ts';
import type { UpdateFlagValues } from '../input/build-update.ts';
import { updateFlags } from '../input/update-flags.ts';

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

export const createFlags = {
  folder: placeFlag,
  description: updateFlags.description,
  status: updateFlags.status,
  importance: updateFlags.importance,
  start: updateFlags.start,
  due: updateFlags.due,
  duration: updateFlags.duration,
  workOnWeekends: updateFlags.workOnWeekends,
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
  customStatus: updateFlags.customStatus,
  effortMode: updateFlags.effortMode,
  totalEffort: updateFlags.totalEffort,
  effortAllocation: updateFlags.effortAllocation,
  billingType: updateFlags.billingType,
  workScheduleId: updateFlags.workScheduleId,
  withInvitations: updateFlags.withInvitations,
  plainTextCustomFields: updateFlags.plainTextCustomFields,
  fields: updateFlags.fields,
} as const;

export type CreateFlagValues = ParsedFlags<typeof createFlags>;

/** The same values under the names of an update. */
export function toUpdateFlags({ folder: _, ...flags }: CreateFlagValues): UpdateFlagValues {
  const renamed: Readonly<Record<string, string>> = updateNames;
  // Each flag parses to the type of its namesake.
  return Object.fromEntries(Object.entries(flags).map(([name, value]) => [renamed[name] ?? name, value]));
}
