// The `wm emulator` commands of who may do what: users, tokens and their revocation. Rows of control-commands.ts.

import type { Context } from '#cli/context.ts';
import { countOf } from '#cli/count-of.ts';
import { readStandardInput } from '#cli/file-value.ts';
import { booleanFlag, caseInsensitive, listFlag, textFlag, valueFlag } from '#cli/flags/flag.ts';
import { revocationCauses } from '#contract/authorization.ts';
import { anyText, boolean, choice, list, object, readLeniently } from '#contract/schema.ts';
import { scopes } from '#contract/scope.ts';
import { usageError } from '#failure.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { controlCommand, doneWith, incomplete, listOf, texts } from './control-command.ts';
import { readList } from './control-request.ts';

const user = object('user', {
  ...texts('id', 'firstName', 'lastName', 'accountId', 'licence'),
  denied: list(anyText),
  deleted: boolean,
});

const users = listOf('users', user, [
  { title: 'id', cell: ({ id }) => id, unbroken: true },
  { title: 'name', cell: ({ firstName, lastName }) => `${firstName} ${lastName}`.trim() },
  { title: 'account', cell: ({ accountId }) => accountId },
  { title: 'licence', cell: ({ licence }) => licence },
  { title: 'denied', cell: ({ denied }) => denied.join(', ') },
  { title: 'state', cell: ({ deleted }) => (deleted ? 'removed' : 'active') },
]);

const sampleTokens = listOf(
  'tokens',
  object('token', texts('name', 'userId', 'applicationId', 'kind', 'token')),
  [
    { title: 'name', cell: ({ name }) => name },
    { title: 'user', cell: ({ userId }) => userId },
    { title: 'application', cell: ({ applicationId }) => applicationId },
    { title: 'kind', cell: ({ kind }) => kind },
    { title: 'token', cell: ({ token }) => token, unbroken: true },
  ],
  'No tokens.',
);

export const accessCommands = {
  user: controlCommand({
    examples: {
      'List all users': 'wm emulator user',
      'Give a user the lowest licence, which allows no status but Active':
        'wm emulator user KUAABENQ --licence lowest',
      'Deny a user access to a folder': 'wm emulator user KUAABENQ --deny IEAAAAAQI4AB5FLD',
      'Remove a user, with their webhooks and tokens': 'wm emulator user KUAABENQ --remove',
    },
    arguments: { id: { help: 'the id of the user', optional: true } },
    flags: {
      licence: valueFlag(choice('licence', ['full', 'lowest']), 'LICENCE', 'Set the licence: full or lowest'),
      deny: listFlag(list(anyText), 'ID', 'Deny the user access to exactly these tasks, folders or spaces'),
      allowAll: booleanFlag('Allow the user access to everything again'),
      remove: booleanFlag('Remove the user from the account'),
    },
    call({ arguments: { id }, flags: { licence, deny, allowAll, remove } }, context) {
      if (remove && (licence !== undefined || deny !== undefined || allowAll))
        throw usageError('--remove cannot be combined with a change of the user');
      if (allowAll && deny !== undefined)
        throw usageError(
          '--allow-all cannot be combined with --deny',
          '--deny replaces what was denied before.',
        );
      const body = omitUndefined({ licence, denied: allowAll ? [] : deny });
      if (!remove && Object.keys(body).length === 0) return { path: '/users' };
      if (id === undefined) throw incomplete(context, 'Missing: ID', 'user KUAABENQ --remove');
      const path = `/users/${encodeURIComponent(id)}` as const;
      return remove ? { path, method: 'DELETE' } : { path, body };
    },
    ...users,
    async print(response, context, input) {
      const {
        arguments: { id },
        flags: { remove },
      } = input;
      if (remove)
        return doneWith('tokens', () => `Removed ${id}, with their webhooks and tokens.`).print(
          response,
          context,
        );
      const { raw } = readList(response, 'users', user);
      const requested = raw.filter((record) => id === undefined || readLeniently(user, record).id === id);
      if (id !== undefined && requested.length === 0) throw usageError(`User not found: ${id}`);
      await users.print({ users: requested }, context, input);
    },
  }),
  token: controlCommand({
    examples: {
      'List the sample tokens': 'wm emulator token',
      'Act as another user in a test': 'WM_TOKEN=$(wm emulator token KUAABENQ) wm whoami',
      'Create a token that may only read': 'wm emulator token KUAABENQ --scope wsReadOnly',
    },
    details: `Without USER, lists the sample tokens. Each start of the emulator creates new ones, unless it has --data FILE or
--fixed-tokens. With USER, creates a permanent token. Only this emulator accepts these tokens.`,
    arguments: { user: { help: 'the id of the user', optional: true } },
    flags: {
      scope: listFlag(
        list(choice('scope', scopes)),
        'SCOPE',
        'Limit the token to these scopes (default: all)',
      ),
      application: textFlag('ID', 'Create it for this application (default: the sample application)'),
    },
    call({ arguments: { user: userId }, flags: { scope: scopes, application: applicationId } }, context) {
      const body = { scopes, applicationId };
      if (userId !== undefined) return { path: '/tokens', body: { userId, ...body } };
      if (scopes === undefined && applicationId === undefined) return { path: '/tokens' };
      throw incomplete(context, 'Missing: USER', 'token KUAABENQ --scope wsReadOnly');
    },
    ...sampleTokens,
    async print(response, context, input) {
      // Not redacted: sample tokens are meant to be seen, although WM_TOKEN may hold one.
      const report = context.report.withSecrets();
      if (input.arguments.user === undefined)
        await sampleTokens.print(response, { ...context, report }, input);
      else if (report.wantsJson) await report.json(response);
      else await report.line(readLeniently(object('token', texts('token')), response).token);
    },
  }),
  revoke: controlCommand({
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
    },
    async call(
      { arguments: { cause: word }, flags: { user: userId, account: accountId, tokenStdin } },
      context,
    ) {
      const cause = caseInsensitive(choice('cause', revocationCauses)).validate(word);
      const token = tokenStdin ? await readToken(context) : undefined;
      return { path: '/revocations', body: { cause, userId, accountId, token } };
    },
    ...doneWith('revoked', (count) => `Revoked ${countOf(count, 'token')}.`),
  }),
} as const;

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
