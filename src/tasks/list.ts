// `wm task list`: finds tasks, and prints them page by page as the service returns them.

import { command } from '#cli/command.ts';
import { longFlag, printPages } from '#cli/print-list.ts';
import { readPages } from '#cli/read-pages.ts';
import { maxPageSize } from '#contract/page-parameters.ts';
import type { Task } from '#contract/task.ts';
import { words } from '#contract/words.ts';
import { listedColumns, listedPipeColumns } from './display/columns.ts';
import { listFlags } from './query/list-flags.ts';

export default command({
  changes: 'nothing',
  sendsRequests: true,
  examples: {
    'List your open tasks': 'wm task list --responsible @me --status active',
    'Find a task by a part of its title': "wm task list --title 'launch page'",
    'List tasks that are due this week, in a folder and the folders below':
      'wm task list --folder Website --recursive --due-before sat --sort due',
    'List tasks without an assignee, due from tomorrow on': 'wm task list --unassigned --due-after today',
    'List the tasks of a build, by a metadata entry and a custom field':
      'wm task list --metadata build=981 --custom-field Risk=High',
    'Get the ids of recently updated tasks': 'wm task list --updated-since 7d | cut -f1',
  },
  details: `Without filters, lists all tasks that you can see; with several filters, tasks that match all of them. With several users
or statuses, a task needs to match only one of them; one that matches several is listed once.

The service filters by folder, space, status, assignee, due date, update, one metadata entry and one custom field, as far as is known;
wm checks these filters again. wm itself filters by title, custom status, missing assignee, and further entries and fields, so it reads
all tasks that match the filters of the service. The service sorts.

Tasks are printed page by page, as they arrive. --limit ends the list early, and so does a reader that closes its pipe, such as head.
If an error ends the list, the earlier tasks are printed, the array of --json is not closed, and the exit status is not 0.`,
  pipeColumns: listedPipeColumns(() => undefined),
  firstFlags: words('folder space status responsible unassigned title dueBefore dueAfter sort limit'),
  flags: { ...listFlags, long: longFlag },
  async run({ flags: { long, ...flags } }, context) {
    const { resolveQuery } = await import('./query/task-query.ts');
    const query = await resolveQuery(context, flags);
    const { operation, path, parameters, matches } = query;
    const pages = await readPages(context, operation, path, parameters, {
      pageSize: maxPageSize,
      // If wm filters, more tasks must be read than are printed.
      ...(query.isFilteredHere ? {} : { limit: flags.limit }),
    });
    if (!pages) return;
    const { createNameReader, createStatusReader } = await import('./display/names.ts');
    const { report, world } = context;
    const readNames = createNameReader(context, 'output', ['user', 'customStatus']);
    const readStatuses = createStatusReader(context);
    const toColumns = async (tasks: readonly Task[]) => {
      if (world.streams.output.isTerminal) return listedColumns(await readNames(tasks));
      // JSON has only the records.
      return listedPipeColumns(report.wantsJson ? () => undefined : await readStatuses(tasks));
    };
    const { read, printed } = await printPages(context, pages, {
      things: 'tasks',
      toTable: async (tasks) => ({ columns: await toColumns(tasks), records: tasks, isOneLine: !long }),
      matches,
      limit: flags.limit,
    });
    if (printed === 0) await report.info(query.describeEmpty(read));
  },
});
