// Signing in through the browser: the settings from flags, environment, the profile or a question; the flow; what a
// person sees of it.

import { Failure, usage } from '../../failure.ts';
import { checkAuthUrl } from '../../login/host.ts';
import { keepSignIn } from '../../login/keep.ts';
import { findProfile, type Profile, saveProfile } from '../../login/profile.ts';
import { patienceMs, type SignedIn, signIn, type Talk } from '../../login/sign-in.ts';
import type { TokenStore } from '../../login/store.ts';
import type { Context } from '../context.ts';
import { type Identity, whoIs } from '../identity.ts';
import { demand, nobodyToAsk } from '../missing.ts';
import { wishes } from './as-before.ts';
import type { LoginFlags } from './flags.ts';
import { identityOf } from './identify.ts';
import { confirmAnother, isAnother, mayBeAnother, nameOf, whoseInstead } from './replace.ts';

export async function throughBrowser(
  context: Context,
  store: TokenStore,
  name: string,
  given: LoginFlags,
): Promise<Identity> {
  const { world } = context;
  // Before anything is asked: what cannot be kept need not be typed.
  await store.prove();
  const before = await findProfile(world, name);
  const known = await whatIsKnown(world, store, before, given);
  if (!context.mayAsk) demand(known, (names) => nobodyToAsk(names, context.cannotPrompt));
  const setting = async (flag: '--auth-url' | '--client-id', question: string): Promise<string> =>
    known[flag] ??
    (await context.ask(flag, (prompt) =>
      prompt.text(question, { check: (text) => text !== '' || 'Needed' }),
    ));
  const authUrl = checkAuthUrl(await setting('--auth-url', 'Address to sign in at:'));
  const clientId = await setting('--client-id', 'Client id:');
  const clientSecret =
    known.WM_CLIENT_SECRET ??
    (await context.ask('WM_CLIENT_SECRET', (prompt) => prompt.secret('Client secret (not shown):')));

  const { hostSuffixes, scopes, redirectUri, remarks } = wishes(given, before, { authUrl, clientId });
  for (const remark of remarks) await context.report.say(remark);
  const signedIn = await signIn(
    world,
    {
      authUrl,
      application: { clientId, clientSecret },
      scopes,
      redirectUri,
      port: given.port ?? callbackPort(world.environment['WM_CALLBACK_PORT']),
      hostSuffixes,
      openBrowser: given.browser !== false,
      timeoutMs: context.timeoutMs,
    },
    talkWith(context),
  );
  const { item } = signedIn;
  const profile: Profile = {
    name,
    authUrl,
    host: item.host,
    hostSuffixes,
    clientId,
    ...(redirectUri === undefined ? {} : { redirectUri }),
    ...(scopes === undefined ? {} : { scopes }),
    signedInAt: world.clock.now(),
  };
  if (mayBeAnother(context, before)) await proveFirst(context, before, signedIn);
  // Kept before it is proved, where no other is lost by that: from here on nothing can lose it.
  await keepSignIn(world, store, profile, item);
  try {
    const identity = await identityOf(context, item);
    await saveProfile(world, { ...profile, ...whoIs(identity) });
    const text = `You are ${identity.user}, in ${identity.account}. You can close this tab and go back to the terminal.`;
    await signedIn.finish({ title: 'Signed in', text });
    return identity;
  } catch (error) {
    await signedIn.finish({
      title: 'Signed in',
      text: 'But the account could not be read: see the terminal.',
    });
    const code = error instanceof Failure && error.code === 'sign_in_needed' ? error.code : 'other';
    throw new Failure(code, {
      what: `The sign-in is kept (profile ${name}), but the account could not be read`,
      why: error instanceof Failure ? [error.message, error.why].filter(Boolean).join(': ') : String(error),
      hint: `Try it: wm whoami --profile ${name}`,
      cause: error,
    });
  }
}

/** Ends the command, with the sign-in before as it was, where this one is another's and that is not meant. */
async function proveFirst(context: Context, before: Profile, { item, finish }: SignedIn): Promise<void> {
  const identity = await whoseInstead(context, item, {
    what: 'The account that was signed in to could not be read',
    hint: `To sign in whoever it is: wm login --profile ${before.name}`,
  }).catch(async (error: unknown) => {
    await finish({ title: 'Not signed in', text: 'The account could not be read: see the terminal.' });
    throw error;
  });
  if (!isAnother(before, identity)) return;
  // The browser need not wait for the answer.
  const text = `You are ${identity.user}, in ${identity.account}, who is not signed in yet: see the terminal.`;
  await finish({ title: 'Another account', text });
  await confirmAnother(context, before, nameOf(identity), { words: 'wm login' });
}

/** Each under what else would give it: flag, environment, then what the last sign-in of the profile has left. */
async function whatIsKnown(
  { environment }: Context['world'],
  store: TokenStore,
  before: Profile | undefined,
  given: LoginFlags,
) {
  const authUrl = given.authUrl ?? (environment['WM_AUTH_URL'] || before?.authUrl);
  // What was given for one address is told to no other.
  const there = authUrl !== undefined && before?.authUrl === checkAuthUrl(authUrl) ? before : undefined;
  const clientId = given.clientId ?? (environment['WM_CLIENT_ID'] || there?.clientId);
  const isKept = clientId !== undefined && clientId === there?.clientId;
  const kept = isKept ? await store.read(there.name).catch(() => undefined) : undefined;
  return {
    '--auth-url': authUrl,
    '--client-id': clientId,
    WM_CLIENT_SECRET: environment['WM_CLIENT_SECRET'] || kept?.clientSecret,
  };
}

function callbackPort(text: string | undefined): number {
  if (text === undefined) return 0;
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw usage(`WM_CALLBACK_PORT: ${JSON.stringify(text)} is not a port`);
}

function talkWith(context: Context): Talk {
  const { report, mayAsk } = context;
  let onlyPaste = false;
  const talk: Talk = {
    async showAddress(url, opened, waitsForPaste) {
      onlyPaste = waitsForPaste;
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
        prompt.text(
          onlyPaste
            ? 'Press Allow there, then paste the address you land on (its page may show an error):'
            : 'Press Allow there, or paste the address you landed on:',
          { check, signal },
        ),
      ),
  };
}
