// Writes the undo log: a file for each host and month, a line for each update (of a bulk: for each row) with the values
// before it, and a second line for its end, with the values it left. It holds what the tasks held, so nobody else may read
// it. What reads it is last-update.ts.

import { join } from 'node:path';
import type { Task, TaskUpdate } from '../../../contract/task.ts';
import { usage } from '../../../failure.ts';
import type { World } from '../../../world/world.ts';

export interface Kept {
  readonly task: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly sent: TaskUpdate;
  readonly before: Task;
  /** The bulk that it is of, if any, and its row there. */
  readonly bulk?: { readonly key: string; readonly row: number };
  /** For an undo: when the update that it undoes was made, in milliseconds since 1970. */
  readonly undoes?: number;
}

/** The members of a task that a response has shown. */
export type Shown = Omit<Task, 'id'>;

type Parts = Pick<World, 'files'>;

/** Months that stay, the current one included: what is older, nobody puts back. */
const keptMonths = 4;

export function folderOf({ files }: Parts): string {
  return join(files.stateFolder, 'undo');
}

/** A host as it stands in the name of a file. */
export function safe(host: string): string {
  return host.replace(/[^\w.-]/g, '_');
}

/** `2026-11`, in UTC. */
function monthOf(at: number, back = 0): string {
  const date = new Date(at);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - back)).toISOString().slice(0, 7);
}

/** On the disk when it resolves: before the update is sent. */
export async function keep(world: Parts, host: string, all: readonly Kept[]): Promise<void> {
  const [first] = all;
  if (!first) return;
  await add(
    world,
    host,
    first.at,
    all.map(({ task, at, bulk, undoes, sent, before }) => ({ task, at, bulk, undoes, sent, before })),
  );
}

/** What names an update on record. */
export type Named = Pick<Kept, 'task' | 'at' | 'bulk'>;

/** What has come of an update on record. */
export interface End extends Named {
  /** When it was made; nothing where it has surely changed nothing. That is none to be undone: the one before it is. */
  readonly madeAt: number | undefined;
  /** What the response to it showed of the parts that it changed. */
  readonly left?: Shown;
}

export async function noteEnds(world: Parts, host: string, all: readonly End[]): Promise<void> {
  for (const month of new Set(all.map(({ at }) => monthOf(at)))) {
    const some = all.filter(({ at }) => monthOf(at) === month);
    const lines = some.map(({ task, at, bulk, madeAt, left }) =>
      madeAt === undefined ? { task, at, bulk, struck: true } : { task, at, bulk, madeAt, left },
    );
    await add(world, host, some[0]?.at ?? 0, lines);
  }
}

/** `at`: in whose month. */
async function add(world: Parts, host: string, at: number, lines: readonly object[]): Promise<void> {
  const path = join(folderOf(world), `${safe(host)}.${monthOf(at)}.ndjson`);
  // Where it cannot be looked at, the opening tells why.
  checkKind(path, await world.files.kind(path).catch(() => undefined));
  const file = await world.files.append(path, { mode: 0o600 });
  try {
    // A line that a crash has torn must not swallow the next.
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    file.write(file.size === 0 ? text : `\n${text}`);
    await file.sync();
  } finally {
    await file.close();
  }
  if (file.size === 0) await dropOld(world, monthOf(at, keptMonths - 1));
}

/** Whatever else stands in its place is refused: a named pipe would be waited for. */
export function checkKind(path: string, kind: string | undefined): void {
  if (kind === undefined || kind === 'file') return;
  throw usage(
    `${path} is not a record of updates`,
    'Move it elsewhere, or remove it.',
    'The values before are kept in a file of this name.',
  );
}

/** Of every host. What cannot be taken away stays: no update ends for that. */
async function dropOld(world: Parts, oldestKept: string): Promise<void> {
  const folder = folderOf(world);
  for (const name of await world.files.list(folder)) {
    const month = /\.(\d{4}-\d\d)\.ndjson$/.exec(name)?.[1];
    if (month !== undefined && month < oldestKept)
      await world.files.remove(join(folder, name)).catch(() => {});
  }
}
