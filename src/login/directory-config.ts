// The configuration of a directory: a file `.wm.json` in the current folder or in one above it, which names a profile, so
// that work in one client's folder never reaches another client's account. It may name nothing else: a folder that came
// from a stranger must not decide where tokens go.

import { dirname, join } from 'node:path';
import { parseJson } from '../contract/json.ts';
import { errorMessage, Failure, usageError } from '../failure.ts';
import type { World } from '../world/world.ts';
import { parseProfileName } from './profile.ts';

export const directoryConfigName = '.wm.json';

export interface DirectoryConfig {
  readonly profile: string;
  /** The file that names it. */
  readonly path: string;
}

const maxBytes = 4096;

/**
 * Finds the nearest `.wm.json`, at most 4,096 bytes long; undefined if there is none.
 * @throws {Failure} `usage` for an invalid file; `other` for one that cannot be read.
 */
export async function findDirectoryConfig({
  files,
}: Pick<World, 'files'>): Promise<DirectoryConfig | undefined> {
  for (let folder = files.currentFolder; ; folder = dirname(folder)) {
    const path = join(folder, directoryConfigName);
    const bytes = await files.read(path, { maxBytes }).catch((error: unknown) => {
      throw unreadable(path, error);
    });
    if (bytes) return { profile: parseDirectoryConfig(new TextDecoder().decode(bytes), path), path };
    if (dirname(folder) === folder) return undefined;
  }
}

/** Without it the command could use the wrong account, so it ends. */
function unreadable(path: string, error: unknown): Failure {
  return new Failure('other', {
    message: `Cannot read ${path}, which selects the account for this folder`,
    why: errorMessage(error),
    hint: 'Name the profile: --profile NAME, or WM_PROFILE.',
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
    throw usageError(
      `${path} is not valid`,
      'It may contain a profile and nothing else: { "profile": "NAME" }',
    );
  }
  return parseProfileName(value);
}
