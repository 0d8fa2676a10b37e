// Which account a command acts on: a token from the environment, or a profile with its kept sign-in.

import type { Credentials } from '../client/session.ts';
import { Failure, usage } from '../failure.ts';
import type { World } from '../world/world.ts';
import { apiBase, checkHost } from './host.ts';
import { checkProfileName, defaultProfile, findProfile, type Profile } from './profile.ts';
import type { RenewingWorld } from './renew.ts';

/** What flags and environment say; nothing decided yet. */
export interface AccountChoice {
  readonly profile: string | undefined;
  /** A token from the environment wins over every profile that was not named on the command line. */
  readonly token: string | undefined;
  readonly host: string | undefined;
  readonly store: string | undefined;
}

type Parts = Pick<World, 'keychain'> & RenewingWorld;

/** Throws a usage failure for a token without a host. */
function environmentHost(choice: AccountChoice): string {
  if (choice.host !== undefined) return checkHost(choice.host, 'WM_HOST');
  throw usage(
    'WM_TOKEN is set, and WM_HOST is not',
    'Set WM_HOST to the host that the token is for (api.example.com).',
  );
}

export async function chosenProfile(
  world: Pick<World, 'files'>,
  choice: AccountChoice,
): Promise<Profile | undefined> {
  return findProfile(world, choice.profile === undefined ? undefined : checkProfileName(choice.profile));
}

/** The credentials of the chosen account. Throws a {@link Failure} with exit 4 where nobody is signed in. */
export async function credentialsFor(
  world: Parts,
  choice: AccountChoice,
  warn: (line: string) => void,
): Promise<Credentials> {
  if (choice.token !== undefined) {
    const access = { token: choice.token, baseUrl: apiBase(environmentHost(choice)) };
    return { access: async () => access, renew: async () => undefined };
  }
  const profile = await chosenProfile(world, choice);
  if (!profile) {
    throw new Failure('sign_in_needed', {
      what: `Nobody is signed in${choice.profile === undefined ? '' : ` as ${choice.profile}`}`,
      hint:
        choice.profile === undefined || choice.profile === defaultProfile
          ? 'Sign in: wm login. In CI, set WM_TOKEN and WM_HOST.'
          : `Sign in: wm login --profile ${choice.profile}`,
    });
  }
  const [{ openStore }, { renewingCredentials }] = await Promise.all([
    import('./store.ts'),
    import('./renew.ts'),
  ]);
  const store = openStore(world, choice.store, warn);
  return renewingCredentials(world, { store, storeKind: choice.store, profile, warn });
}

/** The API's base address as far as it is known without a token: for what is printed and not sent. */
export async function knownBaseUrl(
  world: Pick<World, 'files'>,
  choice: AccountChoice,
): Promise<string | undefined> {
  if (choice.token !== undefined)
    return choice.host === undefined ? undefined : apiBase(environmentHost(choice));
  const profile = await chosenProfile(world, choice);
  if (profile) return apiBase(profile.host);
  return choice.host === undefined ? undefined : apiBase(checkHost(choice.host, 'WM_HOST'));
}
