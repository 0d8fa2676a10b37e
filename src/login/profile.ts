// Profiles: everything about a sign-in that is not secret, in one file. The tokens are elsewhere (token-store.ts).

import { join } from 'node:path';
import { parseJsonIfValid } from '#contract/json.ts';
import * as s from '#contract/schema.ts';
import { defaultScope } from '#contract/scope.ts';
import { commandHint, Failure, usageError } from '#failure.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { version } from '#version.ts';
import type { HeldLock, World } from '#world/world.ts';
import { acquireLock, withLock } from './lock-wait.ts';
import { assertKnownFormat, assertPrivateConfigFolder, diskFailure } from './private-folder.ts';

const storedProfile = s.object('profile', {
  name: s.text('name'),
  /** Absent for a permanent token that came without a sign-in. */
  authUrl: s.optional(s.text('URL')),
  host: s.text('host'),
  hostSuffixes: s.list(s.text('suffix')),
  clientId: s.optional(s.text('id')),
  redirectUri: s.optional(s.text('URI')),
  user: s.optional(s.text('name')),
  userId: s.optional(s.text('id')),
  account: s.optional(s.text('name')),
  accountId: s.optional(s.text('id')),
  scopes: s.optional(s.list(s.text('scope'))),
  /** True if it was converted from a version 3 token, whose scopes are unknown. */
  converted: s.optional(s.boolean),
  /** Where its tokens are; absent in profiles of versions that did not record it. */
  store: s.optional(s.choice('store', ['keychain', 'file'])),
  /** When the user signed in, in milliseconds since 1970. */
  signedInAt: s.number('milliseconds'),
  /** True if requests may change nothing. Only {@link setProfileReadOnly} changes it, not another sign-in. */
  readOnly: s.optional(s.boolean),
});

export type Profile = s.TypeOf<typeof storedProfile>;

export interface Profiles {
  readonly current?: string;
  readonly profiles: readonly Profile[];
}

export const defaultProfile = 'default';
const format = 1;

type ProfileWorld = Pick<World, 'files'>;
type ChangingWorld = Pick<World, 'files' | 'lock'>;

function profilesPath({ files }: ProfileWorld): string {
  return join(files.configFolder, 'profiles.json');
}

/** The lock that a process holds while it changes a profile's tokens. */
export function profileLockPath({ files }: ProfileWorld, profile: string): string {
  return join(files.configFolder, 'locks', `${profile}.lock`);
}

function profileLock(world: ChangingWorld, profile: string) {
  const path = profileLockPath(world, profile);
  const activity = `using the sign-in ${profile}`;
  const unchanged = 'The sign-in is unchanged.';
  return [world, path, { activity, unchanged, fails: diskFailure(`Cannot lock ${path}`) }] as const;
}

/** Waits as {@link lockLimits} says. @throws {Failure} `other` if another process does not release it in time. */
export function acquireProfileLock(world: ChangingWorld, profile: string): Promise<HeldLock> {
  return acquireLock(...profileLock(world, profile));
}

/** Throws as {@link acquireProfileLock} does. */
export function withProfileLock<T>(
  world: ChangingWorld,
  profile: string,
  work: (held: HeldLock) => Promise<T>,
): Promise<T> {
  return withLock(...profileLock(world, profile), work);
}

/** For hints. Profile names need no quotes. */
export function signInCommand(profile: string): string {
  return `wm login --profile ${profile}`;
}

/** A valid profile name, which can be a file name too. @throws {Failure} `usage` for any other text. */
export function parseProfileName(name: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) return name;
  throw usageError(
    `${JSON.stringify(name)} is not a profile name`,
    'Use 1 to 64 letters, digits, dots, hyphens and underscores. Start with a letter or a digit.',
  );
}

/** Devices on Windows, with any extension: a write to NUL.json stores nothing. */
const deviceNames = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** Throws `usage` for a device of Windows, and for a name that differs only in case: both would have the same files on some disks. */
export async function validateNewProfileName(world: ProfileWorld, name: string): Promise<void> {
  if (deviceNames.test(name))
    throw usageError(
      `A profile cannot be named ${JSON.stringify(name)}`,
      `Choose another name, such as ${name.replace('.', '-')}-profile.`,
      'on Windows that is a device, so its files could not be stored',
    );
  const { profiles } = await readProfiles(world);
  const names = profiles.map((profile) => profile.name);
  const similar = names.find((other) => other !== name && other.toLowerCase() === name.toLowerCase());
  if (similar)
    throw usageError(`The profile ${similar} already exists`, `Use ${similar}, or choose another name.`);
}

