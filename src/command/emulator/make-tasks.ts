// `wm emulator make-tasks`: many more tasks in a running emulator, for trying bulk work. The contract shows no call that
// makes one.

import { text } from '../../contract/schema.ts';
import { command } from '../command.ts';
import { integerFlag, textFlag } from '../flag.ts';
import { controlFlags, readList, readRawList, sendControlRequest } from './control-request.ts';

const id = text('TaskId');

export default command({
  sendsRequests: true,
  examples: [
    { description: 'A thousand, and their ids', command: 'wm emulator make-tasks --count 1000 > ids' },
    { description: 'Row 1 to Row 20', command: 'wm emulator make-tasks --count 20 --title Row' },
  ],
  details: 'Prints their ids, oldest first. No webhook is notified.',
  arguments: {},
  flags: {
    count: integerFlag('N', 'How many (1)', 1, 100_000),
    title: textFlag('TEXT', 'What their titles begin with; a number follows (Task)'),
    folder: textFlag('ID', 'In this folder, project or space (the sample folder)'),
    ...controlFlags,
  },
  async run({ flags: { url, count = 1, title, folder } }, context) {
    const answer = await sendControlRequest(context, url, {
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
      records: readList(answer, 'taskIds', id),
      raw: readRawList(answer, 'taskIds'),
    });
  },
});
