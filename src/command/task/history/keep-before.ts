// The values before of a bulk: read a hundred tasks at a time, ahead of their updates, and on record before any of them is
// sent.

import type { Pace } from '../../../bulk/pace.ts';
import { type RowStates, state } from '../../../bulk/past.ts';
import type { Session } from '../../../client/session.ts';
import { limit } from '../../../contract/limit.ts';
import type { World } from '../../../world/world.ts';
import type { TaskItem } from '../many/reading.ts';
import { readTasks } from './read.ts';
import { keep } from './record.ts';

export interface BulkName {
  /** As ids are unique there. */
  readonly host: string;
  /** The same when it goes on. */
  readonly key: string;
}

/** The same items. A task that cannot be read has no values on record; its update will most likely fail, too. */
export async function* keepBefore(
  world: Pick<World, 'files' | 'clock'>,
  { host, key }: BulkName,
  session: Session,
  pace: Pace,
  states: RowStates,
  items: AsyncIterable<readonly TaskItem[]>,
): AsyncGenerator<readonly TaskItem[]> {
  for await (const batch of items) {
    for (let from = 0; from < batch.length; from += limit.tasksPerGet) {
      const some = batch.slice(from, from + limit.tasksPerGet);
      // What was answered before is not sent again; what was sent may be changed already, and is on record.
      const fresh = some.flatMap((item) =>
        'refused' in item || states.of(item.number) !== state.untouched ? [] : [item],
      );
      if (fresh.length > 0 && (await pace.enter())) {
        const tasks = await readTasks(session, [...new Set(fresh.map(({ id }) => id))]).finally(() =>
          pace.leave(),
        );
        const before = new Map(tasks.map((task) => [task.id, task]));
        const at = world.clock.now();
        await keep(
          world,
          host,
          fresh.flatMap(({ id, number: row, update }) => {
            const task = before.get(id);
            return task ? [{ task: id, at, bulk: { key, row }, sent: update, before: task }] : [];
          }),
        );
      }
      yield some;
    }
  }
}
