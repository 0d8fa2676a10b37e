// `wm space list`: the spaces that the user can see.

import { command } from '#cli/command.ts';
import { booleanFlag, textFlag } from '#cli/flags/flag.ts';
import { limitFlag, longFlag, printList } from '#cli/print-list.ts';
import { readPages } from '#cli/read-pages.ts';
import { createTextMatch } from '#cli/resolve/text-match.ts';
import { operations } from '#contract/operation.ts';
import type { Space } from '#contract/read-only-records.ts';
import type { Column } from '#terminal/table.ts';

const pipeColumns: readonly Column<Space>[] = [
  { title: 'id', cell: (one) => one.id, unbroken: true },
  { title: 'title', cell: (one) => one.title ?? '' },
  { title: 'access', cell: (one) => one.accessType ?? '' },
  {
    title: 'state',
    cell: (one) => (one.archived ? 'archived' : ''),
    format: (_, style) => style.notice,
  },
];

export default command({
  changes: 'nothing',
  sendsRequests: true,
  examples: [
    { description: 'List the spaces', command: 'wm space list' },
    { description: 'Find a space', command: 'wm space list --title studio' },
    { description: 'List those in use, as JSON', command: 'wm space list --no-archived --json' },
  ],
  details: `Lists the spaces that you can see. wm itself applies --title, --archived and --limit.`,
  pipeColumns,
  arguments: {},
  flags: {
    title: textFlag('TEXT', 'Only those whose title contains this text, in any case'),
    archived: booleanFlag('Only archived ones; --no-archived: only the others', { negatable: true }),
    limit: limitFlag,
    long: longFlag,
  },
  async run({ flags: { title, archived, limit, long } }, context) {
    const pages = await readPages(context, operations.listSpaces, {}, {});
    if (!pages) return;
    const matches = createTextMatch(title);
    await printList(context, pages, {
      columns: pipeColumns,
      toRows: (one) => [one],
      accepts: (one) =>
        matches(one.title) && (archived === undefined || (one.archived === true) === archived),
      limit,
      long,
      thing: ['space', 'spaces'],
      none: 'No spaces that you can see.',
    });
  },
});
