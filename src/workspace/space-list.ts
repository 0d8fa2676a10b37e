// `wm space list`: the spaces that the user can see.

import { command } from '#cli/command.ts';
import { booleanFlag, textFlag } from '#cli/flags/flag.ts';
import { limitFlag, longFlag, printList } from '#cli/print-list.ts';
import { readPages } from '#cli/read-pages.ts';
import { createTextMatch } from '#cli/resolve/text-match.ts';
import { accountOperations } from '#contract/account-operations.ts';
import type { Space } from '#contract/read-only-records.ts';
import type { Column } from '#terminal/table.ts';

const pipeColumns: readonly Column<Space>[] = [
  { title: 'id', cell: ({ id }) => id, unbroken: true },
  { title: 'title', cell: ({ title }) => title ?? '' },
  { title: 'access', cell: ({ accessType }) => accessType ?? '' },
  { title: 'state', cell: (space) => (space.archived ? 'archived' : ''), format: (_, style) => style.notice },
];

export default command({
  changes: 'nothing',
  sendsRequests: true,
  examples: {
    'List the spaces': 'wm space list',
    'Find a space': 'wm space list --title studio',
    'List spaces that are not archived, as JSON': 'wm space list --no-archived --json',
  },
  details: `Lists the spaces that you can see. wm itself applies --title, --archived and --limit.`,
  pipeColumns,
  flags: {
    title: textFlag('TEXT', 'Only spaces whose title contains this text, ignoring case'),
    archived: booleanFlag('Only archived spaces; --no-archived: only the others', { negatable: true }),
    limit: limitFlag,
    long: longFlag,
  },
  async run({ flags: { title, archived, limit, long } }, context) {
    const pages = await readPages(context, accountOperations.listSpaces, {}, {});
    const matches = createTextMatch(title);
    await printList(context, pages, {
      columns: pipeColumns,
      toRows: (space) => [space],
      accepts: (space) =>
        matches(space.title) && (archived === undefined || (space.archived === true) === archived),
      limit,
      long,
      thing: ['space', 'spaces'],
      none: 'No spaces that you can see.',
    });
  },
});
