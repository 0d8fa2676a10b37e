// `wm auth convert-v3`: turns a version 3 refresh token into a version 4 sign-in.

import { command } from '#cli/command.ts';
import type { Context } from '#cli/context.ts';
import { type ParsedFlags, textFlag, valueFlag } from '#cli/flags/flag.ts';
import { howToProvide, requireValues } from '#cli/flags/missing-values.ts';
import { flagWords, formatCommand, formatCommandWith, withProfile } from '#cli/format-command.ts';
import { identityColumns, identityFields } from '#cli/identity.ts';
import { withStandardInput } from '#cli/shell-quote.ts';
import { failureFromFault } from '#client/request-failure.ts';
import { mayHaveChanged, statusFailure } from '#client/response.ts';
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
  tokensOf,
  unsupportedTokenType,
} from '#login/token-endpoint.ts';
import type { StoredTokens } from '#login/token-store.ts';
import type { HttpFault, HttpResponse } from '#world/world.ts';
import { chooseStore, storeFlag } from './sign-in/choose-store.ts';
import { configuredSignIn } from './sign-in/configured-sign-in.ts';
import { storeSignIn } from './sign-in/finish-sign-in.ts';
import { formatLoginCommand } from './sign-in/login-command.ts';
import { confirmIdentityFirst, confirmReplacement, mayReplaceAnother } from './sign-in/replace-sign-in.ts';
import { readTokenFromInput, readTokenIdentity } from './sign-in/token-from-input.ts';
import { forceFlag, profileInUseDetails, rejectIfTokenIsSet } from './sign-in/token-precedence.ts';

const convertFlags = {
  accountId: valueFlag(identifier('AccountId'), 'ID', convert.parameters.accountId.meaning),
  authUrl: textFlag('URL', 'The address that converts the token (or WM_AUTH_URL)'),
  host: textFlag('HOST', 'The host of the API (or WM_HOST)'),
  store: storeFlag,
  force: forceFlag,
} as const;

