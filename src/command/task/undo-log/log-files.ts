// The files of the undo log: one log for each host, since ids are unique there. Its values are kept for at least four months;
// older ones are not restored.

import { join } from 'node:path';
import type { World } from '../../../world/world.ts';
import { safeFileName } from '../../account-host.ts';
import type { LogFolder, MonthlyLog } from '../../monthly-log.ts';

type Parts = Pick<World, 'files'>;

export function undoLogFolder({ files }: Parts): LogFolder {
  return { folder: join(files.stateFolder, 'undo'), name: 'undo log' };
}

export function undoLog(world: Parts, host: string): MonthlyLog {
  return { ...undoLogFolder(world), stem: safeFileName(host) };
}
