// `wm account`: the record of the account that the token belongs to.

import { command } from '#cli/command.ts';
import { send } from '#cli/send.ts';
import { accountOperations } from '#contract/account-operations.ts';
import type { Account } from '#contract/read-only-records.ts';
import { Failure } from '#failure.ts';
import type { Column } from '#terminal/table.ts';

const pipeColumns: readonly Column<Account>[] = [
  { title: 'id', cell: ({ id }) => id, unbroken: true },
  { title: 'name', cell: ({ name }) => name ?? '' },
  { title: 'date format', cell: ({ dateFormat }) => dateFormat ?? '' },
  { title: 'first day of week', cell: ({ firstDayOfWeek }) => firstDayOfWeek ?? '' },
  { title: 'work days', cell: ({ workDays }) => workDays?.join(', ') ?? '' },
  { title: 'root folder', cell: ({ rootFolderId }) => rootFolderId ?? '', unbroken: true },
  { title: 'recycle bin', cell: ({ recycleBinId }) => recycleBinId ?? '', unbroken: true },
  { title: 'created', cell: ({ createdDate }) => createdDate ?? '' },
  { title: 'joined', cell: ({ joinedDate }) => joinedDate ?? '' },
];

export default command({
  changes: 'nothing',
  sendsRequests: true,
  examples: {
    'Show the account': 'wm account',
    'Get the id of its root folder in a script': 'wm account | cut -f6',
  },
  details: `A token belongs to one account. To see whose token it is: wm whoami`,
  pipeColumns,
  async run(_input, context) {
    const response = await send(context, accountOperations.getAccount, {}, {});
    if (!response) return;
    if (response.records.length === 0)
      throw new Failure('bad_response', {
        message: 'The response of the service does not contain the account',
      });
    await context.report.one({ columns: pipeColumns, records: response.records, raw: response.raw });
  },
});
