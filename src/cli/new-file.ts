// The file that a flag has a command write: checked before any request, so that it replaces no device, and no file unasked.

import { resolve } from 'node:path';
import { usageError } from '#failure.ts';
import type { Context } from './context.ts';

export async function assertNewFile({ world, common }: Context, flag: string, path: string): Promise<void> {
  const kind = await world.files.kind(resolve(world.files.currentFolder, path));
  if (kind === undefined || (kind === 'file' && common.yes)) return;
  if (kind === 'file') throw usageError(`${flag}: ${path} exists`, 'To replace it: --yes');
  throw usageError(`${flag}: ${path} is not a file`, 'Give the name of a new file.');
}
