// Which account a command acts on: a token from the environment, or a profile with its kept sign-in.

import type { Credentials } from '../client/session.ts';
import { Failure, usageError } from '../failure.ts';
import type { World } from '../world/world.ts';
import { findDirectoryConfig } from './directory-config.ts';
import { apiBaseUrl, parseHost, withSchemeOf } from './host.ts';
import { defaultProfile, findProfile, type Profile, parseProfileName, readProfiles } from './profile.ts';
import type { RefreshWorld } from './refreshing-credentials.ts';

/** What flags and environment say; nothing decided yet. */
export interface AccountOptions {
  readonly profile: string | undefined;
  /** What names the profile. */
  readonly profileSource?: '--profile' | 'WM_PROFILE';
  /** A token from the environment wins over every profile that was not named on the command line. */
  readonly token: string | undefined;
  readonly host: string | undefined;
  readonly store: string | undefined;
}

/** Messages that are not results: `say` unless --quiet, `warn` always. */
export interface Notices {
  readonly isQuiet: boolean;
  info(line: string): unknown;
  warn(line: string): unknown;
}

type Parts = Pick<World, 'keychain' | 'secrets'> & RefreshWorld;

/** Throws a usage failure for a token without a host. */
function hostFromEnvironment({ environment }: Pick<World, 'environment'>, { host }: AccountOptions): string {
  if (host !== undefined) return withSchemeOf(environment['WM_AUTH_URL'], parseHost(host, 'WM_HOST'));
  throw usageError(
    'WM_TOKEN is set, and WM_HOST is not',
    'Set WM_HOST to the host that the token is for (api.example.com).',
  );
}

export interface ProfileSelection {
  readonly name: string;
  /** What chose it: a flag, a variable, the path of a folder's setting, `current` (the profile in use) or `default`. */
  readonly source: string;
}

/** Flag, environment, the directory's own setting, the current profile, the default: the first that says something. */
export async function selectProfileName(
  world: Pick<World, 'files'>,
  { profile, profileSource = '--profile' }: AccountOptions,
): Promise<ProfileSelection> {
  if (profile !== undefined) return { name: parseProfileName(profile), source: profileSource };
  const directory = await findDirectoryConfig(world);
  if (directory) return { name: directory.profile, source: directory.path };
  const { current } = await readProfiles(world);
  return current === undefined
    ? { name: defaultProfile, source: 'default' }
    : { name: current, source: 'current' };
}

export async function selectProfile(
  world: Pick<World, 'files'>,
  choice: AccountOptions,
): Promise<Profile | undefined> {
  return findProfile(world, (await selectProfileName(world, choice)).name);
}

const rejectedTokenHint =
  'Check that WM_TOKEN is whole and has not been revoked. Where it is good, its host may be wrong (another data centre): WM_HOST';

/** Names what chose the profile, unless nothing did. */
export function notSignedIn({ name, source }: ProfileSelection): Failure {
  const isDefault = name === defaultProfile && source === 'default';
  return new Failure('sign_in_needed', {
    message: isDefault ? 'Nobody is signed in' : `Nobody is signed in as ${name} (chosen by ${source})`,
    hint: isDefault
      ? 'Sign in: wm login. In CI, set WM_TOKEN and WM_HOST.'
      : `Sign in: wm login --profile ${name}`,
  });
}

/** The credentials of the chosen account. Throws a {@link Failure} with exit 4 where nobody is signed in. */
export async function loadCredentials(
  world: Parts,
  choice: AccountOptions,
  notices: Notices,
): Promise<Credentials> {
  if (choice.token !== undefined) {
    // Not shown: it may be a token with something stuck to it.
    if (!/^[\x21-\x7e]+$/.test(choice.token)) {
      throw usageError(
        'WM_TOKEN contains a character that no token has',
        'Look for a space or a line break in it.',
      );
    }
    const access = { token: choice.token, baseUrl: apiBaseUrl(hostFromEnvironment(world, choice)) };
    return { access: async () => access, refresh: async () => undefined, rejectedHint: rejectedTokenHint };
  }
  const { name, source } = await selectProfileName(world, choice);
  const profile = await findProfile(world, name);
  if (!profile) {
    throw notSignedIn({ name, source });
  }
  const [{ showStoreReminder, openProfileStore }, { createRefreshingCredentials }] = await Promise.all([
    import('./profile-store.ts'),
    import('./refreshing-credentials.ts'),
  ]);
  const store = openProfileStore(world, profile, choice.store);
  if (!notices.isQuiet) await showStoreReminder(world, store, name, choice.store, notices.info);
  const { info, warn } = notices;
  return createRefreshingCredentials(world, { store, storeVariable: choice.store, profile, say: info, warn });
}

/** The host of the API as a sign-in shows and WM_HOST takes it; nothing where none is known. */
export async function findHost(
  world: Pick<World, 'environment' | 'files'>,
  choice: AccountOptions,
): Promise<string | undefined> {
  const profile = choice.token === undefined ? await selectProfile(world, choice) : undefined;
  return profile?.host ?? (choice.host === undefined ? undefined : hostFromEnvironment(world, choice));
}

/** The API's base address as far as it is known without a token: for what is printed and not sent. */
export async function findBaseUrl(
  world: Pick<World, 'environment' | 'files'>,
  choice: AccountOptions,
): Promise<string | undefined> {
  const host = await findHost(world, choice);
  return host === undefined ? undefined : apiBaseUrl(host);
}
