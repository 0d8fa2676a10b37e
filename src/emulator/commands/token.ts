// `wm emulator token`: lists the sample's tokens in a running emulator, or creates a permanent token for a user.

import { command } from '#cli/command.ts';
import { listFlag, textFlag } from '#cli/flags/flag.ts';
import { anyText, choice, list, object, readLeniently, type TypeOf } from '#contract/schema.ts';
import { scopes } from '#contract/scope.ts';
import type { Column } from '#terminal/table.ts';
import { controlFlags, incomplete, reportList, sendControlRequest } from './control-request.ts';

const sampleToken = object('token', {
  name: anyText,
  userId: anyText,
  applicationId: anyText,
  kind: anyText,
  token: anyText,
});

const pipeColumns: readonly Column<TypeOf<typeof sampleToken>>[] = [
  { title: 'name', cell: ({ name }) => name },
  { title: 'user', cell: ({ userId }) => userId },
  { title: 'application', cell: ({ applicationId }) => applicationId },
  { title: 'kind', cell: ({ kind }) => kind },
  { title: 'token', cell: ({ token }) => token, unbroken: true },
];

export default command({
  sendsRequests: true,
  changes: 'the emulator',
  examples: {
    'List the sample tokens': 'wm emulator token',
    'Act as another user in a test': 'WM_TOKEN=$(wm emulator token KUAABENQ) wm whoami',
    'Create a token that may only read': 'wm emulator token KUAABENQ --scope wsReadOnly',
  },
  details: `Without USER, lists the sample tokens. Each start of the emulator creates new ones, unless it has --data FILE or
--fixed-tokens. With USER, creates a permanent token. Only this emulator accepts these tokens.`,
  pipeColumns,
  arguments: { user: { help: 'the id of the user', optional: true } },
  flags: {
    scope: listFlag(list(choice('scope', scopes)), 'SCOPE', 'Limit the token to these scopes (default: all)'),
    application: textFlag('ID', 'Create it for this application (default: the sample application)'),
    ...controlFlags,
  },
  async run({ arguments: { user: userId }, flags: { scope, application } }, context) {
    // Not redacted: sample tokens are meant to be seen, although WM_TOKEN may hold one.
    const report = context.report.withSecrets();
    if (userId === undefined) {
      if (scope !== undefined || application !== undefined)
        throw incomplete(context, 'Missing: USER', 'token KUAABENQ --scope wsReadOnly');
      const response = await sendControlRequest(context, 'GET /tokens');
      await reportList({ report }, response, ['tokens', sampleToken, pipeColumns], { none: 'No tokens.' });
      return;
    }
    const body = { userId, scopes: scope, applicationId: application };
    const response = await sendControlRequest(context, 'POST /tokens', body);
    if (response === undefined) return;
    if (report.wantsJson) await report.json(response);
    else await report.line(readLeniently(object('token', { token: anyText }), response).token);
  },
});
