// `wm emulator revoke CAUSE`: takes tokens back in a running emulator, for one of the contract's five causes.

import { choice, number, record, tolerate } from '../../contract/value.ts';
import { command } from '../command.ts';
import { words } from '../flag.ts';
import { controlCall, controlFlags } from './control-call.ts';

const causes = choice('cause', [
  'user-revokes',
  'password-reset',
  'user-deactivated',
  'administrator-signs-in',
  'password-policy-changed',
]);
const answered = record('revocation', { revoked: number('count') });

export default command({
  showsRequests: true,
  examples: [
    { does: 'Ada resets her password', line: 'wm emulator revoke password-reset --user KUAAADAQ' },
    { does: 'Of a whole account', line: 'wm emulator revoke password-policy-changed --account IEAAAAAQ' },
  ],
  details: `The causes: ${causes.choices?.join(', ')}.`,
  arguments: { cause: { help: 'why' } },
  flags: {
    user: words('ID', 'Whose tokens'),
    account: words('ID', 'Of which account, where the password policy changed'),
    ...controlFlags,
  },
  async run({ arguments: { cause }, flags: { url, user: userId, account: accountId } }, context) {
    const answer = await controlCall(context, url, {
      method: 'POST',
      path: '/revocations',
      body: {
        cause: causes.check(cause),
        ...(userId === undefined ? {} : { userId }),
        ...(accountId === undefined ? {} : { accountId }),
      },
    });
    if (answer === undefined) return;
    if (context.report.wantsJson) await context.report.json(answer);
    else await context.report.say(`Revoked: ${tolerate(answered, answer).revoked}`);
  },
});
