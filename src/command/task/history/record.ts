// The local record of what tasks were before their updates: a file for each host and month, a line for each update (of a
// bulk: for each row), the last one at the end. It holds what the tasks held, so that nobody else may read it.

import { join } from 'node:path';
import { ownLines } from '../../../bulk/text.ts';
import { type Task, type TaskUpdate, taskRecord } from '../../../contract/task.ts';
import { tolerate } from '../../../contract/value.ts';
import { usage } from '../../../failure.ts';
import type { World } from '../../../world/world.ts';
import { isParameter, saidKinds } from '../short/kinds.ts';
import { saidTogether } from './said-together.ts';

export interface Kept {
  readonly task: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly sent: TaskUpdate;
  readonly before: Task;
  /** The bulk that it is of, if any, and its row there. */
  readonly bulk?: { readonly key: string; readonly row: number };
}

/** What is undone in one go. Of a bulk, all that its rows have changed of the task. */
export interface LastUpdate extends Kept {
  readonly rows: number;
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
  await add(
    world,
    host,
    first.at,
    all.map(({ task, at, bulk, sent, before }) => ({ task, at, bulk, sent, before })),
  );
}

/** What names an update on record. */
export type Named = Pick<Kept, 'task' | 'at' | 'bulk'>;

/** What has come of an update on record. */
export interface End extends Named {
  /** When it was made; nothing where it has surely changed nothing. That is none to be undone: the one before it is. */
  readonly madeAt: number | undefined;
}

export async function noteEnds(world: Parts, host: string, all: readonly End[]): Promise<void> {
  for (const month of new Set(all.map(({ at }) => monthOf(at)))) {
    const some = all.filter(({ at }) => monthOf(at) === month);
    const lines = some.map(({ task, at, bulk, madeAt }) =>
      madeAt === undefined ? { task, at, bulk, struck: true } : { task, at, bulk, madeAt },
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

/** By their rows, in order: those of one bulk, with no other update between them; or a single one. */
type Steps = ReadonlyMap<number, Kept>;

/** The last update of the task that is on record. */
export async function lastOf(world: Parts, host: string, task: string): Promise<LastUpdate | undefined> {
  const folder = folderOf(world);
  const stem = safe(host);
  const names = (await world.files.list(folder)).filter(
    (name) => name.startsWith(stem) && /^\.\d{4}-\d\d\.ndjson$/.test(name.slice(stem.length)),
  );
  let steps: Steps = new Map();
  // A bulk may have gone on in another month.
  for (const name of names.toSorted().reverse()) {
    const found = await lastIn(world, join(folder, name), task);
    if (found.steps.size === 0) continue;
    if (steps.size > 0 && bulkOf(found.steps) !== bulkOf(steps)) break;
    steps = new Map([...found.steps, ...steps]);
    if (!found.isAll || bulkOf(steps) === undefined) break;
  }
  return asOne(steps);
}

interface Found {
  readonly steps: Steps;
  /** Nothing else of the task is in this file. */
  readonly isAll: boolean;
}

async function lastIn(world: Parts, path: string, task: string): Promise<Found> {
  let steps = new Map<number, Kept>();
  let isAll = true;
  for (const kept of await allIn(world, path, task)) {
    const { key, row = 0 } = kept.bulk ?? {};
    if (steps.size > 0 && (key === undefined || key !== bulkOf(steps))) {
      steps = new Map();
      isAll = false;
    }
    // A row that is there once more had not been sent: what was before is what was there the second time.
    steps.set(row, kept);
  }
  return { steps, isAll };
}

/** In the order in which they were made, whatever the clock said. */
async function allIn(world: Parts, path: string, task: string): Promise<readonly Kept[]> {
  checkKind(path, await world.files.kind(path));
  const bytes = await world.files.stream(path);
  const start = `{"task":${JSON.stringify(task)},`;
  const all: Kept[] = [];
  for await (const piece of bytes ? ownLines(bytes) : []) {
    for (const line of piece.text.split('\n')) {
      const found = line.startsWith(start) ? read(line) : undefined;
      if (!found) continue;
      if ('before' in found) all.push(found);
      else end(all, found);
    }
  }
  return all;
}

function end(all: Kept[], { at, bulk, madeAt }: Omit<End, 'task'>): void {
  const place = all.findLastIndex((one) => one.at === at && sameRow(one.bulk, bulk));
  const [ended] = place < 0 ? [] : all.splice(place, 1);
  if (!ended || madeAt === undefined) return;
  // It was on record before it was made: another may have been made in between.
  const next = all.findLastIndex((one) => one.at <= madeAt) + 1;
  all.splice(Math.max(place, next), 0, { ...ended, at: madeAt });
}

function sameRow(one: Kept['bulk'], other: Kept['bulk']): boolean {
  return one?.key === other?.key && one?.row === other?.row;
}

function bulkOf(steps: Steps): string | undefined {
  const [first] = steps.values();
  return first?.bulk?.key;
}

function asOne(steps: Steps): LastUpdate | undefined {
  const [first, ...others] = steps.values();
  if (!first) return undefined;
  const sent = others.reduce((said, next) => saidTogether(said, next.sent), first.sent);
  return { ...(others.at(-1) ?? first), sent, before: first.before, rows: steps.size };
}

/** Nothing where a crash has torn it. */
function read(line: string): Kept | Omit<End, 'task'> | undefined {
  try {
    const decoded = JSON.parse(line);
    return decoded.before === undefined ? { madeAt: undefined, ...decoded } : keptOf(decoded);
  } catch {
    return undefined;
  }
}

/** The file is our own; what an older version wrote may still lack something. */
function keptOf(value: {
  task: string;
  at: number;
  sent: Record<string, unknown>;
  before: unknown;
  bulk?: { key: string; row: number };
}): Kept {
  const sent: Record<string, unknown> = {};
  for (const [name, one] of Object.entries(value.sent))
    if (isParameter(name)) sent[name] = saidKinds[name].check(one);
  // Every member was checked by its own kind.
  return {
    task: value.task,
    at: value.at,
    ...(value.bulk ? { bulk: value.bulk } : {}),
    sent: sent as TaskUpdate,
    before: tolerate(taskRecord, value.before),
  };
}
