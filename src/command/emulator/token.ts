// `wm emulator token USER`: a permanent token of a running emulator, as the console of the service would show it once.

import { scopes } from '../../contract/scope.ts';
import { choice, list, record, text, tolerate } from '../../contract/value.ts';
import { command } from '../command.ts';
import { list as listFlag, words } from '../flag.ts';
import { controlCall, controlFlags } from './control-call.ts';

const answered = record('token', { token: text('token') });

export default command({
  showsRequests: true,
  examples: [
    { does: 'For a test as somebody else', line: 'WM_TOKEN=$(wm emulator token KUAABENQ) wm whoami' },
    { does: 'That may only read', line: 'wm emulator token KUAABENQ --scope wsReadOnly' },
  ],
  details: 'Only the emulator accepts it.',
  arguments: { user: { help: 'the id of the user' } },
  flags: {
    scope: listFlag(list(choice('scope', scopes)), 'SCOPE', 'Only these scopes (all)'),
    application: words('ID', 'Of this application (the sample one)'),
    ...controlFlags,
  },
  async run({ arguments: { user: userId }, flags: { url, scope, application } }, context) {
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
    if (context.report.wantsJson) await context.report.json(answer);
    else await context.report.line(tolerate(answered, answer).token);
  },
});
