// `wm task get`: prints tasks by their ids.

import { operations } from '../../contract/operation.ts';
import { taskUpdateParameters } from '../../contract/task.ts';
import { commandHint } from '../../failure.ts';
import { command } from '../command.ts';
import { booleanFlag, listFlag } from '../flag.ts';
import { formatCommand } from '../format-command.ts';
import { foundRecords, missingFailure, readByIds } from '../read-by-ids.ts';
import { taskColumns, taskColumnsWith, taskLinesWith, withFields } from './display/columns.ts';
import { idFromLink } from './input/permalink.ts';

const { fields, plainTextCustomFields, withInvitations } = taskUpdateParameters;

export default command({
  sendsRequests: true,
  changes: 'nothing',
  examples: [
    { description: 'Show a task', command: 'wm task get IEAAAAAQKQAB5BNG' },
    { description: 'Include its effort', command: 'wm task get IEAAAAAQKQAB5BNG --fields effortAllocation' },
    {
      description: 'Show several tasks as JSON, one object per line',
      command: 'wm task get IEAAAAAQKQAB5BNG IEAAAAAQKQAB5BUG --json',
    },
  ],
  details: `Prints the tasks found, each once, in the order given. The exit status is 5 if any is missing.
A terminal shows users, statuses, folders and custom fields by name; pipes and JSON show their ids.`,
  pipeColumns: taskColumns,
  arguments: { id: { help: 'the id or permalink of a task', many: true, completes: 'task' } },
  flags: {
    fields: listFlag(fields.schema, 'NAME', fields.meaning),
    plainTextCustomFields: booleanFlag(plainTextCustomFields.meaning, { negatable: true }),
    withInvitations: booleanFlag(withInvitations.meaning, { negatable: true }),
  },
  async run({ arguments: { id: ids }, flags }, context) {
    const several = await readByIds(context, operations.getTasks, 'taskIds', ids.map(idFromLink), flags);
    if (!several) return;
    const seen = foundRecords(several.reads);
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
      several.endedBy ??
      missingFailure(
        several.reads,
        'tasks',
        commandHint('Check the ids and the account: ', formatCommand(context, 'whoami')),
      );
    if (failure) throw failure;
  },
});
