// `wm auth convert-v3`: turns a version 3 refresh token into a version 4 sign-in.

import { command } from '#cli/command.ts';
import type { Context } from '#cli/context.ts';
import { textFlag, valueFlag } from '#cli/flags/flag.ts';
import { howToProvide, requireValues } from '#cli/flags/missing-values.ts';
import { flagWords, formatCommand, formatCommandWith, withProfile } from '#cli/format-command.ts';
import { identityColumns, identityFields } from '#cli/identity.ts';
import { withStandardInput } from '#cli/shell-quote.ts';
import { failureFromFault, mayHaveChanged } from '#client/request-failure.ts';
import { responseFailure } from '#client/response.ts';
import { convert } from '#contract/authorization.ts';
import { joinWithAnd } from '#contract/format-list.ts';
import { identifier } from '#contract/identifier.ts';
import { Failure, toFailure, usageError } from '#failure.ts';
import {
  defaultHostSuffixes,
  isAllowedHost,
  isHostName,
  parseAuthUrl,
  parseHost,
  withSchemeOf,
} from '#login/host.ts';
import { findProfile, saveProfile, validateNewProfileName } from '#login/profile.ts';
import { selectProfileName } from '#login/select-account.ts';
import { sendTokenRequest } from '#login/send-token-request.ts';
import {
  convertRequest,
  parseTokenResponse,
  type TokenErrorHints,
  tokenExpiry,
  unsupportedTokenType,
} from '#login/token-endpoint.ts';
import type { StoredTokens, StoreKind } from '#login/token-store.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { HttpFault, HttpResponse } from '#world/world.ts';
import { chooseStore, storeFlag } from './sign-in/choose-store.ts';
import { configuredSignIn } from './sign-in/configured-sign-in.ts';
import { storeSignIn } from './sign-in/finish-sign-in.ts';
import { formatLoginCommand } from './sign-in/login-command.ts';
import { confirmIdentityFirst, confirmReplacement, mayReplaceAnother } from './sign-in/replace-sign-in.ts';
import { readTokenFromInput, readTokenIdentity } from './sign-in/token-from-input.ts';
import { forceFlag, rejectIfTokenIsSet, tokenPrecedenceDetails } from './sign-in/token-precedence.ts';

