// `wm login`: signs in through the browser, or with a permanent token from standard input.

import { readProfiles, validateNewProfileName } from '../login/profile.ts';
import { selectProfileName } from '../login/select-account.ts';
import { command } from './command.ts';
import { identityColumns } from './identity.ts';
import { signInThroughBrowser } from './login/browser-sign-in.ts';
import { loginFlags } from './login/flags.ts';
import { chooseSignInMethod } from './login/sign-in-method.ts';
import { rejectIfTokenIsSet, tokenIsSet, tokenPrecedenceDetails } from './login/token-precedence.ts';
import { signInWithToken } from './login/token-sign-in.ts';
import { completeSignIn, startSignIn } from './login/two-step-sign-in.ts';

export default command({
  changes: 'this machine',
  examples: [
    { description: 'Sign in through the browser', command: 'wm login --auth-url https://login.example.com' },
    {
      description: 'A second account',
      command: 'wm login --profile work --auth-url https://login.example.com',
    },
    { description: 'On a machine without a browser', command: 'wm login --no-browser' },
    { description: 'In two steps: first, print the address to open', command: 'wm login --start' },
    {
      description: 'Then, within 10 minutes, give it the address you landed on',
      command: 'wm login --complete < landing.txt',
    },
    {
      description: 'With an application that has only an https callback: paste the address you land on',
      command: 'wm login --redirect-uri https://example.com/callback',
    },
    {
      description: 'With a permanent token',
      command: 'wm login --with-token --host api.example.com < token.txt',
    },
  ],
  details: `You need your own application: create one in the service's console, which shows its client id and secret. wm prompts
for the secret without showing it, or reads it from WM_CLIENT_SECRET. Register the callback URL with the application:
http://127.0.0.1:PORT/callback, or the value of --redirect-uri.

When you sign in to a profile again, wm reuses its --allow-host hosts if the address is the same, and its scopes if the
application is the same too. It never uses the settings for one address at another.

Without --profile, wm signs in to the profile in use. If that profile belongs to another user or account, wm asks before
it replaces the sign-in (--yes replaces it). For a second account, use --profile NAME.

${tokenPrecedenceDetails}`,
  arguments: {},
  tooManyArgumentsHint: `Give a token on standard input: wm login --with-token --host api.example.com < token.txt
Give the address you landed on there too: wm login --complete < landing.txt`,
  flags: loginFlags,
  async run({ flags: given }, context) {
    const way = chooseSignInMethod(given);
    const { world, report, account } = context;
    await rejectIfTokenIsSet(context, 'this sign-in would not be used', given.force);
    const { name } = await selectProfileName(world, account);
    await validateNewProfileName(world, name);
    if (way === 'start') {
      await startSignIn(context, name, given);
      return undefined;
    }
    const signedIn =
      way === 'token'
        ? await signInWithToken(context, name, given)
        : way === 'complete'
          ? await completeSignIn(context, name, given)
          : await signInThroughBrowser(context, name, given);
    // The sign-in is made: that the profiles cannot be read once more is no reason to say that it failed.
    const inUse = await readProfiles(world).then(
      ({ current }) => current,
      () => undefined,
    );
    const other = inUse !== undefined && inUse !== name;
    const mustName = other || tokenIsSet(world);
    await report.info(`Signed in (profile ${name}). Try: wm whoami${mustName ? ` --profile ${name}` : ''}`);
    if (other) await report.info(`The profile ${inUse} stays in use. To change that: wm auth switch ${name}`);
    await report.one({ columns: identityColumns, records: [signedIn], raw: [signedIn] });
  },
});
