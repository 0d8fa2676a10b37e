// `wm task create`: one task in a folder, with the parameters that an update has.

import { command } from '#cli/command.ts';
import type { Context } from '#cli/context.ts';
import { lockOutOtherRuns, lookAgain } from '#cli/create-once.ts';
import { booleanFlag } from '#cli/flags/flag.ts';
import { flagWords } from '#cli/format-command.ts';
import { readWholeList } from '#cli/read-pages.ts';
import { printIfDryRun } from '#cli/send.ts';
import { prepareRequest } from '#client/request.ts';
import { joinWithAnd } from '#contract/format-list.ts';
import { maxPageSize } from '#contract/page-parameters.ts';
import { type Task, taskOperations } from '#contract/task.ts';
import { createOperations } from '#contract/task-create.ts';
import { taskLists } from '#contract/task-list.ts';
import { words } from '#contract/words.ts';
import { accountHost } from '#login/select-account.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { taskColumns } from './display/columns.ts';
import { type Creation, withCandidates } from './lost-creation.ts';
import {
  assertTitle,
  createFlags,
  prepareCreate,
  requireFolderFlag,
  resolveFolder,
  toCreate,
  withCreateNames,
} from './new-task/build-create.ts';
import { sendWithNameFallback } from './one/update-one.ts';
import { taskLock } from './undo-log/write-log.ts';

export default command({
  changes: 'the service',
  sendsRequests: true,
  examples: {
    'Create a task in a folder, by its title': "wm task create 'Proofread the catalogue' --folder Website",
    'Assign it to yourself, with dates':
      "wm task create 'Proofread the catalogue' --folder IEAAAAAQI4AB5FLD --responsibles @me --start tomorrow --due +3d",
    'Read the description from a file':
      "wm task create 'Meeting notes' --folder Website --description @notes.html",
    'In a script that may run twice':
      "wm task create 'Proofread the catalogue' --folder Website --if-not-exists",
    'Create it, and print it as JSON': "wm task create 'Proofread the catalogue' --folder Website --json",
  },
  details: `The title is always literal. The other values take the same forms as in \`wm task update\`: names for users, custom fields
and custom statuses, short dates, and @FILE or - for long text. Its help has pages about them: wm task update --help dates.

If the response is lost, wm does not send the request again, since that could create a second task: it looks for tasks of the same
title in the folder, names them, and exits with status 9.

With --if-not-exists, wm prints the task of exactly this title that the folder has, active or completed, and creates nothing. No other
value is compared. If two machines create it at the same time, both tasks stay, and wm warns with their permalinks.`,
  pipeColumns: taskColumns,
  arguments: { title: { help: 'the title of the task' } },
  firstFlags: words(
    'folder description status importance start due responsibles parents customField ifNotExists',
  ),
  flags: {
    ...createFlags,
    ifNotExists: booleanFlag('If the folder has this title, print that task'),
  },
  async run({ arguments: { title }, flags: { ifNotExists, ...flags } }, context) {
    assertTitle(title);
    const place = requireFolderFlag(context, flags.folder);
    const update = await prepareCreate(context, title, flags);
    const folderId = await resolveFolder(context, place);
    if (ifNotExists && context.isDryRun)
      await context.report.info(
        'With --if-not-exists, wm sends this only if no task in the folder has this title.',
      );
    const request = { path: { folderId }, parameters: toCreate(update) };
    if (await printIfDryRun(context, createOperations.createTask, [request])) return;
    prepareRequest(createOperations.createTask, { folderId }, toCreate(update));
    const session = await context.session();
    const lost = lostTask(context, folderId, title);
    if (ifNotExists) {
      const lock = taskLock(context.world, await accountHost(context), `${folderId} ${title}`);
      await lockOutOtherRuns(context, lock, 'tasks');
    }
    const existing = ifNotExists ? await lost.find() : [];
    const [oldest] = existing;
    const task = oldest
      ? await session.send(
          taskOperations.getTasks,
          { taskIds: [oldest.id] },
          omitUndefined({ fields: flags.fields }),
        )
      : await withCandidates(
          context,
          lost,
          withCreateNames(() =>
            sendWithNameFallback(context, update, (resolved) =>
              session.send(createOperations.createTask, { folderId }, toCreate(resolved)),
            ),
          ),
        );
    if (oldest) await context.report.info(`Task ${oldest.id} already exists; nothing was created.`);
    if (ifNotExists) {
      const [id = ''] = task.records.map((record) => record.id);
      const found = oldest ? existing : await lookAgain(context, 'task', id, lost.find);
      await warnIfSeveral(context, [...task.records, ...found]);
    }
    const { withNames } = await import('./display/names.ts');
    await context.report.one(await withNames(context, task, flags.fields));
  },
});

/** Deletes none: users may have meant both. */
async function warnIfSeveral({ report }: Context, tasks: readonly Task[]): Promise<void> {
  const links = [...new Map(tasks.map(({ id, permalink = id }) => [id, permalink])).values()];
  if (links.length > 1)
    await report.warn(`The folder has ${links.length} tasks of this title: ${joinWithAnd(links)}`);
}

function lostTask(context: Context, folderId: string, title: string) {
  return {
    noun: 'task',
    trait: 'this title in the folder',
    async find() {
      const session = await context.session();
      const pages = { pageSize: maxPageSize };
      const tasks = await readWholeList(session, taskLists.listFolderTasks, { folderId }, { title }, pages);
      // A service that ignores the filter lists all tasks.
      return tasks
        .filter((task) => task.title === title && task.scope !== 'RbTask')
        .toSorted((a, b) => (a.createdDate ?? '').localeCompare(b.createdDate ?? ''));
    },
    look: ['task list', [], ...flagWords('--folder', folderId), ...flagWords('--title', title)],
  } satisfies Creation;
}
