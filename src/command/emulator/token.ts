// `wm emulator token`: the tokens of a running emulator's sample; with a user, a new permanent one, as the console of the
// service would show it once.

import { choice, list, object, readLeniently, text } from '../../contract/schema.ts';
import { scopes } from '../../contract/scope.ts';
import { usageError } from '../../failure.ts';
import type { Column } from '../../terminal/table.ts';
import { command } from '../command.ts';
import { list as listFlag, words } from '../flag.ts';
import { controlCall, controlFlags, listIn, rawIn, toSameEmulator } from './control-call.ts';

const plain = text('text');
const created = object('token', { token: plain });
const listed = object('token', {
  name: plain,
  userId: plain,
  applicationId: plain,
  kind: plain,
  token: plain,
});
type Listed = ReturnType<typeof listed.validate>;

const columns: readonly Column<Listed>[] = [
  { title: 'name', cell: (one) => one.name },
  { title: 'user', cell: (one) => one.userId },
  { title: 'application', cell: (one) => one.applicationId },
  { title: 'kind', cell: (one) => one.kind },
  { title: 'token', cell: (one) => one.token, unbroken: true },
];

export default command({
  showsRequests: true,
  examples: [
    { does: 'Those of the sample', line: 'wm emulator token' },
    { does: 'For a test as somebody else', line: 'WM_TOKEN=$(wm emulator token KUAABENQ) wm whoami' },
    { does: 'That may only read', line: 'wm emulator token KUAABENQ --scope wsReadOnly' },
  ],
  details: `Without a user, lists the tokens of the sample: each start of the emulator makes new ones, unless it has --data FILE
or --fixed-tokens. With a user, creates a permanent token. Only this emulator accepts them.`,
  columns,
  arguments: { user: { help: 'the id of the user', optional: true } },
  flags: {
    scope: listFlag(list(choice('scope', scopes)), 'SCOPE', 'Only these scopes (all)'),
    application: words('ID', 'Of this application (the sample one)'),
    ...controlFlags,
  },
  async run({ arguments: { user: userId }, flags: { url, scope, application } }, context) {
    // Those of the sample are made to be seen; WM_TOKEN may hold one of them.
    const report = context.report.withSecrets();
    if (userId === undefined) {
      if (scope !== undefined || application !== undefined)
        throw usageError(
          'Whose token?',
          `As in: ${toSameEmulator('token KUAABENQ --scope wsReadOnly', url, context.world)}`,
        );
      const answer = await controlCall(context, url, { method: 'GET', path: '/tokens' });
      if (answer === undefined) return;
      await report.list({ columns, records: listIn(answer, 'tokens', listed), raw: rawIn(answer, 'tokens') });
      return;
    }
    const answer = await controlCall(context, url, {
      method: 'POST',
      path: '/tokens',
      body: {
        userId,
        ...(scope === undefined ? {} : { scopes: scope }),
        ...(application === undefined ? {} : { applicationId: application }),
      },
    });
    if (answer === undefined) return;
    if (report.wantsJson) await report.json(answer);
    else await report.line(readLeniently(created, answer).token);
  },
});
