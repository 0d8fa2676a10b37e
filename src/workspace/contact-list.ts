// `wm contact list`: the users, groups and bots of the account. The filters are those of the service.

import { command } from '#cli/command.ts';
import { booleanFlag, listFlag, textFlag } from '#cli/flags/flag.ts';
import { formatCommand } from '#cli/format-command.ts';
import { emailsOf, fullName } from '#cli/identity.ts';
import { limitFlag, longFlag, printList } from '#cli/print-list.ts';
import { foundRecords, missingFailure, readByIds } from '#cli/read-by-ids.ts';
import { readPages } from '#cli/read-pages.ts';
import { accountOperations } from '#contract/account-operations.ts';
import { identifier } from '#contract/identifier.ts';
import type { Contact } from '#contract/read-only-records.ts';
import { list } from '#contract/schema.ts';
import { usageError } from '#failure.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { Column } from '#terminal/table.ts';

/** Scripts select columns by position, so add new ones at the end. */
const pipeColumns: readonly Column<Contact>[] = [
  { title: 'id', cell: ({ id }) => id, unbroken: true },
  { title: 'name', cell: fullName },
  { title: 'email', cell: (contact) => emailsOf(contact).join(', '), unbroken: 'words' },
  { title: 'type', cell: ({ type }) => type ?? '' },
  { title: 'state', cell: ({ deleted, me }) => (deleted ? 'deleted' : me ? 'you' : '') },
  { title: 'time zone', cell: ({ timezone }) => timezone ?? '' },
];

/** A terminal has no room for time zones beside e-mail addresses; pipes and JSON have them. */
const terminalColumns = pipeColumns.filter(({ title }) => title !== 'time zone');

export default command({
  changes: 'nothing',
  sendsRequests: true,
  examples: {
    'List all contacts': 'wm contact list',
    'Find a user by name': 'wm contact list --name okafor',
    'Show the contact with an id': 'wm contact list --id KUAABENQ',
    'Get your own id in a script': 'wm contact list --me | cut -f1',
    'List the bots': 'wm contact list --type Robot',
  },
  details: `The service applies the filters. How it compares names and addresses is not documented. A terminal shows no time zones.`,
  pipeColumns,
  flags: {
    me: booleanFlag('Only yourself'),
    email: textFlag('EMAIL', 'Only contacts with this e-mail address'),
    name: textFlag('TEXT', 'Only contacts with this name'),
    type: textFlag('TYPE', 'Only contacts of this type: Person, Group or Robot'),
    active: booleanFlag('Only active contacts; --no-active: only inactive contacts', { negatable: true }),
    id: listFlag(list(identifier('UserId')), 'ID', 'Only contacts with these ids'),
    limit: limitFlag,
    long: longFlag,
  },
  async run({ flags: { me, email, name, type, active, id: ids, limit, long } }, context) {
    const columns = context.world.streams.output.isTerminal ? terminalColumns : pipeColumns;
    const filters = omitUndefined({ me: me || undefined, email, name: name?.normalize('NFC'), type, active });
    const [filter] = Object.keys(filters);
    if (ids !== undefined) {
      if (filter !== undefined)
        throw usageError(
          `--id and --${filter} cannot be combined`,
          'The service finds contacts by their ids or by filters.',
        );
      const results = await readByIds(context, accountOperations.getContacts, 'contactIds', ids, {});
      if (!results) return;
      const found = foundRecords(results.reads).slice(0, limit);
      await context.report.list({
        columns,
        records: found.map(({ record }) => record),
        raw: found.map(({ raw }) => raw),
        isOneLine: !long,
        mayBeLong: true,
      });
      const hint = `To list them all: ${formatCommand(context, 'contact list')}`;
      const failure = results.endedBy ?? missingFailure(results.reads, 'contacts', hint);
      if (failure) throw failure;
      return;
    }
    const pages = await readPages(context, accountOperations.listContacts, {}, filters);
    await printList(context, pages, {
      columns,
      toRows: (contact) => [contact],
      limit,
      long,
      thing: ['contact', 'contacts'],
      none: filter === undefined ? 'No contacts.' : 'No contact matches.',
    });
  },
});
