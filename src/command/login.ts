// `wm login`: through the browser, or with a permanent token from standard input.

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
  examples: [
    { description: 'Sign in through the browser', command: 'wm login --auth-url https://login.example.com' },
    {
      description: 'A second account',
      command: 'wm login --profile work --auth-url https://login.example.com',
    },
    { description: 'On a machine without a browser', command: 'wm login --no-browser' },
    { description: 'In two steps: first print the address to open', command: 'wm login --start' },
    {
      description: 'Then, within 10 minutes, read the address you landed on',
      command: 'wm login --complete < landing.txt',
    },
    {
      description: 'With an application that knows only an https callback: paste the address you land on',
      command: 'wm login --redirect-uri https://example.com/callback',
    },
    {
      description: 'With a permanent token',
      command: 'wm login --with-token --host api.example.com < token.txt',
    },
  ],
  details: `You need an application of your own: its client id and secret are in the service's console. wm prompts for the
secret without showing it, or takes it from WM_CLIENT_SECRET. Register the callback address with the application:
http://127.0.0.1:PORT/callback, or what you give with --redirect-uri.

Signing in again to a profile keeps the hosts of --allow-host for the same address, and the scopes for the same
application, unless you give others. Settings for one address are never used at another.

Without --profile, wm signs in to the profile in use. If the sign-in stored there is of another person or account, wm
asks before it replaces it (--yes replaces it). Use --profile NAME for a second account.

${tokenPrecedenceDetails}`,
  arguments: {},
  tooManyArgumentsHint: `A token is read from standard input: wm login --with-token --host api.example.com < token.txt
The address you landed on as well: wm login --complete < landing.txt`,
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
    if (other) await report.info(`The profile ${inUse} stays in use; to change that: wm auth switch ${name}`);
    await report.one({ columns: identityColumns, records: [signedIn], raw: [signedIn] });
  },
});
