// `wm emulator revoke CAUSE`: revokes tokens in a running emulator, for one of the contract's five causes.

import { command } from '#cli/command.ts';
import type { Context } from '#cli/context.ts';
import { countOf } from '#cli/count-of.ts';
import { readStandardInput } from '#cli/file-value.ts';
import { booleanFlag, caseInsensitive, textFlag } from '#cli/flags/flag.ts';
import { revocationCauses } from '#contract/authorization.ts';
import { choice, number, object, readLeniently } from '#contract/schema.ts';
import { usageError } from '#failure.ts';
import { controlFlags, reportDone, sendControlRequest } from './control-request.ts';

export default command({
  sendsRequests: true,
  changes: 'the emulator',
  examples: {
    "Revoke a user's tokens, as a password reset does": 'wm emulator revoke password-reset --user KUAAADAQ',
    'Revoke one token': 'printf %s "$WM_TOKEN" | wm emulator revoke user-revokes --token-stdin',
    'Revoke the tokens of a whole account': 'wm emulator revoke password-policy-changed --account IEAAAAAQ',
  },
  details: `CAUSE is one of: ${revocationCauses.join(', ')}.`,
  arguments: { cause: { help: 'the reason', choices: revocationCauses } },
  flags: {
    user: textFlag('ID', 'Revoke the tokens of this user'),
    account: textFlag('ID', 'Revoke the tokens of this account; with password-policy-changed'),
    tokenStdin: booleanFlag(
      'Revoke only the token on standard input; with user-deactivated, all tokens of its user',
    ),
    ...controlFlags,
  },
  async run({ arguments: { cause: word }, flags }, context) {
    const { user: userId, account: accountId, tokenStdin } = flags;
    const cause = caseInsensitive(choice('cause', revocationCauses)).validate(word);
    const token = tokenStdin ? await readToken(context) : undefined;
    const body = { cause, userId, accountId, token };
    const response = await sendControlRequest(context, 'POST /revocations', body);
    if (response === undefined) return;
    const { revoked } = readLeniently(object('revocation', { revoked: number('count') }), response);
    await reportDone(context, response, `Revoked ${countOf(revoked, 'token')}.`);
  },
});

/** Reads standard input: a command line would show the token to other users. --dry-run shows a placeholder. */
async function readToken({ world, common }: Context): Promise<string> {
  if (common.dryRun) return '$TOKEN';
  if (common.curl)
    throw usageError('--curl cannot show a token', 'To see the request without the token: --dry-run');
  const bytes = await readStandardInput(world, 64 * 1024, '--token-stdin');
  const token = new TextDecoder().decode(bytes).trim();
  if (token === '') throw usageError('--token-stdin: standard input is empty');
  return token;
}
