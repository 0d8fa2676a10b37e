// Writes the undo log: a line for each update (of a bulk run: for each row) with the values before it, and a second line for
// its end, with the values it left. It holds what the tasks held, so nobody else may read it. What reads it is
// last-update.ts; in which file a line stands, log-files.ts.

import { join } from 'node:path';
import type { Task, TaskUpdate } from '../../../contract/task.ts';
import { usageError } from '../../../failure.ts';
import { assertPrivateStateFolder } from '../../../login/private-folder.ts';
import type { World } from '../../../world/world.ts';
import type { TaskValues } from '../parts/part.ts';
import { currentFile, logFolder } from './log-files.ts';
import type { Moment } from './moment.ts';

/** What names an update on record: its task, when the values before it were read, and its row. */
export interface UpdateKey extends Moment {
  readonly task: string;
  /** The bulk that it is of, if any, and its row there. */
  readonly bulk?: { readonly key: string; readonly row: number };
}

export interface LoggedUpdate extends UpdateKey {
  readonly sent: TaskUpdate;
  readonly before: Task;
  /** For an undo: when the update that it undoes was made, in milliseconds since 1970. */
  readonly undoes?: number;
}

type Parts = Pick<World, 'files'>;

/** On the disk when it resolves: before the update is sent. The result names the file, where their ends belong too. */
export async function writeUpdates(
  world: Parts,
  host: string,
  all: readonly LoggedUpdate[],
): Promise<string> {
  const [first] = all;
  if (!first) return '';
  const { name, dropOld } = await currentFile(world, host, first.at);
  const isNew = await appendLines(
    world,
    name,
    all.map(({ task, at, uptime, bulk, undoes, sent, before }) => ({
      task,
      at,
      uptime,
      bulk,
      undoes,
      sent,
      before,
    })),
  );
  if (isNew) await dropOld();
  return name;
}

/** What has come of an update on record. */
export interface UpdateEnd extends UpdateKey {
  /** The file of its beginning. */
  readonly file: string;
  /** When it was made; nothing where it has surely changed nothing. That is none to be undone: the one before it is. */
  readonly made: Moment | undefined;
  /** What the response to it showed of the parts that it changed. */
  readonly left?: TaskValues;
}

export async function writeEnds(world: Parts, all: readonly UpdateEnd[]): Promise<void> {
  for (const name of new Set(all.map(({ file }) => file))) {
    const some = all.filter(({ file }) => file === name);
    const lines = some.map(({ task, at, uptime, bulk, made, left }) =>
      made === undefined
        ? { task, at, uptime, bulk, struck: true }
        : { task, at, uptime, bulk, madeAt: made.at, madeUptime: made.uptime, left },
    );
    await appendLines(world, name, lines);
  }
}

/** True where the file was empty before. */
async function appendLines(world: Parts, name: string, lines: readonly object[]): Promise<boolean> {
  const path = join(logFolder(world), name);
  await assertPrivateStateFolder(world);
  // Where it cannot be looked at, the opening tells why.
  assertIsFile(path, await world.files.kind(path).catch(() => undefined));
  const file = await world.files.append(path, { mode: 0o600 });
  try {
    // A line that a crash has torn must not swallow the next.
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    file.write(file.size === 0 ? text : `\n${text}`);
    await file.sync();
  } finally {
    await file.close();
  }
  return file.size === 0;
}

/** Whatever else stands in its place is refused: a named pipe would be waited for. */
export function assertIsFile(path: string, kind: string | undefined): void {
  if (kind === undefined || kind === 'file') return;
  throw usageError(
    `${path} is not a regular file`,
    'Move it elsewhere, or remove it.',
    'The undo log is stored in a file of this name.',
  );
}
