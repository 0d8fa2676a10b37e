// `wm logout`: removes everything that is stored for a profile.

import { command } from '#cli/command.ts';
import type { Context } from '#cli/context.ts';
import { commandHint, Failure } from '#failure.ts';
import { forgetRecords } from '#local-records/record-cache.ts';
import { createFileTokenStore } from '#login/file-token-store.ts';
import { openProfileStore, openTokenStore } from '#login/open-token-store.ts';
import { type Profile, readProfiles } from '#login/profile.ts';
import { selectSignIn } from '#login/select-account.ts';
import { removeSignIn } from '#login/sign-in-storage.ts';
import type { TokenStore } from '#login/token-store.ts';
import type { World } from '#world/world.ts';
import { forceFlag, rejectIfTokenIsSet, tokenPrecedenceDetails } from './sign-in/token-precedence.ts';

export default command({
  changes: 'this machine',
  examples: {
    'Sign out': 'wm logout',
    'Sign out of another account, without a prompt': 'wm logout --profile work --yes',
  },
  details: `wm cannot revoke a token: the service has no request for that. An access token expires within an hour; a permanent token
never expires. To end either at once, revoke it in the service's console.

${tokenPrecedenceDetails}`,
  flags: { force: forceFlag },
  async run({ flags }, context) {
    const { world, report, account } = context;
    await rejectIfTokenIsSet(context, 'you would stay signed in with it', flags.force);
    const { name, profile } = await selectSignIn(world, account);
    const store = profile
      ? openProfileStore(world, profile, account.store)
      : await openUnlistedStore(world, name);
    await context.confirm(
      profile
        ? `Sign out${profile.user ? ` ${profile.user}` : ''} (profile ${name})?`
        : `Remove the remains of an unfinished sign-in (profile ${name})?`,
    );
    const { current } = await readProfiles(world);
    const stores = profile ? storesToClear(store, profile, context) : [store];
    await removeSignIn(world, store, stores, name, report.info);
    await forgetRecords(world, name);
    await report.info(
      profile
        ? `Signed out (profile ${name}).`
        : `Removed the remains of an unfinished sign-in (profile ${name}).`,
    );
    const next = (await readProfiles(world)).current;
    if (next !== undefined && next !== current) await report.info(`wm now uses the profile ${next}.`);
    // A permanent token has no authorization address.
    const validity =
      profile && profile.authUrl === undefined
        ? 'a permanent token stays valid until you revoke it in the console of the service.'
        : 'the access token expires within an hour, or when you revoke it in the console of the service.';
    await report.info(`wm cannot revoke a token: ${validity}`);
    if (report.wantsJson) await report.json({ profile: name, signedOut: true });
  },
});

/** Opens the store of an unlisted profile, after a killed sign-in. Only files: a keychain might ask for its password. */
async function openUnlistedStore(world: World, name: string): Promise<TokenStore> {
  const store = createFileTokenStore(world);
  if (await store.hasFiles(name)) return store;
  throw new Failure('not_found', {
    message: `No sign-in to remove (profile ${name})`,
    hint: commandHint('To list the profiles: ', 'wm auth list'),
  });
}

/** A profile that does not note its store may have been signed in to with another WM_TOKEN_STORE. */
function storesToClear(
  store: TokenStore,
  { store: storedKind }: Profile,
  { world }: Context,
): Pick<TokenStore, 'remove'>[] {
  const isFile = store.kind === 'file';
  const otherStore = openTokenStore(world, isFile ? 'keychain' : 'file', storedKind ? 'new' : 'old');
  if (!isFile) return [store, otherStore];
  let isRemoved = false;
  return [
    {
      async remove(profile) {
        isRemoved = await store.remove(profile);
        return isRemoved;
      },
    },
    // A keychain may be missing, or ask for its password: look there only if the file was not found.
    { remove: async (profile) => !isRemoved && (await otherStore.remove(profile).catch(() => false)) },
  ];
}
