// Where the history is. Apart from the form of its lines, which only those who read them need.

import { join } from 'node:path';
import type { World } from '../../world/world.ts';
import type { MonthlyLog } from '../monthly-log.ts';

export function historyLog({ files }: Pick<World, 'files'>): MonthlyLog {
  return { folder: join(files.stateFolder, 'history'), stem: 'changes', name: 'history' };
}
