// `wm task get`: tasks by their ids, however many.

import { operations } from '../../contract/operation.ts';
import { taskUpdateParameters } from '../../contract/task.ts';
import { command } from '../command.ts';
import { commandLine } from '../command-line.ts';
import { list, toggle } from '../flag.ts';
import { found, missing, readSeveral } from '../read-several.ts';
import { taskColumns, taskColumnsWith, taskLinesWith, withFields } from './display/columns.ts';
import { idFromLink } from './input/permalink.ts';

const { fields, plainTextCustomFields, withInvitations } = taskUpdateParameters;

export default command({
  showsRequests: true,
  examples: [
    { does: 'Show a task', line: 'wm task get IEAAAAAQKQAB5BNG' },
    { does: 'With its effort', line: 'wm task get IEAAAAAQKQAB5BNG --fields effortAllocation' },
    {
      does: 'Several, one JSON object per line',
      line: 'wm task get IEAAAAAQKQAB5BNG IEAAAAAQKQAB5BUG --json',
    },
  ],
  details: `Prints those that are found, in the order given, each once; the exit status is 5 if any is not. On a terminal,
people, statuses, folders and custom fields are shown by name; in a pipe and in JSON by id.`,
  columns: taskColumns,
  arguments: { id: { help: 'the id of a task, or its link', many: true } },
  flags: {
    fields: list(fields.schema, 'NAME', fields.meaning),
    plainTextCustomFields: toggle(plainTextCustomFields.meaning, { negatable: true }),
    withInvitations: toggle(withInvitations.meaning, { negatable: true }),
  },
  async run({ arguments: { id: said }, flags }, context) {
    const several = await readSeveral(context, operations.getTasks, 'taskIds', said.map(idFromLink), flags);
    if (!several) return;
    const seen = found(several.reads);
    const records = seen.map(({ record }) => record);
    const { readNames } = await import('./display/names.ts');
    const names = await readNames(context, records);
    await context.report.each({
      columns: withFields(taskColumnsWith(names), flags.fields),
      details: withFields(taskLinesWith(names), flags.fields),
      records,
      raw: seen.map(({ raw }) => raw),
    });
    const failure =
      several.ending ??
      missing(several.reads, 'tasks', `Check the ids, and the account: ${commandLine(context, 'whoami')}`);
    if (failure) throw failure;
  },
});
