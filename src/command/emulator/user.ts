// `wm emulator user`: the users of a running emulator; sets the licence and the access of one, or removes one.

import { boolean, choice, list, object, optional, text } from '../../contract/schema.ts';
import { usageError } from '../../failure.ts';
import type { Column } from '../../terminal/table.ts';
import { command } from '../command.ts';
import { list as listFlag, toggle, value } from '../flag.ts';
import { controlCall, controlFlags, listIn, rawIn, toSameEmulator } from './control-call.ts';

const plain = text('text');
const user = object('user', {
  id: plain,
  firstName: plain,
  lastName: plain,
  accountId: plain,
  licence: plain,
  denied: optional(list(plain)),
  deleted: boolean,
});
type User = ReturnType<typeof user.validate>;

const columns: readonly Column<User>[] = [
  { title: 'id', cell: (one) => one.id, unbroken: true },
  { title: 'name', cell: (one) => `${one.firstName} ${one.lastName}` },
  { title: 'account', cell: (one) => one.accountId },
  { title: 'licence', cell: (one) => one.licence },
  { title: 'denied', cell: (one) => (one.denied ?? []).join(', ') },
  { title: 'state', cell: (one) => (one.deleted ? 'removed' : 'active') },
];

export default command({
  showsRequests: true,
  examples: [
    { does: 'All of them', line: 'wm emulator user' },
    { does: 'May set no status but Active', line: 'wm emulator user KUAABENQ --licence lowest' },
    { does: 'Has no access to a folder', line: 'wm emulator user KUAABENQ --deny IEAAAAAQI4AB5FLD' },
    { does: 'Out of the account, webhooks and tokens with them', line: 'wm emulator user KUAABENQ --remove' },
  ],
  columns,
  arguments: { id: { help: 'the id of the user', optional: true } },
  flags: {
    licence: value(choice('licence', ['full', 'lowest']), 'LICENCE', 'full or lowest'),
    deny: listFlag(list(plain), 'ID', 'Deny the user these tasks, folders or spaces, and no others'),
    allowAll: toggle('Deny the user nothing any more'),
    remove: toggle('Remove the user from the account'),
    ...controlFlags,
  },
  async run({ arguments: { id }, flags: { url, licence, deny, allowAll, remove } }, context) {
    const changes = {
      ...(licence === undefined ? {} : { licence }),
      ...(deny === undefined ? {} : { denied: deny }),
      ...(allowAll ? { denied: [] } : {}),
    };
    const wants = Object.keys(changes).length > 0 || remove === true;
    if (id === undefined && wants)
      throw usageError(
        'Which user?',
        `As in: ${toSameEmulator('user KUAABENQ --remove', url, context.world)}`,
      );
    if (remove) {
      const answer = await controlCall(context, url, { method: 'DELETE', path: `/users/${id}` });
      if (answer === undefined) return;
      if (context.report.wantsJson) await context.report.json(answer);
      else await context.report.info(`Removed ${id}, with every webhook and token.`);
      return;
    }
    const answer = await controlCall(
      context,
      url,
      id !== undefined && wants
        ? { method: 'POST', path: `/users/${encodeURIComponent(id)}`, body: changes }
        : { method: 'GET', path: '/users' },
    );
    if (answer === undefined) return;
    const wanted = (one: User) => id === undefined || one.id === id;
    const all = listIn(answer, 'users', user);
    const records = all.filter(wanted);
    const raw = rawIn(answer, 'users').filter((_, index) => {
      const one = all[index];
      return one !== undefined && wanted(one);
    });
    if (id !== undefined && records.length === 0) throw usageError(`There is no user ${id}`);
    await context.report.list({ columns, records, raw });
  },
});
