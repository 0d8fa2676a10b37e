// `wm login`: through the browser, or with a permanent token from standard input.

import { createSession } from '../client/session.ts';
import { scopeList } from '../contract/authorization.ts';
import { Failure, usage } from '../failure.ts';
import { checkAuthUrl, checkHost, defaultSuffixes } from '../login/host.ts';
import {
  checkProfileName,
  defaultProfile,
  findProfile,
  type Profile,
  saveProfile,
} from '../login/profile.ts';
import { accessOf } from '../login/renew.ts';
import { patienceMs, signIn, type Talk } from '../login/sign-in.ts';
import { openStore, type TokenItem, type TokenStore } from '../login/store.ts';
import { version } from '../version.ts';
import { command, list, type ParsedFlags, toggle, value, wholeNumber, words } from './command.ts';
import type { Context } from './context.ts';
import { type Identity, identityColumns, readIdentity } from './identity.ts';

const flags = {
  authUrl: words('URL', 'Where to sign in (or WM_AUTH_URL)'),
  clientId: words('ID', 'The application, from the service’s console (or WM_CLIENT_ID)'),
  scope: value(scopeList, 'SCOPE,SCOPE', 'What to ask for; the default scope without it'),
  redirectUri: words('URL', 'The callback address registered with the application'),
  port: wholeNumber(
    'PORT',
    'The port of the loopback callback (or WM_CALLBACK_PORT); any free one without it',
    0,
    65_535,
  ),
  browser: toggle('Open the browser; --no-browser only prints the address', { negatable: true }),
  withToken: toggle('Read a permanent token from standard input; needs --host'),
  host: words('HOST', 'The host that a permanent token is for (or WM_HOST)'),
  allowHost: list(hostList(), 'HOST', 'A host, or the end of one, that the sign-in may lead to'),
} as const;

function hostList() {
  return {
    type: 'host[]',
    wire: 'text' as const,
    check: (input: unknown) =>
      Array.isArray(input) ? input.map((one) => checkHost(String(one), '--allow-host')) : [],
    fromWire: (text: string) => [checkHost(text, '--allow-host')],
    toWire: (hosts: readonly string[]) => hosts.join(','),
  };
}

export default command({
  examples: [
    { does: 'Sign in through the browser', line: 'wm login --auth-url https://login.example.com' },
    { does: 'A second account', line: 'wm login --profile work --auth-url https://login.example.com' },
    { does: 'On a machine without a browser', line: 'wm login --no-browser' },
    {
      does: 'With an application that knows only an https callback: paste the address you land on',
      line: 'wm login --redirect-uri https://example.com/callback',
    },
    { does: 'With a permanent token', line: 'wm login --with-token --host api.example.com < token.txt' },
  ],
  details: `The application is your own: its client id and secret are in the service's console. The secret is asked for,
hidden, or taken from WM_CLIENT_SECRET. The callback address (http://127.0.0.1:PORT/callback, or what you
give with --redirect-uri) must be registered with it.`,
  arguments: {},
  flags,
  async run({ flags: given }, context) {
    const { world, report, account } = context;
    const name = checkProfileName(account.profile ?? defaultProfile);
    const store = openStore(world, account.store, (line) => void report.warn(line));
    const signedIn = given.withToken
      ? await withToken(context, store, name, given.host)
      : await throughBrowser(context, store, name, given);
    await report.say(`Signed in (profile ${name}). Try: wm whoami`);
    await report.one({ columns: identityColumns, records: [signedIn], raw: [signedIn] });
  },
});

type Given = ParsedFlags<typeof flags>;

async function withToken(
  context: Context,
  store: TokenStore,
  name: string,
  flagHost: string | undefined,
): Promise<Identity> {
  const { world } = context;
  const from = flagHost === undefined ? 'WM_HOST' : '--host';
  const given = flagHost ?? world.environment['WM_HOST'];
  if (given === undefined)
    throw usage('A permanent token brings no host', 'Give --host, as in --host api.example.com');
  if (world.streams.input.isTerminal)
    throw usage('--with-token reads standard input', 'As in: wm login --with-token < token.txt');
  const host = checkHost(given, from);
  const token = new TextDecoder().decode(await world.streams.input.readAll(64 * 1024)).trim();
  if (!/^[\x21-\x7e]+$/.test(token))
    throw usage('Standard input does not hold a token', 'One token, and nothing else.');
  await store.prove();
  const item: TokenItem = { generation: 1, accessToken: token, host };
  const identity = await identityOf(context, item).catch((error: unknown) => {
    if (!(error instanceof Failure) || error.code !== 'sign_in_needed') throw error;
    throw new Failure('sign_in_needed', {
      what: `${host} does not accept this token`,
      why: error.why,
      hint: 'Check the token and the host: each data centre knows only its own tokens. Nothing was kept.',
      word: error.word,
      httpStatus: error.httpStatus,
      cause: error,
    });
  });
  await keep(context, store, item, { name, host, hostSuffixes: [], signedInAt: world.clock.now() }, identity);
  return identity;
}

