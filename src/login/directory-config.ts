// A directory's own setting: a file `.wm.json` in the current folder or one above it that names a profile, so that work
// in one client's folder never meets another client's account. It may name a profile and nothing else: a folder that
// came from a stranger must not say where tokens go.

import { dirname, join } from 'node:path';
import { parseJson } from '../contract/json.ts';
import { Failure, usageError } from '../failure.ts';
import type { World } from '../world/world.ts';
import { parseProfileName } from './profile.ts';

export const directoryConfigName = '.wm.json';

export interface DirectoryConfig {
  readonly profile: string;
  /** The file that says so. */
  readonly path: string;
}

const settingBytes = 4096;

/** Throws a usage failure for a file that says anything else. */
export async function findDirectoryConfig({
  files,
}: Pick<World, 'files'>): Promise<DirectoryConfig | undefined> {
  for (let folder = files.currentFolder; ; folder = dirname(folder)) {
    const path = join(folder, directoryConfigName);
    const bytes = await files.read(path, { maxBytes: settingBytes }).catch((error: unknown) => {
      throw unreadable(path, error);
    });
    if (bytes) return { profile: parseDirectoryConfig(new TextDecoder().decode(bytes), path), path };
    if (dirname(folder) === folder) return undefined;
  }
}

/** To go on without it could be to act on another's account. */
function unreadable(path: string, error: unknown): Failure {
  return new Failure('other', {
    message: `${path} cannot be read, so which account is meant here is not known`,
    why: error instanceof Error ? error.message : undefined,
    hint: 'Say which: --profile NAME, or WM_PROFILE.',
    cause: error,
  });
}

function parseDirectoryConfig(text: string, path: string): string {
  let decoded: unknown;
  try {
    decoded = parseJson(text);
  } catch {
    decoded = undefined;
  }
  const members = typeof decoded === 'object' && decoded !== null ? Object.entries(decoded) : [];
  const [name, value] = members[0] ?? [];
  if (members.length !== 1 || name !== 'profile' || typeof value !== 'string') {
    throw usageError(`${path} is not a setting of wm`, 'It holds one thing: { "profile": "NAME" }');
  }
  return parseProfileName(value);
}
