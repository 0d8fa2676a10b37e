// Rejects folders that other users own or may write to: they could steal the tokens, and wm would trust files that they put there.
// docs/decisions/own-folder.md lists the checks. Rejects files of a newer wm too: it would lose the members that it does not know.

import { formatValue } from '#contract/schema.ts';
import { Failure, type FailureCode, failWith, usageError } from '#failure.ts';
import { version } from '#version.ts';
import type { UnsafePermissions, World } from '#world/world.ts';

/** Checks the folder of settings, or a file in it, and its parents. @throws {Failure} `other` if other users could change it. */
export async function assertPrivateConfigFolder({ files }: Pick<World, 'files'>, path = files.configFolder) {
  const unsafe = await files.unsafePermissions(path, { includeParents: true });
  if (!unsafe) return;
  // A file may hold a secret, which others must not read either.
  const access = (await files.kind(unsafe.path)) === 'file' ? 'go-rwx' : 'go-w';
  throw notPrivate(unsafe, 'they could steal the tokens, or have them sent elsewhere', access);
}

/** Not the folders above: it holds no secrets, and in a container the home folder often belongs to another user. Throws `other`. */
export async function assertPrivateStateFolder({ files }: Pick<World, 'files'>): Promise<void> {
  const unsafe = await files.unsafePermissions(files.stateFolder, { includeParents: false });
  if (unsafe)
    throw notPrivate(unsafe, 'they could write a journal or an undo log that wm would act on', 'go-w');
}

const diskHint =
  'Check that the folder belongs to you and that the disk has room. WM_CONFIG_DIR names another folder.';

/** For `catch`: throws a failure of the disk with this message. */
export const diskFailure = (message: string, code: FailureCode = 'other') =>
  failWith(code, message, diskHint);

/** Files of versions that recorded no format have the first one. @throws {Failure} `usage` for another format. */
export function assertKnownFormat(decoded: unknown, path: string, expected: number): void {
  if (typeof decoded !== 'object' || decoded === null || !('format' in decoded)) return;
  const { format } = decoded;
  if (format === expected) return;
  const writer = 'wm' in decoded && typeof decoded.wm === 'string' ? `, written by wm ${decoded.wm}` : '';
  throw usageError(
    `Cannot read ${path}`,
    'Use the wm that wrote it, or set WM_CONFIG_DIR to another folder for this version.',
    `it has format ${formatValue(format)}${writer}; this is wm ${version}, which knows format ${expected}`,
  );
}

function notPrivate(unsafe: UnsafePermissions, danger: string, access: 'go-w' | 'go-rwx'): Failure {
  const { path } = unsafe;
  if ('isDevice' in unsafe)
    return new Failure('other', {
      message: `${path} is not a file or a folder`,
      why: 'wm cannot store anything in a device or a pipe',
      hint: 'Remove the link that leads to it, or set WM_CONFIG_DIR to a folder that belongs to you.',
    });
  if ('mode' in unsafe)
    return new Failure('other', {
      message: `Other users can write to ${path} (mode ${unsafe.mode.toString(8).padStart(4, '0')})`,
      why: danger,
      hint: `Remove their access: chmod ${access} ${quote(path)}\nOr set WM_CONFIG_DIR to a folder that belongs to you.`,
    });
  const { owner, user } = unsafe;
  return new Failure('other', {
    message: `${path} belongs to another user (uid ${owner}; wm runs as uid ${user})`,
    why: danger,
    hint:
      user === 0
        ? 'Run wm as that user, without sudo. Or set WM_CONFIG_DIR to a folder that belongs to root, such as /root/.config/wm.'
        : 'Set WM_CONFIG_DIR to a folder that belongs to you.',
  });
}

function quote(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replace(/['\\]/g, "'\\$&'")}'`;
}
