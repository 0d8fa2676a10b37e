// `wm emulator user`: lists the users of a running emulator, sets a user's licence and access, or removes a user.

import { command } from '#cli/command.ts';
import { booleanFlag, listFlag, valueFlag } from '#cli/flags/flag.ts';
import { anyText, boolean, choice, list, object, type TypeOf } from '#contract/schema.ts';
import { usageError } from '#failure.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { Column } from '#terminal/table.ts';
import { controlFlags, incomplete, readList, reportDone, sendControlRequest } from './control-request.ts';

const user = object('user', {
  id: anyText,
  firstName: anyText,
  lastName: anyText,
  accountId: anyText,
  licence: anyText,
  denied: list(anyText),
  deleted: boolean,
});

const pipeColumns: readonly Column<TypeOf<typeof user>>[] = [
  { title: 'id', cell: ({ id }) => id, unbroken: true },
  { title: 'name', cell: ({ firstName, lastName }) => `${firstName} ${lastName}`.trim() },
  { title: 'account', cell: ({ accountId }) => accountId },
  { title: 'licence', cell: ({ licence }) => licence },
  { title: 'denied', cell: ({ denied }) => denied.join(', ') },
  { title: 'state', cell: ({ deleted }) => (deleted ? 'removed' : 'active') },
];

export default command({
  sendsRequests: true,
  changes: 'the emulator',
  examples: {
    'List all users': 'wm emulator user',
    'Give a user the lowest licence, which allows no status but Active':
      'wm emulator user KUAABENQ --licence lowest',
    'Deny a user access to a folder': 'wm emulator user KUAABENQ --deny IEAAAAAQI4AB5FLD',
    'Remove a user, with their webhooks and tokens': 'wm emulator user KUAABENQ --remove',
  },
  pipeColumns,
  arguments: { id: { help: 'the id of the user', optional: true } },
  flags: {
    licence: valueFlag(choice('licence', ['full', 'lowest']), 'LICENCE', 'Set the licence: full or lowest'),
    deny: listFlag(list(anyText), 'ID', 'Deny the user access to exactly these tasks, folders or spaces'),
    allowAll: booleanFlag('Allow the user access to everything again'),
    remove: booleanFlag('Remove the user from the account'),
    ...controlFlags,
  },
  async run({ arguments: { id }, flags: { licence, deny, allowAll, remove } }, context) {
    if (remove && (licence !== undefined || deny !== undefined || allowAll))
      throw usageError('--remove cannot be combined with a change of the user');
    if (allowAll && deny !== undefined)
      throw usageError(
        '--allow-all cannot be combined with --deny',
        '--deny replaces what was denied before.',
      );
    const changes = omitUndefined({ licence, denied: allowAll ? [] : deny });
    const hasChanges = Object.keys(changes).length > 0;
    if (id === undefined && (hasChanges || remove))
      throw incomplete(context, 'Missing: ID', 'user KUAABENQ --remove');
    const path = `/users/${encodeURIComponent(id ?? '')}` as const;
    if (remove) {
      const response = await sendControlRequest(context, `DELETE ${path}`);
      await reportDone(context, response, `Removed ${id}, with their webhooks and tokens.`);
      return;
    }
    const response = await (hasChanges
      ? sendControlRequest(context, `POST ${path}`, changes)
      : sendControlRequest(context, 'GET /users'));
    if (response === undefined) return;
    const { records, raw } = readList(response, 'users', user);
    const isRequested = (_: unknown, index: number) => id === undefined || records[index]?.id === id;
    const requested = records.filter(isRequested);
    if (id !== undefined && requested.length === 0) throw usageError(`User not found: ${id}`);
    await context.report.list({ columns: pipeColumns, records: requested, raw: raw.filter(isRequested) });
  },
});
