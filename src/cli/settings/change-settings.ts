// Changes one setting in a file. Replaces the whole file under a lock, so that neither a concurrent change nor a full disk loses
// data. Everything else in the file stays, even if it is invalid.

import { dirname, join } from 'node:path';
import { isJsonObject, type JsonObject, parseJson } from '#contract/json.ts';
import { Failure, failWith, usageError } from '#failure.ts';
import { withLock } from '#login/lock-wait.ts';
import { assertPrivateConfigFolder } from '#login/private-folder.ts';
import type { World } from '#world/world.ts';
import { decodeText } from '../decode-text.ts';
import { folderFileName, userSettingsPath } from './load-settings.ts';
import { parseSettingsFile, profilesMember, settingsFailure } from './settings-file.ts';

export interface SettingPlace {
  /** True for .wm.json of the current folder, false for the user's file. */
  readonly inFolder: boolean;
  /** The profile that the setting is for; only in the user's file. */
  readonly profile?: string | undefined;
}

export function settingsPath(world: Pick<World, 'files'>, { inFolder }: SettingPlace): string {
  return inFolder ? join(world.files.currentFolder, folderFileName) : userSettingsPath(world);
}

/** Removes the member if `value` is undefined: false if there is none. Throws `usage` for a file that is not a JSON object. */
export async function changeSetting(
  world: Pick<World, 'files' | 'lock' | 'process'>,
  place: SettingPlace,
  name: string,
  value: unknown,
): Promise<boolean> {
  const { files } = world;
  const path = settingsPath(world, place);
  const fails = (error: unknown): never => {
    if (error instanceof Failure) throw error;
    const hint = 'Nothing was changed. Check that the folder belongs to you and that the disk has room.';
    return failWith('other', `Cannot change the settings in ${path}`, hint)(error);
  };
  const work = async () => {
    if (place.inFolder) await assertNoLink(world, path);
    else await assertPrivateConfigFolder(world, path);
    const before = await readMembers(world, path, place);
    const after = withMember(before, place.profile, name, value);
    if (after === undefined) return false;
    await files.removeLeftovers(path);
    const mode = place.inFolder ? 0o644 : 0o600;
    await files.write(path, `${JSON.stringify(after, null, 2)}\n`, { mode });
    return true;
  };
  await assertPrivateConfigFolder(world);
  // One lock for all files: in a folder that others share, no lock file is left behind.
  const lockPath = join(files.configFolder, 'config.lock');
  const request = { activity: 'changing the settings', unchanged: 'The settings are unchanged.', fails };
  return withLock(world, lockPath, request, () => work().catch(fails));
}

/** Rejects links: one in a stranger's folder could point to any file of the user. */
async function assertNoLink({ files }: Pick<World, 'files'>, path: string): Promise<void> {
  const [real, folder] = [await files.realPath(path), await files.realPath(dirname(path))];
  if (real === join(folder, folderFileName)) return;
  throw usageError(`${path} is a link`, `Edit the file that it leads to: ${real}`);
}

async function readMembers(world: Pick<World, 'files' | 'process'>, path: string, place: SettingPlace) {
  const bytes = await world.files.read(path);
  if (bytes === undefined) return {};
  const decoded = unlessInvalidJson(bytes);
  if (isJsonObject(decoded) && isJsonObject(decoded[profilesMember] ?? {})) return decoded;
  const { problems, isEmpty } = parseSettingsFile(world, bytes, path, place.inFolder ? 'folder' : 'user');
  if (isEmpty) return {};
  throw settingsFailure(path, problems.slice(0, 1));
}

function unlessInvalidJson(bytes: Uint8Array): unknown {
  try {
    return parseJson(decodeText(bytes, { fatal: true }));
  } catch {
    return undefined;
  }
}

/** Undefined if nothing changes. */
function withMember(
  members: JsonObject,
  profile: string | undefined,
  name: string,
  value: unknown,
): JsonObject | undefined {
  if (profile === undefined) {
    if (value !== undefined) return { ...members, [name]: value };
    return Object.hasOwn(members, name) ? without(members, name) : undefined;
  }
  const sections = members[profilesMember] ?? {};
  const section = isJsonObject(sections) && Object.hasOwn(sections, profile) ? sections[profile] : {};
  const changed = withMember(isJsonObject(section) ? section : {}, undefined, name, value);
  if (changed === undefined || !isJsonObject(sections)) return undefined;
  const otherSections = without(sections, profile);
  const newSections = Object.keys(changed).length === 0 ? otherSections : { ...sections, [profile]: changed };
  return Object.keys(newSections).length === 0
    ? without(members, profilesMember)
    : { ...members, [profilesMember]: newSections };
}

function without(members: JsonObject, name: string): JsonObject {
  const { [name]: _removed, ...rest } = members;
  return rest;
}
