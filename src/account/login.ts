// `wm login`: signs in through the browser, or with a permanent token from standard input.

import { command } from '#cli/command.ts';
import type { Context } from '#cli/context.ts';
import { toKebabCase } from '#cli/flags/flag.ts';
import { flagWords, formatCommand, formatCommandWith, withProfile } from '#cli/format-command.ts';
import { type Identity, identityColumns, identityFields } from '#cli/identity.ts';
import { withStandardInput } from '#cli/shell-quote.ts';
import { joinWithAnd } from '#contract/format-list.ts';
import { words } from '#contract/words.ts';
import { Failure, usageError } from '#failure.ts';
import { parseHost, withSchemeOf } from '#login/host.ts';
import { findProfile, readProfiles, validateNewProfileName } from '#login/profile.ts';
import { selectProfileName } from '#login/select-account.ts';
import type { StoredTokens } from '#login/token-store.ts';
import { signInThroughBrowser } from './sign-in/browser-sign-in.ts';
import { chooseStore } from './sign-in/choose-store.ts';
import { storeSignIn } from './sign-in/finish-sign-in.ts';
import { type LoginFlags, loginFlags } from './sign-in/flags.ts';
import {
  confirmReplacement,
  formatIdentity,
  isDifferentIdentity,
  mayReplaceAnother,
} from './sign-in/replace-sign-in.ts';
import { readTokenFromInput, readTokenIdentity } from './sign-in/token-from-input.ts';
import { profileInUseDetails, rejectIfTokenIsSet } from './sign-in/token-precedence.ts';
import { completeSignIn, startSignIn } from './sign-in/two-step-sign-in.ts';

export default command({
  changes: 'this machine',
  examples: {
    'Sign in through the browser': 'wm login --auth-url https://login.example.com',
    'On a machine without a browser': 'wm login --no-browser',
    'In two steps: print the address to open; within 10 minutes, give the one you landed on': `wm login --start
wm login --complete < landing.txt`,
    'A second account': 'wm login --profile work --auth-url https://login.example.com',
    'With an application that has only an https callback: paste the address you land on':
      'wm login --redirect-uri https://example.com/callback',
    'With a permanent token': 'wm login --with-token --host api.example.com < token.txt',
  },
  details: `You need your own application: create one in the service's console, which shows its client id and secret. wm prompts
for the secret without showing it, or reads it from WM_CLIENT_SECRET. Register the callback URL with the application:
http://127.0.0.1:PORT/callback, or the value of --redirect-uri.

When you sign in to a profile again, wm reuses its --allow-host hosts if the address is the same, and its scopes if the
application is the same too. It never uses the settings for one address at another.

${profileInUseDetails}`,
  tooManyArgumentsHint: `Give a token on standard input: wm login --with-token --host api.example.com < token.txt
Give the address you landed on there too: wm login --complete < landing.txt`,
  firstFlags: words('authUrl clientId redirectUri port start complete browser withToken host store'),
  flags: loginFlags,
  async run({ flags }, context) {
    const method = chooseSignInMethod(flags);
    const { world, report, account } = context;
    await rejectIfTokenIsSet(context, 'this sign-in would not be used', flags.force);
    const { name } = await selectProfileName(world, account);
    await validateNewProfileName(world, name);
    if (method === 'start') {
      await startSignIn(context, name, flags);
      return undefined;
    }
    const signedIn =
      method === 'withToken'
        ? await signInWithToken(context, name, flags)
        : method === 'complete'
          ? await completeSignIn(context, name, flags)
          : await signInThroughBrowser(context, name, flags);
    // The sign-in is stored by now: an unreadable profiles file must not make it look failed.
    const inUse = await readProfiles(world).then(
      ({ current }) => current,
      () => undefined,
    );
    const isOtherInUse = inUse !== undefined && inUse !== name;
    const mustName = isOtherInUse || world.environment['WM_TOKEN'] !== undefined;
    await report.info(
      `Signed in (profile ${name}). Try: ${formatCommand(withProfile(context, mustName ? name : undefined), 'whoami')}`,
    );
    if (isOtherInUse)
      await report.info(
        `The profile ${inUse} stays in use. To change that: ${formatCommandWith(withProfile(context, undefined), 'auth switch', [name])}`,
      );
    await report.one({ columns: identityColumns, records: [signedIn], raw: [signedIn] });
  },
});

/** The flags that choose a method; without one, the browser. */
const methodFlags = ['start', 'complete', 'withToken'] as const;

