// The folders of the history and the undo log. Separate from the format of their lines, which only readers need.

import { join } from 'node:path';
import type { World } from '#world/world.ts';
import { safeFileName } from '../account-host.ts';
import type { LogFolder, MonthlyLog } from '../monthly-log.ts';

type Parts = Pick<World, 'files'>;

export function historyLog({ files }: Parts): MonthlyLog {
  return { folder: join(files.stateFolder, 'history'), stem: 'changes', name: 'history' };
}

export function undoLogFolder({ files }: Parts): LogFolder {
  return { folder: join(files.stateFolder, 'undo'), name: 'undo log' };
}

/** One log for each host, since ids are unique on a host. It keeps previous values for at least four months. */
export function undoLog(world: Parts, host: string): MonthlyLog {
  return { ...undoLogFolder(world), stem: safeFileName(host) };
}
