// Stops where others could change what wm keeps: a folder that belongs to another user, or that others may write to. Tokens
// would be theirs to take, and what they put there would be obeyed. docs/decisions/own-folder.md says what is looked at.

import { Failure } from '../failure.ts';
import type { UnsafePermissions, World } from '../world/world.ts';

/** Settings and tokens. Throws a {@link Failure}. */
export async function assertPrivateConfigFolder(
  { files }: Pick<World, 'files'>,
  path = files.configFolder,
): Promise<void> {
  const exposure = await files.unsafePermissions(path, { includeParents: true });
  if (exposure) throw notPrivate(exposure, 'they could take the tokens, or have them sent elsewhere');
}

/**
 * Journals and the undo log. In a container the home folder often belongs to another user, and nothing secret is here; so
 * the folders above are not looked at. Throws a {@link Failure}.
 */
export async function assertPrivateStateFolder({ files }: Pick<World, 'files'>): Promise<void> {
  const exposure = await files.unsafePermissions(files.stateFolder, { includeParents: false });
  if (exposure) throw notPrivate(exposure, 'they could write a journal or an undo log that wm would act on');
}

function notPrivate(exposure: UnsafePermissions, danger: string): Failure {
  const { path } = exposure;
  if ('mode' in exposure) {
    return new Failure('other', {
      message: `Other users may write to ${path} (mode ${exposure.mode.toString(8).padStart(4, '0')})`,
      why: danger,
      hint: `Allow only yourself to: chmod go-w ${quote(path)}\nOr set WM_CONFIG_DIR to a folder of your own.`,
    });
  }
  const { owner, user } = exposure;
  return new Failure('other', {
    message: `${path} belongs to another user (uid ${owner}; wm runs as uid ${user})`,
    why: danger,
    hint:
      user === 0
        ? 'Run wm as that user, without sudo. Or set WM_CONFIG_DIR to a folder of root, such as /root/.config/wm.'
        : 'Set WM_CONFIG_DIR to a folder of your own.',
  });
}

function quote(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replace(/['\\]/g, "'\\$&'")}'`;
}
