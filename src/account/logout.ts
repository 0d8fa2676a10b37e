// `wm logout`: removes everything that is stored for a profile.

import { command } from '#cli/command.ts';
import type { Context } from '#cli/context.ts';
import { forgetRecords } from '#cli/record-cache.ts';
import { commandHint, Failure } from '#failure.ts';
import { createFileTokenStore } from '#login/file-token-store.ts';
import { openProfileStore, openTokenStore } from '#login/open-token-store.ts';
import { type Profile, readProfiles } from '#login/profile.ts';
import { selectProfile, selectProfileName } from '#login/select-account.ts';
import { removeSignIn } from '#login/sign-in-storage.ts';
import type { TokenStore } from '#login/token-store.ts';
import { forceFlag, rejectIfTokenIsSet, tokenPrecedenceDetails } from './sign-in/token-precedence.ts';

export default command({
  changes: 'this machine',
  examples: [
    { description: 'Sign out', command: 'wm logout' },
    {
      description: 'Sign out of another account, without a prompt',
      command: 'wm logout --profile work --yes',
    },
  ],
  details: `wm cannot revoke a token: the service has no request for that. An access token expires within an hour; a permanent token
never expires. To end either at once, revoke it in the service's console.

${tokenPrecedenceDetails}`,
  arguments: {},
  flags: { force: forceFlag },
  async run({ flags }, context) {
    const { world, report, account } = context;
    await rejectIfTokenIsSet(context, 'you would stay signed in with it', flags.force);
    const profile = await selectProfile(world, account);
    if (!profile) {
      await removeUnlisted(context);
      return;
    }
    await context.confirm(`Sign out${profile.user ? ` ${profile.user}` : ''} (profile ${profile.name})?`);
    const store = openProfileStore(world, profile, account.store);
    const { current } = await readProfiles(world);
    await removeSignIn(world, store, storesOf(store, profile, context), profile.name, report.info);
    await forgetRecords(world, profile.name);
    await report.info(`Signed out (profile ${profile.name}).`);
    const next = (await readProfiles(world)).current;
    if (next !== undefined && next !== current) await report.info(`wm now uses the profile ${next}.`);
    // Only a sign-in has an authorization address; without one the token was a permanent one.
    const end =
      profile.authUrl === undefined
        ? 'a permanent token stays valid until you revoke it in the console of the service.'
        : 'the access token expires within an hour, or when you revoke it in the console of the service.';
    await report.info(`wm cannot revoke a token: ${end}`);
    if (report.wantsJson) await report.json({ profile: profile.name, signedOut: true });
  },
});

/** Removes what is stored for an unlisted profile, after a killed sign-in. Only files: a keychain might ask for its password. */
async function removeUnlisted({ world, account, report, confirm }: Context): Promise<void> {
  const { name } = await selectProfileName(world, account);
  const store = createFileTokenStore(world);
  if (!(await store.hasFiles(name)))
    throw new Failure('not_found', {
      message: `No sign-in to remove (profile ${name})`,
      hint: commandHint('To list the profiles: ', 'wm auth list'),
    });
  await confirm(`Remove the remains of an unfinished sign-in (profile ${name})?`);
  await removeSignIn(world, store, [store], name, report.info);
  await forgetRecords(world, name);
  await report.info(`Removed the remains of an unfinished sign-in (profile ${name}).`);
  await report.info(
    'wm cannot revoke a token: the access token expires within an hour, or when you revoke it in the console of the service.',
  );
  if (report.wantsJson) await report.json({ profile: name, signedOut: true });
}

/** A profile that does not note its store may have been signed in to with another WM_TOKEN_STORE. */
function storesOf(
  store: TokenStore,
  { store: noted }: Profile,
  { world }: Context,
): Pick<TokenStore, 'remove'>[] {
  const plain = store.kind === 'file';
  const other = openTokenStore(world, plain ? 'keychain' : 'file', noted ? 'new' : 'old');
  if (!plain) return [store, other];
  let found = false;
  return [
    {
      async remove(profile) {
        found = await store.remove(profile);
        return found;
      },
    },
    // A keychain may be missing, or ask for its password, so look there only if there is reason to.
    { remove: async (profile) => !found && (await other.remove(profile).catch(() => false)) },
  ];
}
