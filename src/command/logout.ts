// `wm logout`: removes everything that is kept of a profile.

import { Failure } from '../failure.ts';
import { chosenProfile } from '../login/account.ts';
import { defaultProfile, removeProfile } from '../login/profile.ts';
import { openStore } from '../login/store.ts';
import { command } from './command.ts';

export default command({
  examples: [
    { does: 'Sign out', line: 'wm logout' },
    { does: 'Sign out of another account, without being asked', line: 'wm logout --profile work --yes' },
  ],
  details: `The service has no call that revokes a token: an access token ends by itself within an hour. To end a sign-in
at once, revoke it in the service's console.`,
  arguments: {},
  flags: {},
  async run(_input, context) {
    const { world, report, account } = context;
    const profile = await chosenProfile(world, account);
    if (!profile) {
      throw new Failure('not_found', {
        what: `There is no sign-in to remove (profile ${account.profile ?? defaultProfile})`,
        hint: account.token === undefined ? 'See wm auth status.' : 'WM_TOKEN is set; unset it to be signed out.',
      });
    }
    await context.confirm(`Sign out ${profile.user ?? ''} (profile ${profile.name})?`);
    await openStore(world, account.store, (line) => void report.warn(line)).remove(profile.name);
    await removeProfile(world, profile.name);
    await report.say(`Signed out (profile ${profile.name}).`);
    await report.say('The service has no revoke call: its console ends the tokens at once, else they end within an hour.');
    if (report.wantsJson) await report.json({ profile: profile.name, signedOut: true });
  },
});
