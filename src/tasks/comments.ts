// `wm task comments`: the comments of a task, as plain text or HTML.

import { command } from '#cli/command.ts';
import { booleanFlag } from '#cli/flags/flag.ts';
import { limitFlag, printList } from '#cli/print-list.ts';
import { readPages } from '#cli/read-pages.ts';
import { type Comment, itemOperations } from '#contract/task-items.ts';
import type { Column } from '#terminal/table.ts';
import { nameTask } from './select/named-task.ts';
import { howToNameTasks, taskArgumentHelp } from './select/task-text.ts';

const columns: readonly Column<Comment>[] = [
  { title: 'id', cell: ({ id }) => id, unbroken: true },
  { title: 'created', cell: ({ createdDate }) => createdDate ?? '' },
  { title: 'author', cell: ({ authorId }) => authorId ?? '' },
  { title: 'text', cell: ({ text }) => text ?? '' },
];

export default command({
  changes: 'nothing',
  sendsRequests: true,
  examples: {
    'Read the comments of a task': 'wm task comments IEAAAAAQKQAB5BNG',
    'Print only the texts': "wm task comments 'Write the launch page' --jq '.[].text'",
  },
  details: `The service decides the order of the comments. The text is plain; with --html it is the service's HTML.

${howToNameTasks}`,
  pipeColumns: columns,
  arguments: { task: { help: taskArgumentHelp, completes: 'task' } },
  flags: { html: booleanFlag('Print the text as HTML'), limit: limitFlag },
  async run({ arguments: { task }, flags: { html, limit } }, context) {
    const { id: taskId } = await nameTask(context, task);
    const shape = html ? {} : { plainText: true };
    const pages = await readPages(context, itemOperations.listTaskComments, { taskId }, shape);
    await printList(context, pages, {
      columns,
      toRows: (comment) => [comment],
      limit,
      // Comments are there to be read.
      long: true,
      thing: ['comment', 'comments'],
      none: 'No comments on this task.',
    });
  },
});
