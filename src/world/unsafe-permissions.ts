// Whether other users could change a folder: who owns it, and who may write to it and to the folders above, much as ssh checks
// them. What that means for the content is the caller's decision.

import { lstatSync, realpathSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import type { UnsafePermissions } from './world.ts';

/** The user who runs this process. */
export interface User {
  readonly uid: number;
  readonly gid: number;
}

/** Undefined on Windows, which has no such numbers; its access control lists are not checked. */
export function currentUser(): User | undefined {
  const uid = process.geteuid?.();
  const gid = process.getegid?.();
  return uid === undefined || gid === undefined ? undefined : { uid, gid };
}

const groupWrites = 0o020;
const othersWrite = 0o002;
const sticky = 0o1000;

/**
 * Finds the first unsafe file or folder. `path` may be a file or a folder, and need not exist. With `includeParents` the
 * folders above count too: those that the path names, and those that its links lead to. Synchronous: each system call takes
 * microseconds.
 */
export function findUnsafePermissions(
  path: string,
  user: User,
  above: boolean,
): UnsafePermissions | undefined {
  const real = realPathOrSelf(path);
  const own = unsafePermissionsOf(real, user, false);
  if (own || !above) return own;
  for (const one of new Set([path, ...parentFolders(path), ...parentFolders(real)])) {
    const found = unsafePermissionsOf(one, user, true);
    if (found) return found;
  }
  return undefined;
}

function realPathOrSelf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function parentFolders(path: string): readonly string[] {
  const folder = dirname(path);
  return folder === path ? [] : [folder, ...parentFolders(folder)];
}

/** Of a link itself: its owner can redirect it. Undefined if it cannot be examined; then it cannot be read either. */
function statLink(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

function unsafePermissionsOf(
  path: string,
  { uid, gid }: User,
  isAbove: boolean,
): UnsafePermissions | undefined {
  const found = statLink(path);
  if (!found) return undefined;
  const mode = found.mode & 0o7777;
  if (found.uid !== uid && found.uid !== 0) return { path, owner: found.uid, user: uid };
  if (found.isSymbolicLink()) return undefined;
  // In a sticky folder nobody can replace another user's files. A user's own group often has no other members.
  const isSafe = (mode & sticky) !== 0 || ((mode & othersWrite) === 0 && found.gid === gid);
  if (isAbove && isSafe) return undefined;
  return (mode & (groupWrites | othersWrite)) === 0 ? undefined : { path, mode, user: uid };
}
