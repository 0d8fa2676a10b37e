// `wm task comment`: adds a comment to a task, in plain text or HTML.

import { command } from '#cli/command.ts';
import type { Context } from '#cli/context.ts';
import { booleanFlag } from '#cli/flags/flag.ts';
import { withValueName } from '#cli/parse-values.ts';
import { readWholeList } from '#cli/read-pages.ts';
import { send } from '#cli/send.ts';
import { prepareRequest } from '#client/request.ts';
import { type Comment, commentHtml, itemOperations } from '#contract/task-items.ts';
import { usageError } from '#failure.ts';
import { htmlToText, mayBeHtml } from '#html-reader/html-text.ts';
import type { Column } from '#terminal/table.ts';
import { withCandidates } from './lost-creation.ts';
import { nameTask } from './select/named-task.ts';
import { taskArgumentHelp } from './select/task-text.ts';

const columns: readonly Column<Comment>[] = [
  { title: 'id', cell: ({ id }) => id, unbroken: true },
  { title: 'task', cell: ({ taskId }) => taskId ?? '' },
  { title: 'author', cell: ({ authorId }) => authorId ?? '' },
  { title: 'created', cell: ({ createdDate }) => createdDate ?? '' },
  { title: 'text', cell: ({ text }) => text ?? '' },
];

export default command({
  changes: 'the service',
  sendsRequests: true,
  examples: {
    'Comment on a task': "wm task comment IEAAAAAQKQAB5BNG 'Built and deployed'",
    'Read the comment from a file': 'wm task comment IEAAAAAQKQAB5BNG @notes.html --html',
    'Comment with the output of a program': 'date | wm task comment IEAAAAAQKQAB5BNG -',
  },
  details: `The text is plain: tags are shown as typed, and line breaks are kept. With --html it is HTML: the service keeps line breaks
(br), links (a href), mentions (a class="stream-user-id avatar" rel="USER-ID") and quotes (blockquote with the attributes of
the quoted comment), and wm warns about anything else. The text can come from a file (@FILE) or from standard input (-); to start it
with a literal @, write @@. A comment has at most 10,000 characters, as HTML.

If the response is lost, wm does not send the comment again: it looks for comments of the same text, names them, and exits with
status 9.`,
  pipeColumns: columns,
  arguments: {
    task: { help: taskArgumentHelp, completes: 'task' },
    text: { help: 'the comment; @FILE or - reads it from a file or standard input' },
  },
  flags: { html: booleanFlag('The text is HTML') },
  async run({ arguments: { task, text: argument }, flags: { html } }, context) {
    const { id: taskId } = await nameTask(context, task);
    prepareRequest(itemOperations.listTaskComments, { taskId }, {});
    const { readFileValue } = await import('#cli/file-value.ts');
    const input = await readFileValue(context.world, argument, 'TEXT');
    const text = html ? input : plainToHtml(input);
    if ((await textOf(text)) === '')
      throw usageError('TEXT: the comment is empty', 'Give a text, @FILE, or - to read it.');
    withValueName('TEXT', () => commentHtml.validate(text));
    if (html && mayBeHtml(text)) {
      const { commentHtmlWarnings } = await import('./input/stripped-html.ts');
      for (const warning of commentHtmlWarnings(text)) await context.report.warn(warning);
    }
    const response = await withCandidates(
      context,
      {
        noun: 'comment',
        trait: 'this text on the task',
        find: () => findSameText(context, taskId, text),
        look: ['task comments', [taskId]],
      },
      send(context, itemOperations.createTaskComment, { taskId }, { text }),
    );
    if (!response) return;
    const plainColumns = columns.map((column) =>
      column.title === 'text' && !html ? { ...column, cell: () => input.replace(/\r?\n$/, '') } : column,
    );
    await context.report.one({ columns: plainColumns, ...response });
  },
});

async function findSameText(context: Context, taskId: string, html: string): Promise<readonly Comment[]> {
  const session = await context.session();
  const comments = await readWholeList(session, itemOperations.listTaskComments, { taskId });
  const expected = await textOf(html);
  const texts = await Promise.all(comments.map(({ text = '' }) => textOf(text)));
  return comments.filter((_, at) => texts[at] === expected);
}

/** Without tags and spaces: the service may format tags differently. */
const textOf = async (html: string): Promise<string> => (await htmlToText(html)).replace(/\s+/g, '');

/** Escapes plain text: nothing in it is a tag, and its line breaks stay. */
function plainToHtml(text: string): string {
  return text
    .replace(/\r?\n$/, '')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/\r?\n/g, '<br />');
}