export default command({
  changes: 'this machine',
  examples: {
    'From a file that holds the version 3 refresh token':
      'wm auth convert-v3 --account-id IEAAAAAQ --host api.example.com --auth-url https://login.example.com < token.txt',
  },
  details: `wm reads the token from standard input. Set WM_CLIENT_ID and WM_CLIENT_SECRET to those of the application: later
refreshes need them. Give --host if the service's response contains no host.

${profileInUseDetails}`,
  tooManyArgumentsHint:
    'Give the version 3 token on standard input: wm auth convert-v3 --account-id IEAAAAAQ < token.txt',
  flags: convertFlags,
  async run({ flags }, context) {
    const { world, report, account } = context;
    await rejectIfTokenIsSet(context, 'the converted sign-in would not be used', flags.force);
    const { environment } = world;
    const { name } = await selectProfileName(world, account);
    const configured = configuredSignIn(context.settings, name);
    const address = flags.authUrl ?? environment['WM_AUTH_URL'] ?? configured.authUrl?.value;
    const configuredHere = configured.forAddress(address === undefined ? undefined : parseAuthUrl(address));
    const required = requireValues(
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
    const authUrl = parseAuthUrl(required['--auth-url']);
    const { WM_CLIENT_ID: clientId, WM_CLIENT_SECRET: clientSecret } = required;
    const convertCommand = formatConvertCommand(context, authUrl, flags);
    const hostSuffixes = configuredHere.hostSuffixes?.value ?? defaultHostSuffixes(authUrl);
    const loginCommand = formatLoginCommand({ context, authUrl, clientId, hostSuffixes, flags });
    if (world.streams.input.isTerminal)
      throw usageError(
        'No version 3 token on standard input',
        `For example: ${withStandardInput(convertCommand, 'token.txt', world)}`,
      );
    const oldToken = await readTokenFromInput(world);
    // Find every mistake before the old token is used up.
    await validateNewProfileName(world, name);
    const hostText = flags.host ?? environment['WM_HOST'];
    const hostSetting =
      hostText === undefined ? undefined : parseHost(hostText, flags.host ? '--host' : 'WM_HOST');
    const store = await chooseStore(context, name, flags.store);
    const previous = await findProfile(world, name);
    const replaced = mayReplaceAnother(context, previous) ? previous : undefined;
    if (replaced?.accountId !== undefined && replaced.accountId !== required['--account-id'])
      await confirmReplacement(context, replaced, `a sign-in to the account ${required['--account-id']}`, {
        command: convertCommand,
      });

    const sentAt = world.clock.now();
    const request = convertRequest(authUrl + convert.path, oldToken, required['--account-id']);
    const response = await sendTokenRequest(world, request, context.timeoutMs, report.trace);
    if (mayHaveChanged(response)) throw unknownOutcome(response, loginCommand);
    if ('fault' in response) throw failureFromFault(response);
    const tokenResponse = parseTokenResponse(response, errorHints, world.clock.now());
    world.secrets.addCredentials(tokenResponse.access_token, tokenResponse.refresh_token);
    const wrongType = unsupportedTokenType(tokenResponse);
    if (wrongType) throw wrongType.with({ hint: `You can run it again: ${canConvertAgain}` });
    const responseHost = tokenResponse.host?.toLowerCase();
    const allowedHost =
      responseHost !== undefined && isAllowedHost(responseHost, authUrl, hostSuffixes)
        ? responseHost
        : undefined;
    const host = withSchemeOf(
      authUrl,
      allowedHost ?? hostSetting ?? noUsableHost(responseHost, convertCommand),
    );
    const tokens: StoredTokens = {
      generation: 1,
      ...tokensOf(tokenResponse, sentAt),
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
      converted: true,
      store: store.kind,
      signedInAt: sentAt,
    };
    const note = `\nYou can run it again: ${canConvertAgain}`;
    if (replaced)
      await confirmIdentityFirst(context, replaced, tokens, {
        message: 'The token was converted, but its user and account could not be read',
        hint: `To replace the sign-in anyway: ${convertCommand} --profile ${replaced.name}${note}`,
        secondAccount: { command: convertCommand, note },
      });
    // Unless they replace others, store the tokens before the service confirms them: the old token may be gone by now.
    await storeSignIn(context, store, profile, tokens);
    const identity = await readTokenIdentity(context, tokens);
    await saveProfile(world, { ...profile, ...identityFields(identity) }).catch((error: unknown) => {
      const { code, message: what, why } = toFailure(error);
      const hint = `The converted sign-in is stored (profile ${name}), but without its user and account. Try it: ${formatCommand(withProfile(context, name), 'whoami')}`;
      throw new Failure(code, { message: what, why, hint, cause: error });
    });
    await report.info(`Converted and stored (profile ${name}).`);
    await report.one({ columns: identityColumns, records: [identity], raw: [identity] });
  },
});

/** This command, without its profile and standard input. */
function formatConvertCommand(
  context: Context,
  authUrl: string,
  { accountId, host, store, force }: ParsedFlags<typeof convertFlags>,
): string {
  const flags = [
    ...flagWords('--account-id', accountId),
    ...flagWords('--auth-url', authUrl),
    ...flagWords('--host', host),
    ...flagWords('--store', store),
    ...(force ? ['--force'] : []),
  ];
  return formatCommandWith(withProfile(context, undefined), 'auth convert-v3', [], ...flags);
}

const errorHints: TokenErrorHints = {
  invalidGrant: {
    message: 'The service rejected this version 3 token for this account',
    hint: 'Check the token and --account-id, then run the same command again. Nothing was changed on this machine.',
  },
  checkApplicationHint: 'Check WM_CLIENT_ID and WM_CLIENT_SECRET, then run the same command again.',
  restartHint: 'Check --auth-url, --account-id and the token, then run the same command again.',
};

const canConvertAgain = 'a version 3 token can be converted again for one day.';

function noUsableHost(responseHost: string | undefined, convertCommand: string): never {
  const host = responseHost !== undefined && isHostName(responseHost) ? responseHost : undefined;
  throw new Failure('bad_response', {
    message:
      responseHost === undefined
        ? 'The token was converted, but the response contains no host'
        : `The token was converted for the host ${JSON.stringify(responseHost)}, which is not allowed for this address`,
    why: responseHost === undefined || host !== undefined ? undefined : 'it is not a host name',
    hint:
      host === undefined
        ? `Run it again with the host of your account, such as --host api.example.com: ${canConvertAgain}`
        : `If that host is right: ${convertCommand} --host ${host} < token.txt\nYou can run it again: ${canConvertAgain}`,
  });
}

function unknownOutcome(response: HttpResponse | HttpFault, loginCommand: string): Failure {
  const cause = 'fault' in response ? failureFromFault(response) : statusFailure(response);
  return new Failure('outcome_unknown', {
    message: 'The token was sent for conversion, but no usable response came',
    why: cause.sentence,
    hint: `Run the same command again. If the service rejects the version 3 token now, sign in instead: ${loginCommand}`,
    cause,
  });
}
