// Which account a command acts on: a token from the environment, or a profile with its kept sign-in.

import type { Credentials } from '../client/session.ts';
import { Failure, usage } from '../failure.ts';
import type { World } from '../world/world.ts';
import { directorySetting } from './directory.ts';
import { apiBase, checkHost, hostOver } from './host.ts';
import { checkProfileName, defaultProfile, findProfile, type Profile, readProfiles } from './profile.ts';
import type { RenewingWorld } from './renew.ts';

/** What flags and environment say; nothing decided yet. */
export interface AccountChoice {
  readonly profile: string | undefined;
  /** What names the profile. */
  readonly profileFrom?: '--profile' | 'WM_PROFILE';
  /** A token from the environment wins over every profile that was not named on the command line. */
  readonly token: string | undefined;
  readonly host: string | undefined;
  readonly store: string | undefined;
}

/** Messages that are not results: `say` unless --quiet, `warn` always. */
export interface Notices {
  readonly isQuiet: boolean;
  say(line: string): unknown;
  warn(line: string): unknown;
}

type Parts = Pick<World, 'keychain' | 'secrets'> & RenewingWorld;

/** Throws a usage failure for a token without a host. */
function environmentHost({ environment }: Pick<World, 'environment'>, { host }: AccountChoice): string {
  if (host !== undefined) return hostOver(environment['WM_AUTH_URL'], checkHost(host, 'WM_HOST'));
  throw usage(
    'WM_TOKEN is set, and WM_HOST is not',
    'Set WM_HOST to the host that the token is for (api.example.com).',
  );
}

export interface ChosenName {
  readonly name: string;
  /** What chose it: a flag, a variable, the path of a folder's setting, `current` (the profile in use) or `default`. */
  readonly by: string;
}

/** Flag, environment, the directory's own setting, the current profile, the default: the first that says something. */
export async function chosenName(
  world: Pick<World, 'files'>,
  { profile, profileFrom = '--profile' }: AccountChoice,
): Promise<ChosenName> {
  if (profile !== undefined) return { name: checkProfileName(profile), by: profileFrom };
  const directory = await directorySetting(world);
  if (directory) return { name: directory.profile, by: directory.path };
  const { current } = await readProfiles(world);
  return current === undefined ? { name: defaultProfile, by: 'default' } : { name: current, by: 'current' };
}

export async function chosenProfile(
  world: Pick<World, 'files'>,
  choice: AccountChoice,
): Promise<Profile | undefined> {
  return findProfile(world, (await chosenName(world, choice)).name);
}

const environmentRefused =
  'Check that WM_TOKEN is whole and has not been revoked. Where it is good, its host may be wrong (another data centre): WM_HOST';

/** Names what chose the profile, unless nothing did. */
export function notSignedIn({ name, by }: ChosenName): Failure {
  const isDefault = name === defaultProfile && by === 'default';
  return new Failure('sign_in_needed', {
    what: isDefault ? 'Nobody is signed in' : `Nobody is signed in as ${name} (chosen by ${by})`,
    hint: isDefault
      ? 'Sign in: wm login. In CI, set WM_TOKEN and WM_HOST.'
      : `Sign in: wm login --profile ${name}`,
  });
}

/** The credentials of the chosen account. Throws a {@link Failure} with exit 4 where nobody is signed in. */
export async function credentialsFor(
  world: Parts,
  choice: AccountChoice,
  notices: Notices,
): Promise<Credentials> {
  if (choice.token !== undefined) {
    // Not shown: it may be a token with something stuck to it.
    if (!/^[\x21-\x7e]+$/.test(choice.token)) {
      throw usage(
        'WM_TOKEN contains a character that no token has',
        'Look for a space or a line break in it.',
      );
    }
    const access = { token: choice.token, baseUrl: apiBase(environmentHost(world, choice)) };
    return { access: async () => access, renew: async () => undefined, whenRefused: environmentRefused };
  }
  const { name, by } = await chosenName(world, choice);
  const profile = await findProfile(world, name);
  if (!profile) {
    throw notSignedIn({ name, by });
  }
  const [{ remindOfStore, storeOf }, { renewingCredentials }] = await Promise.all([
    import('./stored-where.ts'),
    import('./renew.ts'),
  ]);
  const store = storeOf(world, profile, choice.store);
  if (!notices.isQuiet) await remindOfStore(world, store, name, choice.store, notices.say);
  const { say, warn } = notices;
  return renewingCredentials(world, { store, storeVariable: choice.store, profile, say, warn });
}

/** The host of the API as a sign-in shows and WM_HOST takes it; nothing where none is known. */
export async function knownHost(
  world: Pick<World, 'environment' | 'files'>,
  choice: AccountChoice,
): Promise<string | undefined> {
  const profile = choice.token === undefined ? await chosenProfile(world, choice) : undefined;
  return profile?.host ?? (choice.host === undefined ? undefined : environmentHost(world, choice));
}

/** The API's base address as far as it is known without a token: for what is printed and not sent. */
export async function knownBaseUrl(
  world: Pick<World, 'environment' | 'files'>,
  choice: AccountChoice,
): Promise<string | undefined> {
  const host = await knownHost(world, choice);
  return host === undefined ? undefined : apiBase(host);
}
