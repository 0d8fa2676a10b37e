// Profiles: what is known of each sign-in that is no secret, in one file. The tokens are elsewhere (store.ts).

import { parseJson } from '../contract/json.ts';
import { defaultScope } from '../contract/scope.ts';
import { Failure, usageError } from '../failure.ts';
import type { HeldLock, World } from '../world/world.ts';
import { removeLeftovers } from './leftovers.ts';
import { lockLimits, lockTimeoutFailure } from './lock-wait.ts';
import { assertPrivateConfigFolder } from './private-folder.ts';
import type { StoreKind } from './token-store.ts';

export interface Profile {
  readonly name: string;
  /** Absent for a permanent token that came without a sign-in. */
  readonly authUrl?: string;
  readonly host: string;
  readonly hostSuffixes: readonly string[];
  readonly clientId?: string;
  readonly redirectUri?: string;
  readonly user?: string;
  readonly userId?: string;
  readonly account?: string;
  readonly accountId?: string;
  readonly scopes?: readonly string[];
  /** True where it was made from a version 3 token, which says nothing of its scopes. */
  readonly converted?: true;
  /** Where its tokens are; absent in profiles that were made before this was noted. */
  readonly store?: StoreKind;
  /** When the sign-in was made, as milliseconds since 1970. */
  readonly signedInAt: number;
}

export interface Profiles {
  readonly current?: string;
  readonly profiles: readonly Profile[];
}

export const defaultProfile = 'default';
const format = 1;

type Place = Pick<World, 'files'>;

function profilesPath({ files }: Place): string {
  return `${files.configFolder}/profiles.json`;
}

/** Whoever changes the tokens of a profile holds this lock. */
export function profileLockPath({ files }: Place, profile: string): string {
  return `${files.configFolder}/locks/${profile}.lock`;
}

/** Throws a {@link Failure} where another wm does not let go of it in time. */
export async function acquireProfileLock(
  world: Pick<World, 'files' | 'lock'>,
  profile: string,
): Promise<HeldLock> {
  const path = profileLockPath(world, profile);
  const doing = `using the sign-in ${profile}`;
  const held = await world.lock.acquire(path, { ...lockLimits, activity: doing }).catch((error: unknown) => {
    throw profilesFailure(`${path} cannot be locked`, error);
  });
  if (!held) throw lockTimeoutFailure(await world.lock.holder(path), doing, 'The sign-in is kept.');
  return held;
}

/** Throws a usage failure for a name that could not be a file's. */
export function parseProfileName(name: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) return name;
  throw usageError(
    `${JSON.stringify(name)} is not a profile name`,
    'Use 1 to 64 letters, digits, dots, - and _, a letter or digit first.',
  );
}

/** On Windows each is a device, whatever stands behind a dot: what is written to NUL.json is gone. */
const deviceNames = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** Throws a usage failure for a name that some systems take for a device, or for that of another profile's files. */
export async function validateNewProfileName(world: Place, name: string): Promise<void> {
  if (deviceNames.test(name))
    throw usageError(
      `${JSON.stringify(name)} cannot be the name of a profile`,
      `Choose another, such as ${name.replace('.', '-')}-profile.`,
      'Windows takes it for the name of a device, so its files could not be stored there',
    );
  const { profiles } = await readProfiles(world);
  const like = profiles.find((one) => one.name !== name && one.name.toLowerCase() === name.toLowerCase());
  if (like)
    throw usageError(`There is a profile ${like.name} already`, `Call it ${like.name}, or something else.`);
}

export async function readProfiles(world: Place): Promise<Profiles> {
  await assertPrivateConfigFolder(world);
  await assertPrivateConfigFolder(world, profilesPath(world));
  const cannotBeRead = `${profilesPath(world)} cannot be read`;
  const bytes = await world.files.read(profilesPath(world)).catch((error: unknown) => {
    throw profilesFailure(cannotBeRead, error);
  });
  if (bytes === undefined) return { profiles: [] };
  try {
    const decoded = parseJson(new TextDecoder().decode(bytes));
    if (isProfilesFile(decoded)) return decoded;
  } catch {
    // Said below.
  }
  throw usageError(
    cannotBeRead,
    'Move it away and sign in again: wm login',
    'it is not the JSON that wm writes there',
  );
}

