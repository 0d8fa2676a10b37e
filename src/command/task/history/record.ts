// The local record of what tasks were before their updates: a file for each host and month, a line for each update, the
// last one at the end. It holds what the tasks held, so that nobody else may read it.

import { join } from 'node:path';
import { ownLines } from '../../../bulk/text.ts';
import { type Task, type TaskUpdate, taskRecord } from '../../../contract/task.ts';
import { tolerate } from '../../../contract/value.ts';
import { usage } from '../../../failure.ts';
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

/** Months that stay, the current one included: what is older, nobody puts back. */
const keptMonths = 4;

function folderOf({ files }: Parts): string {
  return join(files.stateFolder, 'undo');
}

function safe(host: string): string {
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
  const path = join(folderOf(world), `${safe(host)}.${monthOf(first.at)}.ndjson`);
  // Where it cannot be looked at, the opening tells why.
  checkKind(path, await world.files.kind(path).catch(() => undefined));
  const file = await world.files.append(path, { mode: 0o600 });
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
  if (file.size === 0) await dropOld(world, monthOf(first.at, keptMonths - 1));
}

/** Whatever else stands in its place is refused: a named pipe would be waited for. */
function checkKind(path: string, kind: string | undefined): void {
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

/** The last update of the task that is on record. */
export async function lastOf(world: Parts, host: string, task: string): Promise<Kept | undefined> {
  const folder = folderOf(world);
  const stem = safe(host);
  const names = (await world.files.list(folder)).filter(
    (name) => name.startsWith(stem) && /^\.\d{4}-\d\d\.ndjson$/.test(name.slice(stem.length)),
  );
  for (const name of names.toSorted().reverse()) {
    const last = await lastIn(world, join(folder, name), task);
    if (last) return last;
  }
  return undefined;
}

async function lastIn(world: Parts, path: string, task: string): Promise<Kept | undefined> {
  checkKind(path, await world.files.kind(path));
  const bytes = await world.files.stream(path);
  if (!bytes) return undefined;
  const start = `{"task":${JSON.stringify(task)},`;
  let last: Kept | undefined;
  for await (const piece of ownLines(bytes)) {
    for (const line of piece.text.split('\n')) if (line.startsWith(start)) last = read(line) ?? last;
  }
  return last;
}

/** Nothing where a crash has torn it. */
function read(line: string): Kept | undefined {
  try {
    return keptOf(JSON.parse(line));
  } catch {
    return undefined;
  }
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
