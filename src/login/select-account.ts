// Selects the account that a command uses: a token from the environment, or a profile with its stored tokens.

import type { Credentials } from '#client/session.ts';
import { tokenPattern } from '#contract/authorization.ts';
import { commandHint, Failure, usageError } from '#failure.ts';
import type { World } from '#world/world.ts';
import { apiBaseUrl, parseHost, withSchemeOf } from './host.ts';
import { defaultProfile, type Profiles, parseProfileName, readProfiles, signInCommand } from './profile.ts';
import type { RefreshWorld, TokensInUse } from './refreshing-credentials.ts';

export interface AccountOptions {
  readonly profile: string | undefined;
  readonly profileSource?: '--profile' | 'WM_PROFILE';
  readonly folderProfile?: ProfileSelection | undefined;
  /** WM_TOKEN. It takes precedence over every profile that is not named on the command line. */
  readonly token: string | undefined;
  /** WM_HOST: the host of `token`. */
  readonly host: string | undefined;
  /** WM_AUTH_URL, which tells whether a loopback host is reached over https. */
  readonly authUrl: string | undefined;
  readonly store: string | undefined;
}

/** Messages that are not results: `info` unless --quiet, `warn` always, `trace` with --verbose. */
export interface Notices {
  readonly isQuiet: boolean;
  info(line: string): unknown;
  warn(line: string): unknown;
  trace?(line: string): unknown;
}

type AccountWorld = Pick<World, 'keychain' | 'secrets'> & RefreshWorld;

export interface SelectedAccount {
  readonly baseUrl: string;
  /** Absent for WM_TOKEN. */
  readonly profile?: string;
  readonly readOnly?: true;
}

export interface SelectedCredentials extends Credentials, Partial<TokensInUse> {
  readonly account: SelectedAccount;
}

/** @throws {Failure} `usage` for a token without a host. */
function tokenHost({ host, authUrl }: AccountOptions): string {
  if (host !== undefined) return withSchemeOf(authUrl, parseHost(host, 'WM_HOST'));
  throw usageError(
    'WM_TOKEN is set, but WM_HOST is not',
    'Set WM_HOST to the host of the token, such as api.example.com.',
  );
}

export interface ProfileSelection {
  readonly name: string;
  /** A flag, a variable, the path of a .wm.json, `current` (the profile in use) or `default`. */
  readonly source: string;
}

/** The first that is set: flag, environment, .wm.json, the current profile, the default. Throws `usage` for an invalid name. */
export async function selectProfileName(world: Pick<World, 'files'>, options: AccountOptions) {
  return namedProfile(options) ?? currentProfile(await readProfiles(world));
}

function namedProfile({ profile, profileSource = '--profile', folderProfile }: AccountOptions) {
  return profile === undefined ? folderProfile : { name: parseProfileName(profile), source: profileSource };
}

function currentProfile({ current }: Profiles): ProfileSelection {
  return current === undefined
    ? { name: defaultProfile, source: 'default' }
    : { name: current, source: 'current' };
}

/** With the profile; undefined if it is not signed in. Reads the profiles once, and throws as {@link selectProfileName} does. */
export async function selectSignIn(world: Pick<World, 'files'>, options: AccountOptions) {
  const named = namedProfile(options);
  const stored = await readProfiles(world);
  const selection = named ?? currentProfile(stored);
  return { ...selection, profile: stored.profiles.find(({ name }) => name === selection.name) };
}

/** The selected profile; undefined if it is not signed in, and for a token. Throws as {@link selectProfileName} does. */
export async function selectProfile(world: Pick<World, 'files'>, options: AccountOptions) {
  return options.token === undefined ? (await selectSignIn(world, options)).profile : undefined;
}

const rejectedTokenHint =
  'Check that WM_TOKEN is complete and has not been revoked. If it is valid, WM_HOST may name the wrong data centre.';

/** The failure (`sign_in_needed`) for a profile without a sign-in. Names what selected the profile, unless nothing did. */
export function notSignedIn({ name, source }: ProfileSelection): Failure {
  const isDefault = name === defaultProfile && source === 'default';
  return new Failure('sign_in_needed', {
    message: isDefault ? 'Not signed in' : `Not signed in (profile ${name}, chosen by ${source})`,
    hint: isDefault
      ? commandHint('To sign in: ', 'wm login', '. In CI, set WM_TOKEN and WM_HOST.')
      : commandHint('To sign in: ', signInCommand(name)),
  });
}

/** Shows due notices about the token store. Throws `sign_in_needed`, or `usage` for an invalid WM_TOKEN or WM_HOST. */
export async function loadCredentials(
  world: AccountWorld,
  options: AccountOptions,
  notices: Notices,
): Promise<SelectedCredentials> {
  if (options.token !== undefined) {
    // The message does not quote it, since most of it may be a token.
    if (!tokenPattern.test(options.token))
      throw usageError(
        'WM_TOKEN contains a character that is not allowed in a token',
        'Check it for spaces and line breaks.',
      );
    const access = { token: options.token, baseUrl: apiBaseUrl(tokenHost(options)) };
    return {
      access: async () => access,
      refresh: async () => undefined,
      rejectedHint: rejectedTokenHint,
      account: { baseUrl: access.baseUrl },
    };
  }
  const { name, source, profile } = await selectSignIn(world, options);
  if (!profile) throw notSignedIn({ name, source });
  const [{ showStoreReminder }, { openProfileStore }, { createRefreshingCredentials }] = await Promise.all([
    import('./store-notices.ts'),
    import('./open-token-store.ts'),
    import('./refreshing-credentials.ts'),
  ]);
  const store = openProfileStore(world, profile, options.store);
  if (!notices.isQuiet) await showStoreReminder(world, store, name, options.store, notices.info);
  const refreshOptions = { ...notices, store, storeVariable: options.store, profile };
  const credentials = createRefreshingCredentials(world, refreshOptions);
  const readOnly = profile.readOnly ? { readOnly: true as const } : {};
  return { ...credentials, account: { baseUrl: apiBaseUrl(profile.host), profile: name, ...readOnly } };
}

/** As WM_HOST takes it; undefined if none is known. @throws {Failure} `usage` for an invalid WM_HOST. */
export async function findHost(world: Pick<World, 'files'>, options: AccountOptions) {
  const profile = await selectProfile(world, options);
  return profile?.host ?? (options.host === undefined ? undefined : tokenHost(options));
}

/** The base URL of the API for a request that is printed and not sent; undefined if none is known. */
export async function findBaseUrl(world: Pick<World, 'files'>, options: AccountOptions) {
  const host = await findHost(world, options);
  return host === undefined ? undefined : apiBaseUrl(host);
}

/** Ids are unique on a host, so this machine's records are separated by it: `api.example.com`, or `unknown` without an account. */
export async function accountHost({ world, account }: AccountContext): Promise<string> {
  const base = await findBaseUrl(world, account);
  return base === undefined ? 'unknown' : new URL(base).host;
}

export interface AccountContext {
  readonly world: Pick<World, 'files'>;
  readonly account: AccountOptions;
}