/** @throws {Failure} `usage` for a file that wm did not write; `other` if it cannot be read, or others could change it. */
export async function readProfiles(world: ProfileWorld): Promise<Profiles> {
  await assertPrivateConfigFolder(world);
  await assertPrivateConfigFolder(world, profilesPath(world));
  const cannotBeRead = `Cannot read ${profilesPath(world)}`;
  const bytes = await world.files.read(profilesPath(world)).catch(diskFailure(cannotBeRead));
  if (bytes === undefined) return { profiles: [] };
  const decoded = parseJsonIfValid(new TextDecoder().decode(bytes));
  assertKnownFormat(decoded, profilesPath(world), format);
  if (isProfilesFile(decoded)) return decoded;
  throw usageError(
    cannotBeRead,
    commandHint('Move it away and sign in again: ', 'wm login'),
    'it is not the JSON that wm writes',
  );
}

const profilesFile = s.object('profiles', {
  current: s.optional(s.text('name')),
  profiles: s.list(s.anyJson),
});

/** An invalid member is an error even if it is optional: a typing error in `readOnly` must not permit changes. */
function isProfilesFile(decoded: unknown): decoded is Profiles {
  if (!s.hasMembers(profilesFile, decoded)) return false;
  return decoded.profiles.every(
    (row) => s.hasMembers(storedProfile, row) && (row.authUrl === undefined || URL.canParse(row.authUrl)),
  );
}

/** The scopes that the sign-in requested; undefined if they are unknown. Contract: Authentication 9, for the default scope. */
export function profileScopes({ scopes, authUrl, converted }: Profile): readonly string[] | undefined {
  return scopes ?? (authUrl === undefined || converted ? undefined : [defaultScope]);
}

/** Reads the profile of this name. Throws as {@link readProfiles} does. */
export async function findProfile(world: ProfileWorld, name: string): Promise<Profile | undefined> {
  return (await readProfiles(world)).profiles.find((profile) => profile.name === name);
}

/**
 * Adds a profile, or replaces it, which leaves it read-only if it was; the first profile becomes the current one. `beforeWrite` runs
 * after room for the new file was reserved; if it throws, the file stays as it was.
 * @throws {Failure} `other` if the file cannot be locked or written.
 */
export async function saveProfile(world: ChangingWorld, profile: Profile, beforeWrite?: () => Promise<void>) {
  const add = ({ current, profiles }: Profiles) => {
    const previous = profiles.find(({ name }) => name === profile.name);
    const others = profiles.filter(({ name }) => name !== profile.name);
    return {
      current: current ?? profile.name,
      profiles: [...others, previous ? withReadOnly(profile, previous.readOnly) : profile],
    };
  };
  await updateProfiles(world, add, beforeWrite);
}

function withReadOnly({ readOnly: _, ...profile }: Profile, readOnly: boolean | undefined): Profile {
  return readOnly ? { ...profile, readOnly } : profile;
}

/** @throws {Failure} `not_found` if the profile does not exist; `other` as {@link saveProfile} does. */
export async function setProfileReadOnly(world: ChangingWorld, name: string, readOnly: boolean) {
  await updateProfiles(world, ({ profiles, ...rest }) => {
    if (profiles.every((profile) => profile.name !== name))
      throw new Failure('not_found', {
        message: `Profile not found: ${name}`,
        hint: 'To see the profiles: wm auth list',
      });
    return {
      ...rest,
      profiles: profiles.map((profile) =>
        profile.name === name ? withReadOnly(profile, readOnly) : profile,
      ),
    };
  });
}

/** Makes an existing profile the current one. Throws as {@link saveProfile} does. */
export async function setCurrentProfile(world: ChangingWorld, name: string): Promise<void> {
  await updateProfiles(world, ({ profiles }) => ({ current: name, profiles }));
}

/** Removes a profile; another one becomes the current one. Throws as {@link saveProfile} does. */
export async function removeProfile(world: ChangingWorld, name: string): Promise<void> {
  await updateProfiles(world, ({ current, profiles }) => {
    const remaining = profiles.filter((profile) => profile.name !== name);
    const next = current === name ? remaining[0]?.name : current;
    return { profiles: remaining, ...omitUndefined({ current: next }) };
  });
}

async function updateProfiles(
  world: ChangingWorld,
  edit: (profiles: Profiles) => Profiles,
  beforeWrite?: () => Promise<void>,
): Promise<void> {
  const fails = diskFailure(`Cannot write ${profilesPath(world)}`);
  const request = { activity: 'changing the profiles', unchanged: 'The profiles are unchanged.', fails };
  await withLock(world, join(world.files.configFolder, 'profiles.lock'), request, async () => {
    const { current, profiles } = edit(await readProfiles(world));
    const text = `${JSON.stringify({ format, wm: version, current, profiles }, null, 2)}\n`;
    const path = profilesPath(world);
    await world.files.removeLeftovers(path);
    const bytes = Buffer.byteLength(text);
    const reserved = await world.files.reserve(path, { mode: 0o600, bytes }).catch(fails);
    try {
      await beforeWrite?.();
      await reserved.write(text).catch(fails);
    } finally {
      await reserved.release();
    }
  });
}
