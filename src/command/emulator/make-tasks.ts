// `wm emulator make-tasks`: many more tasks in a running emulator, for trying bulk work. The contract shows no call that
// makes one.

import { text } from '../../contract/schema.ts';
import { command } from '../command.ts';
import { wholeNumber, words } from '../flag.ts';
import { controlCall, controlFlags, listIn, rawIn } from './control-call.ts';

const id = text('TaskId');

export default command({
  showsRequests: true,
  examples: [
    { does: 'A thousand, and their ids', line: 'wm emulator make-tasks --count 1000 > ids' },
    { does: 'Row 1 to Row 20', line: 'wm emulator make-tasks --count 20 --title Row' },
  ],
  details: 'Prints their ids, oldest first. No webhook is notified.',
  arguments: {},
  flags: {
    count: wholeNumber('N', 'How many (1)', 1, 100_000),
    title: words('TEXT', 'What their titles begin with; a number follows (Task)'),
    folder: words('ID', 'In this folder, project or space (the sample folder)'),
    ...controlFlags,
  },
  async run({ flags: { url, count = 1, title, folder } }, context) {
    const answer = await controlCall(context, url, {
      method: 'POST',
      path: '/tasks',
      body: {
        count,
        ...(title === undefined ? {} : { title }),
        ...(folder === undefined ? {} : { folderId: folder }),
      },
    });
    if (answer === undefined) return;
    await context.report.list({
      columns: [{ title: 'id', cell: (one) => one, unbroken: true }],
      records: listIn(answer, 'taskIds', id),
      raw: rawIn(answer, 'taskIds'),
    });
  },
});
