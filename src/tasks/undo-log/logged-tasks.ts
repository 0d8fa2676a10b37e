// Lists the tasks in this machine's undo log, newest update first, for the picker of `wm task undo`. Whether an update can be
// undone is checked only once the user has picked it.

import { monthlyFiles, undoLog } from '#cli/monthly-log.ts';
import { parseJsonIfValid } from '#contract/json.ts';
import { assertPrivateStateFolder } from '#login/private-folder.ts';
import type { World } from '#world/world.ts';
import { readPieces } from './read-log.ts';

export interface LoggedTask {
  readonly id: string;
  /** The title after the last update. */
  readonly title: string | undefined;
  /** When its last update was made, in milliseconds since 1970. */
  readonly at: number;
  readonly changed: readonly string[];
}

/** A bulk run may have logged a million tasks, far more than a user can pick from. */
const maxTasks = 10_000;

export async function readLoggedTasks(
  world: Pick<World, 'files'>,
  host: string,
): Promise<readonly LoggedTask[]> {
  await assertPrivateStateFolder(world);
  const log = undoLog(world, host);
  // By task: its updates, oldest first. The map ends with the task that was updated last.
  const tasks = new Map<string, readonly Entry[]>();
  for (const name of await monthlyFiles(world, log))
    for await (const { text } of readPieces(world, log, name))
      for (const line of text.split('\n')) addLine(tasks, line);
  return [...tasks.values()].flatMap((entries) => entries.at(-1) ?? []).toReversed();
}

interface Entry extends LoggedTask {
  /** Distinguishes it from other updates of the task. */
  readonly key: string;
}

function addLine(tasks: Map<string, readonly Entry[]>, text: string): void {
  const line = asObject(parseJsonIfValid(text));
  const { task, at } = line;
  if (typeof task !== 'string' || typeof at !== 'number') return;
  const key = JSON.stringify([at, line['uptime'], line['bulk']]);
  const before = tasks.get(task) ?? [];
  // An update that changed nothing cannot be undone.
  if (line['struck'] === true) {
    const remaining = before.filter((entry) => entry.key !== key);
    if (remaining.length === 0) tasks.delete(task);
    else tasks.set(task, remaining);
    return;
  }
  if (!('before' in line)) return;
  const sent = asObject(line['sent']);
  const title = [sent['title'], asObject(line['before'])['title']].find((value) => typeof value === 'string');
  tasks.delete(task);
  tasks.set(task, [
    // Only the last update can still be struck out, except in a bulk run.
    ...before.slice(-1),
    { id: task, title: String(title ?? '') || undefined, at, changed: Object.keys(sent), key },
  ]);
  const [oldest] = tasks.keys();
  if (tasks.size > maxTasks && oldest !== undefined) tasks.delete(oldest);
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