type SignInMethod = 'browser' | (typeof methodFlags)[number];
type Name = keyof LoginFlags;

const flagsByMethod: Readonly<Record<SignInMethod, readonly Name[]>> = {
  browser: ['authUrl', 'clientId', 'scope', 'redirectUri', 'port', 'browser', 'allowHost', 'callbackHost'],
  start: ['authUrl', 'clientId', 'scope', 'redirectUri', 'port', 'browser', 'allowHost'],
  complete: [],
  withToken: ['host'],
};

const reasons: Readonly<Record<SignInMethod, string>> = {
  browser:
    '--host needs --with-token. A sign-in through the browser gets its host from the service; --allow-host allows another one.',
  start: 'The first step only prints an address. Leave these flags out.',
  complete: 'The settings come from wm login --start. Leave these flags out, or start again with them.',
  withToken: 'A permanent token needs only --host. Leave these flags out.',
};

/** Throws a usage failure for flags that cannot be combined. */
function chooseSignInMethod(flags: LoginFlags): SignInMethod {
  const chosen = methodFlags.filter((name) => flags[name] === true);
  if (chosen.length > 1)
    throw usageError(`${joinWithAnd(chosen.map(formatFlag))} cannot be combined`, 'Give one of them.');
  const [method = 'browser'] = chosen;
  const allowedFlags = flagsByMethod[method];
  const methodSpecificFlags = Object.values(flagsByMethod).flat();
  const names = Object.keys(flags) as Name[];
  const foreignFlags = names.filter(
    (name) => methodSpecificFlags.includes(name) && flags[name] !== undefined && !allowedFlags.includes(name),
  );
  if (foreignFlags.length > 0) {
    const goal = method === 'browser' ? 'a sign-in through the browser' : formatFlag(method);
    const flagTexts = foreignFlags.map((name) =>
      flags[name] === false ? `--no-${toKebabCase(name)}` : formatFlag(name),
    );
    throw usageError(`${joinWithAnd(flagTexts)} cannot be used with ${goal}`, reasons[method]);
  }
  if (method === 'start' && flags.browser === true)
    throw usageError('--start and --browser cannot be combined', reasons.start);
  if (flags.port !== undefined && flags.redirectUri !== undefined)
    throw usageError(
      '--port and --redirect-uri cannot be combined',
      '--redirect-uri already contains the port.',
    );
  return method;
}

function formatFlag(name: string): string {
  return `--${toKebabCase(name)}`;
}

async function signInWithToken(context: Context, name: string, flags: LoginFlags): Promise<Identity> {
  const { world } = context;
  const formatTokenLogin = (hostArgument: string) =>
    formatCommandWith(context, 'login', [], '--with-token', ...flagWords('--host', hostArgument));
  const hostSource = flags.host === undefined ? 'WM_HOST' : '--host';
  const hostText = flags.host ?? world.environment['WM_HOST'];
  if (hostText === undefined)
    throw usageError(
      'Missing: --host or WM_HOST',
      `For example: ${withStandardInput(formatTokenLogin('api.example.com'), 'token.txt', world)}`,
    );
  if (world.streams.input.isTerminal)
    throw usageError(
      'No token on standard input',
      `For example: ${withStandardInput(formatTokenLogin(hostText), 'token.txt', world)}`,
    );
  const host = withSchemeOf(world.environment['WM_AUTH_URL'], parseHost(hostText, hostSource));
  const token = await readTokenFromInput(world);
  const store = await chooseStore(context, name, flags.store);
  const tokens: StoredTokens = { generation: 1, accessToken: token, host };
  const identity = await readTokenIdentity(context, tokens).catch((error: unknown) => {
    if (!(error instanceof Failure) || error.code !== 'sign_in_needed') throw error;
    throw error.with({
      message: `${host} rejected this token`,
      hint: 'Check the token and the host: each data centre accepts only its own tokens. Nothing was stored.',
      cause: error,
    });
  });
  const previous = await findProfile(world, name);
  if (mayReplaceAnother(context, previous) && isDifferentIdentity(previous, identity))
    await confirmReplacement(context, previous, formatIdentity(identity), {
      command: formatTokenLogin(host),
    });
  const profile = {
    name,
    host,
    hostSuffixes: [],
    store: store.kind,
    signedInAt: world.clock.now(),
    ...identityFields(identity),
  };
  await storeSignIn(context, store, profile, tokens);
  return identity;
}