export default command({
  changes: 'this machine',
  examples: [
    {
      description: 'From a file that holds the version 3 refresh token',
      command:
        'wm auth convert-v3 --account-id IEAAAAAQ --host api.example.com --auth-url https://login.example.com < token.txt',
    },
  ],
  details: `wm reads the token from standard input. Set WM_CLIENT_ID and WM_CLIENT_SECRET to those of the application: later
refreshes need them. Give --host if the service's response contains no host.

Without --profile, wm signs in to the profile in use. If that profile belongs to another user or account, wm asks before
it replaces the sign-in (--yes replaces it). For a second account, use --profile NAME.

${tokenPrecedenceDetails}`,
  arguments: {},
  tooManyArgumentsHint:
    'Give the version 3 token on standard input: wm auth convert-v3 --account-id IEAAAAAQ < token.txt',
  flags: {
    accountId: valueFlag(identifier('AccountId'), 'ID', convert.parameters.accountId.meaning),
    authUrl: textFlag('URL', 'The address that converts the token (or WM_AUTH_URL)'),
    host: textFlag('HOST', 'The host of the API (or WM_HOST)'),
    store: storeFlag,
    force: forceFlag,
  },
  async run({ flags }, context) {
    const { world, report, account } = context;
    await rejectIfTokenIsSet(context, 'the converted sign-in would not be used', flags.force);
    const { environment } = world;
    const { name } = await selectProfileName(world, account);
    const configured = configuredSignIn(context.settings, name);
    const address = flags.authUrl ?? environment['WM_AUTH_URL'] ?? configured.authUrl?.value;
    const configuredHere = configured.at(address === undefined ? undefined : parseAuthUrl(address));
    const needed = requireValues(
      {
        '--account-id': flags.accountId,
        '--auth-url': address,
        WM_CLIENT_ID: environment['WM_CLIENT_ID'] ?? configuredHere.clientId?.value,
        WM_CLIENT_SECRET: environment['WM_CLIENT_SECRET'],
      },
      (names) =>
        usageError(
          `Missing: ${joinWithAnd(names)}`,
          `To convert a token, ${howToProvide(names)}. See: wm auth convert-v3 --help`,
        ),
    );
    const authUrl = parseAuthUrl(needed['--auth-url']);
    const { WM_CLIENT_ID: clientId, WM_CLIENT_SECRET: clientSecret } = needed;
    const line = formatConvertCommand(context, authUrl, flags);
    const hostSuffixes = configuredHere.hostSuffixes?.value ?? defaultHostSuffixes(authUrl);
    const login = formatLoginCommand({
      context,
      start: false,
      authUrl,
      clientId,
      hostSuffixes,
      scopes: undefined,
      redirectUri: undefined,
      store: flags.store,
      force: flags.force,
    });
    if (world.streams.input.isTerminal)
      throw usageError(
        'No version 3 token on standard input',
        `For example: ${withStandardInput(line, 'token.txt', world)}`,
      );
    const old = await readTokenFromInput(world);
    // Find every mistake before the old token is used up.
    await validateNewProfileName(world, name);
    const given = flags.host ?? environment['WM_HOST'];
    const givenHost = given === undefined ? undefined : parseHost(given, flags.host ? '--host' : 'WM_HOST');
    const store = await chooseStore(context, name, flags.store);
    const before = await findProfile(world, name);
    const another = mayReplaceAnother(context, before) ? before : undefined;
    if (another?.accountId !== undefined && another.accountId !== needed['--account-id'])
      await confirmReplacement(context, another, `a sign-in to the account ${needed['--account-id']}`, {
        words: line,
      });

    const sentAt = world.clock.now();
    const request = convertRequest(authUrl + convert.path, old, needed['--account-id']);
    const response = await sendTokenRequest(world, request, context.timeoutMs, report.trace);
    if (mayHaveChanged(response)) throw unknownOutcome(response, login);
    if ('fault' in response) throw failureFromFault(response);
    const got = parseTokenResponse(response, help, world.clock.now());
    world.secrets.addCredentials(got.access_token, got.refresh_token);
    const wrongType = unsupportedTokenType(got);
    if (wrongType) throw wrongType.with({ hint: `You can run it again: ${again}` });
    const named = got.host?.toLowerCase();
    const usable = named !== undefined && isAllowedHost(named, authUrl, hostSuffixes) ? named : undefined;
    const host = withSchemeOf(authUrl, usable ?? givenHost ?? noUsableHost(named, line));
    const item: StoredTokens = {
      generation: 1,
      accessToken: got.access_token,
      ...omitUndefined({ refreshToken: got.refresh_token }),
      ...tokenExpiry(got, sentAt),
      host,
      clientId,
      clientSecret,
    };
    const profile = {
      name,
      authUrl,
      host,
      hostSuffixes,
      clientId,
      converted: true as const,
      store: store.kind,
      signedInAt: sentAt,
    };
    const more = `\nYou can run it again: ${again}`;
    if (another)
      await confirmIdentityFirst(context, another, item, {
        what: 'The token was converted, but its user and account could not be read',
        hint: `To replace the sign-in anyway: ${line} --profile ${another.name}${more}`,
        another: { words: line, more },
      });
    // Store the tokens before the service confirms them, if they replace no others: the old token may be gone by now.
    await storeSignIn(context, store, profile, item);
    const identity = await readTokenIdentity(context, item);
    await saveProfile(world, { ...profile, ...identityFields(identity) }).catch((error: unknown) => {
      const { code, message: what, why } = toFailure(error);
      const hint = `The converted sign-in is stored (profile ${name}), but without its user and account. Try it: ${formatCommand(withProfile(context, name), 'whoami')}`;
      throw new Failure(code, { message: what, why, hint, cause: error });
    });
    await report.info(`Converted and stored (profile ${name}).`);
    await report.one({ columns: identityColumns, records: [identity], raw: [identity] });
  },
});

/** The same command, without the profile and the standard input. */
function formatConvertCommand(
  context: Context,
  authUrl: string,
  {
    accountId,
    host,
    store,
    force,
  }: {
    readonly accountId?: string;
    readonly host?: string;
    readonly store?: StoreKind;
    readonly force?: boolean;
  },
): string {
  const given = [
    ['--account-id', accountId],
    ['--auth-url', authUrl],
    ['--host', host],
    ['--store', store],
  ] as const;
  const flags = given.flatMap(([flag, text]) => flagWords(flag, text));
  const line = withProfile(context, undefined);
  return formatCommandWith(line, 'auth convert-v3', [], ...flags, ...(force ? ['--force'] : []));
}

const help: TokenErrorHints = {
  invalidGrant: {
    message: 'The service rejected this version 3 token for this account',
    hint: 'Check the token and --account-id, then run the same command again. Nothing was changed on this machine.',
  },
  checkApplicationHint: 'Check WM_CLIENT_ID and WM_CLIENT_SECRET, then run the same command again.',
  restartHint: 'Check --auth-url, --account-id and the token, then run the same command again.',
};

const again = 'a version 3 token can be converted again for one day.';

function noUsableHost(named: string | undefined, line: string): never {
  const host = named !== undefined && isHostName(named) ? named : undefined;
  throw new Failure('bad_response', {
    message:
      named === undefined
        ? 'The token was converted, but the response contains no host'
        : `The token was converted for the host ${JSON.stringify(named)}, which is not allowed for this address`,
    why: named === undefined || host !== undefined ? undefined : 'it is not a host name',
    hint:
      host === undefined
        ? `Run it again with the host of your account, such as --host api.example.com: ${again}`
        : `If that host is right: ${line} --host ${host} < token.txt\nYou can run it again: ${again}`,
  });
}

function unknownOutcome(response: HttpResponse | HttpFault, login: string): Failure {
  const cause = 'fault' in response ? failureFromFault(response) : responseFailure(response);
  return new Failure('outcome_unknown', {
    message: 'The token was sent for conversion, but no usable response came',
    why: cause.sentence,
    hint: `Run the same command again. If the service rejects the version 3 token now, sign in instead: ${login}`,
    cause,
  });
}