/** Trouble with the file itself, which is nobody's wrong usage. */
function profilesFailure(what: string, error: unknown): Failure {
  const why = error instanceof Error ? error.message : undefined;
  const hint =
    'The folder is that of WM_CONFIG_DIR, or the usual one. It must be yours, and there must be room.';
  return new Failure('other', { message: what, why, hint, cause: error });
}

function isProfilesFile(decoded: unknown): decoded is Profiles {
  if (typeof decoded !== 'object' || decoded === null || !('profiles' in decoded)) return false;
  const { profiles } = decoded;
  if ('current' in decoded && typeof decoded.current !== 'string') return false;
  return Array.isArray(profiles) && profiles.every(isProfile);
}

function isProfile(one: unknown): one is Profile {
  if (typeof one !== 'object' || one === null) return false;
  const row = one as Readonly<Record<string, unknown>>;
  const suffixes = row['hostSuffixes'];
  const optional = (name: string) => row[name] === undefined || typeof row[name] === 'string';
  const { authUrl, scopes = [] } = row;
  return (
    ['clientId', 'redirectUri', 'user', 'userId', 'account', 'accountId'].every(optional) &&
    (row['converted'] === undefined || row['converted'] === true) &&
    [undefined, 'keychain', 'file'].some((kind) => row['store'] === kind) &&
    (authUrl === undefined || (typeof authUrl === 'string' && URL.canParse(authUrl))) &&
    Array.isArray(scopes) &&
    scopes.every((scope) => typeof scope === 'string') &&
    typeof row['name'] === 'string' &&
    typeof row['host'] === 'string' &&
    typeof row['signedInAt'] === 'number' &&
    Array.isArray(suffixes) &&
    suffixes.every((suffix) => typeof suffix === 'string')
  );
}

/** What was asked for at the sign-in; nothing where that is not known: a permanent token, or a converted one. */
export function profileScopes({ scopes, authUrl, converted }: Profile): readonly string[] | undefined {
  return scopes ?? (authUrl === undefined || converted ? undefined : [defaultScope]);
}

export async function findProfile(world: Place, name: string): Promise<Profile | undefined> {
  return (await readProfiles(world)).profiles.find((profile) => profile.name === name);
}

/**
 * Adds or replaces; the first profile becomes the current one. Changes to the file are made under its lock. `first` is done
 * when there is room for the change, and before it.
 */
export async function saveProfile(
  world: Pick<World, 'files' | 'lock'>,
  profile: Profile,
  first?: () => Promise<void>,
): Promise<void> {
  const add = ({ current, profiles }: Profiles) => ({
    current: current ?? profile.name,
    profiles: [...profiles.filter((one) => one.name !== profile.name), profile],
  });
  await updateProfiles(world, add, first);
}

/** What is used where nothing else says. The profile must be there. */
export async function setCurrentProfile(world: Pick<World, 'files' | 'lock'>, name: string): Promise<void> {
  await updateProfiles(world, ({ profiles }) => ({ current: name, profiles }));
}

export async function removeProfile(world: Pick<World, 'files' | 'lock'>, name: string): Promise<void> {
  await updateProfiles(world, ({ current, profiles }) => {
    const left = profiles.filter((one) => one.name !== name);
    const next = current === name ? left[0]?.name : current;
    return { profiles: left, ...(next === undefined ? {} : { current: next }) };
  });
}

async function updateProfiles(
  world: Pick<World, 'files' | 'lock'>,
  edit: (before: Profiles) => Profiles,
  first?: () => Promise<void>,
): Promise<void> {
  const cannotBeWritten = (error: unknown) => {
    throw profilesFailure(`${profilesPath(world)} cannot be written`, error);
  };
  const lockPath = `${world.files.configFolder}/profiles.lock`;
  const doing = 'changing the profiles';
  const held = await world.lock.acquire(lockPath, { ...lockLimits, activity: doing }).catch(cannotBeWritten);
  if (!held)
    throw lockTimeoutFailure(await world.lock.holder(lockPath), doing, 'The profiles are as they were.');
  try {
    const after = { format, ...edit(await readProfiles(world)) };
    const text = `${JSON.stringify(after, null, 2)}\n`;
    const path = profilesPath(world);
    await removeLeftovers(world, path);
    const bytes = Buffer.byteLength(text);
    const reserved = await world.files.reserve(path, { mode: 0o600, bytes }).catch(cannotBeWritten);
    try {
      await first?.();
      await reserved.write(text).catch(cannotBeWritten);
    } finally {
      await reserved.release();
    }
  } finally {
    await held.release();
  }
}