async function throughBrowser(
  context: Context,
  store: TokenStore,
  name: string,
  given: Given,
): Promise<Identity> {
  const { world } = context;
  const before = await findProfile(world, name);
  const setting = async (flag: string, value: string | undefined, question: string): Promise<string> =>
    value ??
    (await context.ask(flag, (prompt) =>
      prompt.text(question, { check: (text) => text !== '' || 'Needed' }),
    ));
  const { environment } = world;
  const authUrl = checkAuthUrl(
    await setting(
      '--auth-url',
      given.authUrl ?? environment['WM_AUTH_URL'] ?? before?.authUrl,
      'Address to sign in at:',
    ),
  );
  const clientId = await setting(
    '--client-id',
    given.clientId ?? environment['WM_CLIENT_ID'] ?? before?.clientId,
    'Client id:',
  );
  const kept = before?.clientId === clientId ? await store.read(name).catch(() => undefined) : undefined;
  const clientSecret =
    environment['WM_CLIENT_SECRET'] ??
    kept?.clientSecret ??
    (await context.ask('WM_CLIENT_SECRET', (prompt) => prompt.secret('Client secret (not shown):')));
  await store.prove();

  const hostSuffixes = given.allowHost ?? defaultSuffixes(authUrl);
  const signedIn = await signIn(
    world,
    {
      authUrl,
      application: { clientId, clientSecret },
      scopes: given.scope,
      redirectUri: given.redirectUri ?? before?.redirectUri,
      port: given.port ?? callbackPort(environment['WM_CALLBACK_PORT']),
      hostSuffixes,
      openBrowser: given.browser !== false,
      timeoutMs: context.timeoutMs,
    },
    talkWith(context),
  );
  const { item } = signedIn;
  const redirectUri = given.redirectUri ?? before?.redirectUri;
  const profile: Profile = {
    name,
    authUrl,
    host: item.host,
    hostSuffixes,
    clientId,
    ...(redirectUri === undefined ? {} : { redirectUri }),
    ...(given.scope === undefined ? {} : { scopes: given.scope }),
    signedInAt: world.clock.now(),
  };
  // Kept before it is proved: from here on nothing can lose it.
  await keep(context, store, item, profile, undefined);
  try {
    const identity = await identityOf(context, item);
    await saveProfile(world, { ...profile, user: identity.user, account: identity.account });
    const text = `You are ${identity.user}, in ${identity.account}. You can close this tab and go back to the terminal.`;
    await signedIn.finish({ title: 'Signed in', text });
    return identity;
  } catch (error) {
    await signedIn.finish({
      title: 'Signed in',
      text: 'But the account could not be read: see the terminal.',
    });
    throw error;
  }
}

function callbackPort(text: string | undefined): number {
  if (text === undefined) return 0;
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw usage(`WM_CALLBACK_PORT: ${JSON.stringify(text)} is not a port`);
}

function talkWith(context: Context): Talk {
  const { report, mayAsk } = context;
  const talk: Talk = {
    async showAddress(url, opened, waitsForPaste) {
      await report.warn(
        opened ? 'The browser opens. If it does not, open this address:' : 'Open this address in a browser:',
      );
      await report.warn(`\n  ${url}\n`);
      if (!waitsForPaste) {
        const minutes = Math.round(patienceMs / 60_000);
        const callback = new URL(url).searchParams.get('redirect_uri');
        await report.say(
          `Waiting ${minutes} minutes for you to press Allow. If the service refuses the callback address,\n${callback}, register it with the application (--port keeps its port),\nor give the https address that is registered with --redirect-uri.`,
        );
      } else if (!mayAsk) {
        throw new Failure('usage', {
          what: 'The address you land on must be pasted, and nobody can be asked here',
          hint: 'Run it on a terminal, or register a loopback callback with the application.',
        });
      }
    },
  };
  if (!mayAsk) return talk;
  return {
    ...talk,
    pasted: (check, signal) =>
      context.ask('the address', (prompt) =>
        prompt.text('Press Allow there, or paste the address you landed on:', { check, signal }),
      ),
  };
}

async function identityOf(context: Context, item: TokenItem): Promise<Identity> {
  const access = accessOf(item);
  const session = createSession(
    context.world,
    { access: async () => access, renew: async () => undefined },
    { timeoutMs: context.timeoutMs, userAgent: `wm/${version}`, trace: (line) => context.report.trace(line) },
  );
  return readIdentity(session, item.host);
}

async function keep(
  context: Context,
  store: TokenStore,
  item: TokenItem,
  profile: Profile,
  identity: Identity | undefined,
): Promise<void> {
  await store.write(profile.name, item);
  await saveProfile(context.world, {
    ...profile,
    ...(identity ? { user: identity.user, account: identity.account } : {}),
  });
}
