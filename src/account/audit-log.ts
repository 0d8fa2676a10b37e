// `wm audit-log`: who did what in the account, as the service has recorded it.

import { command } from '#cli/command.ts';
import { textFlag } from '#cli/flags/flag.ts';
import { limitFlag, longFlag, printList } from '#cli/print-list.ts';
import { readPages } from '#cli/read-pages.ts';
import { createTextMatch } from '#cli/resolve/text-match.ts';
import { accountOperations } from '#contract/account-operations.ts';
import type { AuditLogEntry } from '#contract/read-only-records.ts';
import { formatTime } from '#terminal/relative-time.ts';
import type { Column } from '#terminal/table.ts';

const pipeColumns: readonly Column<AuditLogEntry>[] = [
  {
    title: 'time',
    cell: ({ eventDate }, now) => (eventDate === undefined ? '' : formatTime(eventDate, now)),
  },
  { title: 'operation', cell: ({ operation }) => operation ?? '' },
  { title: 'user', cell: ({ userEmail }) => userEmail ?? '' },
  { title: 'user id', cell: ({ userId }) => userId ?? '', unbroken: true },
  { title: 'object', cell: ({ objectType }) => objectType ?? '' },
  { title: 'object id', cell: ({ objectId }) => objectId ?? '', unbroken: true },
  { title: 'id', cell: ({ id }) => id ?? '' },
];

export default command({
  changes: 'nothing',
  sendsRequests: true,
  examples: {
    'Show the audit log': 'wm audit-log',
    'Show what one user did': 'wm audit-log --user ada@paper-lantern.example',
    'Show changes of webhooks as JSON': 'wm audit-log --operation webhook --json',
  },
  details: `The contract of the service names this request without showing its parameters or its response: columns may be empty.
The service may allow it to administrators only. wm itself applies the filters. For what wm changed from this machine,
which needs no permission: wm history`,
  pipeColumns,
  flags: {
    user: textFlag('USER', 'Only what this user did (id or e-mail address)'),
    operation: textFlag('TEXT', 'Only operations whose name contains this text, ignoring case'),
    limit: limitFlag,
    long: longFlag,
  },
  async run({ flags: { user, operation, limit, long } }, context) {
    const pages = await readPages(context, accountOperations.listAuditLog, {}, {});
    const matches = createTextMatch(operation);
    const isUser = ({ userId, userEmail }: AuditLogEntry) =>
      user === undefined || userId === user || userEmail?.toLowerCase() === user.toLowerCase();
    await printList(context, pages, {
      columns: pipeColumns,
      toRows: (entry) => [entry],
      accepts: (entry) => matches(entry.operation) && isUser(entry),
      limit,
      long,
      thing: ['entry', 'entries'],
      none: 'The audit log is empty.',
    });
  },
});
