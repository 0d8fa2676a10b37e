// Whether others could change what is in a folder: who owns it, and who may write to it and to the folders above, as ssh
// looks at them. Leaves to the caller what that means for what is kept there.

import { lstatSync, realpathSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import type { UnsafePermissions } from './world.ts';

/** Who runs this process. */
export interface User {
  readonly uid: number;
  readonly gid: number;
}

/** Nothing where the system has no such numbers: Windows, whose lists of rights are not looked at. */
export function currentUser(): User | undefined {
  const uid = process.geteuid?.();
  const gid = process.getegid?.();
  return uid === undefined || gid === undefined ? undefined : { uid, gid };
}

const groupWrites = 0o020;
const othersWrite = 0o002;
const sticky = 0o1000;

/**
 * The path may be a file's or a folder's, and need not exist. `above`: the folders above count too, as the path names them
 * and as its links lead. By this thread: the system answers each question in microseconds.
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

/** A link as such: whoever owns it may lead it elsewhere. What cannot be looked at cannot be read either. */
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
  // In a sticky folder nobody moves what is another's. And a user's own group has often nobody else in it.
  const isSafe = (mode & sticky) !== 0 || ((mode & othersWrite) === 0 && found.gid === gid);
  if (isAbove && isSafe) return undefined;
  return (mode & (groupWrites | othersWrite)) === 0 ? undefined : { path, mode, user: uid };
}
