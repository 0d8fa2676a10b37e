// `wm emulator make-tasks`: creates many tasks in a running emulator, for trying bulk updates.

import { command } from '#cli/command.ts';
import { integerFlag, textFlag } from '#cli/flags/flag.ts';
import { text } from '#contract/schema.ts';
import type { Column } from '#terminal/table.ts';
import { controlFlags, reportList, sendControlRequest } from './control-request.ts';

const columns: readonly Column<string>[] = [{ title: 'id', cell: (taskId) => taskId, unbroken: true }];

export default command({
  sendsRequests: true,
  changes: 'the emulator',
  examples: {
    'Create a thousand tasks and store their ids': 'wm emulator make-tasks --count 1000 > ids',
    'Create tasks with the titles Row 1 to Row 20': 'wm emulator make-tasks --count 20 --title Row',
  },
  details: 'Prints the ids of the tasks, oldest first. Notifies no webhook.',
  flags: {
    count: integerFlag('N', 'Create this many tasks (default: 1)', 1, 100_000),
    title: textFlag('TEXT', 'Start the titles with this text; a number follows (default: Task)'),
    folder: textFlag(
      'ID',
      'Create them in this folder, project or space (default: the sample folder)',
      'place',
    ),
    ...controlFlags,
  },
  async run({ flags: { count = 1, title, folder } }, context) {
    const response = await sendControlRequest(context, 'POST /tasks', { count, title, folderId: folder });
    await reportList(context, response, ['taskIds', text('TaskId'), columns]);
  },
});
