// The doctor's checks of the sign-in on this machine: which account is selected, whether the token store works, and the state of
// the token.

import type { Context } from '#cli/context.ts';
import { countOf } from '#cli/count-of.ts';
import { formatCommand, withProfile } from '#cli/format-command.ts';
import { openProfileStore } from '#login/open-token-store.ts';
import { profileScopes } from '#login/profile.ts';
import { findHost, selectProfile, selectSignIn } from '#login/select-account.ts';
import type { Outcome } from './finding.ts';

const dayMs = 86_400_000;

/** By platform. Elsewhere, any program that provides the Secret Service on the session bus. */
const keychainNames: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'macOS Keychain',
  win32: 'Windows Credential Manager',
};

export async function accountCheck(context: Context): Promise<Outcome[]> {
  const { world, account } = context;
  if (account.token !== undefined) {
    const host = (await findHost(world, account)) ?? '(WM_HOST is not set)';
    return [{ result: 'good', found: `the token in WM_TOKEN, for ${host}` }];
  }
  const { name, source, profile } = await selectSignIn(world, account);
  if (profile) {
    const identity = profile.user === undefined ? '' : `: ${profile.user} in ${profile.account}`;
    return [{ result: 'good', found: `profile ${name} (${source})${identity}` }];
  }
  const remedy = `To sign in: ${formatCommand(withProfile(context, name), 'login')}`;
  return [{ result: 'bad', found: `profile ${name} (${source}) is not signed in`, remedy }];
}

export async function storeCheck({ world, account, settings }: Context): Promise<Outcome[]> {
  if (account.token !== undefined) return [];
  const kind = account.store ?? settings.find('token-store')?.value;
  const store = openProfileStore(world, await selectProfile(world, account), kind);
  await store.assertWritable();
  if (store.kind === 'file')
    return [{ result: 'notice', found: `${store.name}: works, and stores tokens as plain text` }];
  const keychain = keychainNames[world.process.platform] ?? 'Secret Service';
  return [{ result: 'good', found: `${store.name} (${keychain}): works` }];
}

export async function tokenCheck(context: Context): Promise<Outcome[]> {
  const { world, account } = context;
  if (account.token !== undefined) {
    const found = 'from WM_TOKEN, which wm cannot refresh; only the service can tell whether it is valid';
    return [{ result: 'good', found }];
  }
  const profile = await selectProfile(world, account);
  if (!profile) return [];
  const tokens = await openProfileStore(world, profile, account.store).read(profile.name);
  if (!tokens) {
    const remedy = `To sign in: ${formatCommand(withProfile(context, profile.name), 'login')}`;
    return [{ result: 'bad', found: 'the profile exists, but its tokens are missing', remedy }];
  }
  const now = world.clock.now();
  const days = Math.max(0, Math.floor((now - profile.signedInAt) / dayMs));
  const minutes = tokens.expiresAt === undefined ? undefined : Math.round((tokens.expiresAt - now) / 60_000);
  const validity =
    minutes === undefined
      ? 'permanent'
      : minutes > 0
        ? `valid for ${countOf(minutes, 'more minute')}, then refreshed`
        : 'expired; the next command refreshes it';
  const scopes = profileScopes(profile)?.join(', ') ?? 'scopes unknown';
  // Only a browser sign-in has scopes and refreshes: wm does not know what a permanent token allows.
  const scopesAndRefreshes =
    minutes === undefined ? '' : `; ${scopes}; refreshed ${countOf(tokens.generation - 1, 'time')}`;
  const found = `${validity}; signed in ${countOf(days, 'day')} ago${scopesAndRefreshes}`;
  return [{ result: 'good', found }];
}
