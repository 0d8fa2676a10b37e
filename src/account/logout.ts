// `wm logout`: removes everything that is stored for a profile.

import { command } from '#cli/command.ts';
import type { Context } from '#cli/context.ts';
import { formatCommand, withProfile } from '#cli/format-command.ts';
import { commandHint, Failure, toFailure } from '#failure.ts';
import { forgetRecords } from '#local-records/record-cache.ts';
import { openProfileStore, openTokenStore } from '#login/open-token-store.ts';
import { readProfiles } from '#login/profile.ts';
import { selectSignIn } from '#login/select-account.ts';
import { removeSignIn } from '#login/sign-in-storage.ts';
import type { TokenStore } from '#login/token-store.ts';
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
    // An unlisted profile is left by a sign-in that was not completed. In the keychain only a note tells of it.
    const store = profile ? openProfileStore(world, profile, account.store) : openTokenStore(world, 'file');
    const other = openTokenStore(
      world,
      store.kind === 'file' ? 'keychain' : 'file',
      profile && !profile.store ? 'old' : 'new',
    );
    if (!profile && !(await store.findTrace(name)) && !(await other.findTrace(name)))
      throw new Failure('not_found', {
        message: `No sign-in to remove (profile ${name})`,
        hint: commandHint('To list the profiles: ', 'wm auth list'),
      });
    await context.confirm(
      profile
        ? `Sign out${profile.user ? ` ${profile.user}` : ''} (profile ${name})?`
        : `Remove the remains of an unfinished sign-in (profile ${name})?`,
    );
    const { current } = await readProfiles(world);
    const isListed = profile !== undefined;
    const clear = () => clearStores(context, { store, other, name, isListed });
    await removeSignIn(world, store, clear, name, report.info);
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

/** The keychain may be missing, or ask for its password: wm looks there only if something says that it holds anything, or no file was found. */
async function clearStores(
  context: Context,
  { store, other, name, isListed }: { store: TokenStore; other: TokenStore; name: string; isListed: boolean },
): Promise<void> {
  const trace = await other.findTrace(name);
  const isRemoved = await store.remove(name);
  // Files are always removed: a power cut could bring back what a killed sign-in has removed there.
  if (isRemoved && trace === undefined && other.kind === 'keychain') return;
  try {
    await other.remove(name);
  } catch (error) {
    if (other.kind === 'file') throw error;
    if (trace === undefined) return;
    const again = formatCommand(withProfile(context, name), 'logout');
    const hint = `To try again: ${again}\nTo leave them there: remove ${trace}`;
    const failure = toFailure(error);
    if (!isRemoved && !isListed) throw failure.with({ hint });
    const problem = `Secrets of an earlier sign-in may still be in ${other.name}`;
    await context.report.warn(`${problem}: ${failure.sentence}\n${hint}`);
  }
}
