// Where the history and the undo log are. Apart from the form of their lines, which only those who read them need.

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

/** One for each host, since ids are unique there. Its values are kept for at least four months; older ones are not restored. */
export function undoLog(world: Parts, host: string): MonthlyLog {
  return { ...undoLogFolder(world), stem: safeFileName(host) };
}
