// The local record of what tasks were before their updates: a file for each host, a line for each update, the last one at
// the end. It holds what the tasks held, so that nobody else may read it.

import { join } from 'node:path';
import { wholeLines } from '../../../bulk/text.ts';
import { type Task, type TaskUpdate, taskRecord } from '../../../contract/task.ts';
import { tolerate } from '../../../contract/value.ts';
import type { World } from '../../../world/world.ts';
import { isParameter, saidKinds } from '../short/kinds.ts';

export interface Kept {
  readonly task: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly sent: TaskUpdate;
  readonly before: Task;
}

type Parts = Pick<World, 'files'>;

function pathOf({ files }: Parts, host: string): string {
  return join(files.stateFolder, 'undo', `${host.replace(/[^\w.-]/g, '_')}.ndjson`);
}

/** On the disk when it resolves: before the update is sent. */
export async function keep(world: Parts, host: string, all: readonly Kept[]): Promise<void> {
  const file = await world.files.append(pathOf(world, host), { mode: 0o600 });
  try {
    // A line that a crash has torn must not swallow the next.
    const text = all
      .map(({ task, at, sent, before }) => `${JSON.stringify({ task, at, sent, before })}\n`)
      .join('');
    file.write(file.size === 0 ? text : `\n${text}`);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The last update of the task that is on record. */
export async function lastOf(world: Parts, host: string, task: string): Promise<Kept | undefined> {
  const bytes = await world.files.stream(pathOf(world, host));
  if (!bytes) return undefined;
  const start = `{"task":${JSON.stringify(task)},`;
  let last: string | undefined;
  for await (const piece of wholeLines(bytes)) {
    if ('wrong' in piece) break;
    for (const line of piece.text.split('\n')) if (line.startsWith(start) && line.endsWith('}')) last = line;
  }
  return last === undefined ? undefined : keptOf(JSON.parse(last));
}

/** The file is our own; what an older version wrote may still lack something. */
function keptOf(value: { task: string; at: number; sent: Record<string, unknown>; before: unknown }): Kept {
  const sent: Record<string, unknown> = {};
  for (const [name, one] of Object.entries(value.sent))
    if (isParameter(name)) sent[name] = saidKinds[name].check(one);
  // Every member was checked by its own kind.
  return {
    task: value.task,
    at: value.at,
    sent: sent as TaskUpdate,
    before: tolerate(taskRecord, value.before),
  };
}
