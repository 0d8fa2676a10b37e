// `wm task get`: one task or several, up to a hundred in one call.

import { operations } from '../../contract/operation.ts';
import { taskUpdateParameters } from '../../contract/task.ts';
import { Failure } from '../../failure.ts';
import { command } from '../command.ts';
import { list, toggle } from '../flag.ts';
import { send } from '../send.ts';
import { taskColumns, taskLines, withFields } from './columns.ts';
import { idOfLink } from './short/permalink.ts';

const { fields, plainTextCustomFields, withInvitations } = taskUpdateParameters;

export default command({
  showsRequests: true,
  examples: [
    { does: 'Show a task', line: 'wm task get IEAAAAAQKQAB5BNG' },
    { does: 'With its effort', line: 'wm task get IEAAAAAQKQAB5BNG --fields effortAllocation' },
    { does: 'Several, as JSON', line: 'wm task get IEAAAAAQKQAB5BNG IEAAAAAQKQAB5BUG --json' },
  ],
  columns: taskColumns,
  arguments: { id: { help: 'the id of a task, or its link', many: true } },
  flags: {
    fields: list(fields.value, 'NAME', fields.meaning),
    plainTextCustomFields: toggle(plainTextCustomFields.meaning, { negatable: true }),
    withInvitations: toggle(withInvitations.meaning, { negatable: true }),
  },
  async run({ arguments: { id: said }, flags }, context) {
    const id = said.map(idOfLink);
    const answer = await send(context, operations.getTasks, { taskIds: id }, flags);
    if (!answer) return;
    if (answer.records.length === 0)
      throw new Failure('not_found', { what: `The service knows no task of ${id.join(', ')}` });
    await context.report.each({
      columns: withFields(taskColumns, flags.fields),
      lines: withFields(taskLines, flags.fields),
      records: answer.records,
      raw: answer.raw,
    });
  },
});
