// `wm task attach`: attaches a file to a task. The file is streamed, so it may have any size.

import { basename } from 'node:path';
import { command } from '#cli/command.ts';
import { textFlag } from '#cli/flags/flag.ts';
import { createProgressLine } from '#cli/progress-line.ts';
import { readWholeList } from '#cli/read-pages.ts';
import { printIfDryRun } from '#cli/send.ts';
import { prepareRequest } from '#client/request.ts';
import type { FileToSend } from '#contract/file-to-send.ts';
import { type Attachment, itemOperations } from '#contract/task-items.ts';
import { failWith, usageError } from '#failure.ts';
import type { Column } from '#terminal/table.ts';
import type { World } from '#world/world.ts';
import { withCandidates } from './lost-creation.ts';
import { nameTask } from './select/named-task.ts';
import { taskArgumentHelp } from './select/task-text.ts';

const columns: readonly Column<Attachment>[] = [
  { title: 'id', cell: ({ id }) => id, unbroken: true },
  { title: 'task', cell: ({ taskId }) => taskId ?? '' },
  { title: 'name', cell: ({ name }) => name ?? '' },
  { title: 'size', cell: ({ size = '' }) => String(size) },
  { title: 'created', cell: ({ createdDate }) => createdDate ?? '' },
];

/** Extends the usual time limit; slower connections need a longer --timeout. */
const bytesPerMs = 100;

export default command({
  changes: 'the service',
  sendsRequests: true,
  examples: {
    'Attach a file': 'wm task attach IEAAAAAQKQAB5BNG notes.html',
    'Attach it under another name': "wm task attach IEAAAAAQKQAB5BNG notes.html --name 'Meeting notes.html'",
  },
  details: `wm reads the file as it sends it, and shows progress on a terminal if that takes longer than a second. The time limit is 30
seconds and one more for every 100 kB; --timeout sets another.

If the response is lost, wm does not send the file again: it looks for attachments of the same name, names them, and exits with
status 9.`,
  pipeColumns: columns,
  arguments: { task: { help: taskArgumentHelp, completes: 'task' }, file: { help: 'the path of the file' } },
  flags: { name: textFlag('TEXT', 'Call the attachment this (default: the name of the file)') },
  async run({ arguments: { task, file: path }, flags: { name } }, context) {
    const { id: taskId } = await nameTask(context, task);
    prepareRequest(itemOperations.listTaskAttachments, { taskId }, {});
    const { world, common, report } = context;
    let sent = 0;
    const file = await openFile(world, path, name, (count) => {
      sent = count;
    });
    const request = { path: { taskId }, parameters: { file } };
    if (await printIfDryRun(context, itemOperations.createTaskAttachment, [request])) return;
    const session = await context.session();
    const describe = () => `${file.name}: ${Math.floor((sent / file.size) * 100)} % of ${file.size} bytes`;
    const progress = createProgressLine(context, describe, 1000);
    const timeoutMs =
      context.timeoutMs + (common.timeout === undefined ? Math.ceil(file.size / bytesPerMs) : 0);
    const sending = session
      .send(itemOperations.createTaskAttachment, { taskId }, { file }, timeoutMs)
      .finally(() => progress.end());
    const response = await withCandidates(
      context,
      {
        noun: 'attachment',
        trait: 'this name on the task',
        async find() {
          const attachments = await readWholeList(session, itemOperations.listTaskAttachments, { taskId });
          return attachments.filter((attachment) => attachment.name === file.name);
        },
      },
      sending,
    );
    await report.one({ columns, ...response });
  },
});

/** Calls `onBytes` with the number of bytes read so far in each attempt. Throws a usage failure if the path is not a regular file. */
async function openFile(
  { files }: Pick<World, 'files'>,
  path: string,
  name: string | undefined,
  onBytes: (count: number) => void,
): Promise<FileToSend> {
  const invalid = (problem: string, hint?: string) => usageError(`FILE: ${path} ${problem}`, hint);
  if (path === '') throw usageError('FILE: the path of the file is empty');
  const rejectUnreadable = failWith('usage', `FILE: cannot read ${path}`);
  const kind = await files.kind(path).catch(rejectUnreadable);
  if (kind === undefined) throw invalid('does not exist');
  if (kind === 'folder') throw invalid('is a folder', 'Give a file, such as an archive of the folder.');
  // The request begins with the length of the file.
  if (kind !== 'file') throw invalid('is not a regular file', 'Write it to a file first, and attach that.');
  // Try it now: if an upload cannot read its file, the outcome is unknown.
  const readable = await files.openForReading(path).catch(rejectUnreadable);
  await readable?.close();
  const size = await files.size(path);
  if (size === 0) throw invalid('is empty');
  return {
    name: name ?? basename(path),
    path,
    size,
    async open() {
      const stream = await files.stream(path);
      if (stream === undefined) throw invalid('does not exist any more');
      return readExactly(stream, size, onBytes);
    },
  };
}

async function* readExactly(
  stream: AsyncIterable<Uint8Array>,
  size: number,
  onBytes: (count: number) => void,
): AsyncGenerator<Uint8Array> {
  let count = 0;
  for await (const chunk of stream) {
    const part = chunk.subarray(0, size - count);
    count += part.length;
    onBytes(count);
    yield part;
    if (count === size) return;
  }
  throw new Error('the file became shorter while it was being sent');
}
