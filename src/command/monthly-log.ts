// Log files in the state folder that grow at their end: a new file each month, numbered, and old ones are dropped. The number
// orders them, since the month alone would misplace lines that were written while the clock was wrong.

import { join } from 'node:path';
import { usageError } from '../failure.ts';
import { assertPrivateStateFolder } from '../login/private-folder.ts';
import type { World } from '../world/world.ts';

type Parts = Pick<World, 'files'>;

export interface LogFolder {
  readonly folder: string;
  /** For errors: `undo log`. */
  readonly name: string;
}

export interface MonthlyLog extends LogFolder {
  /** What the names of its files begin with. */
  readonly stem: string;
}

/** Months to keep before the last one. */
const monthsKept = 3;

interface LogFile {
  readonly name: string;
  readonly number: number;
  /** `2026-11`, in UTC, by the clock when the file was started. */
  readonly month: string;
}

/** The names of its files, oldest first. */
export async function monthlyFiles(world: Parts, log: MonthlyLog): Promise<readonly string[]> {
  return (await filesOf(world, log)).map(({ name }) => name);
}

async function filesOf(world: Parts, { folder, stem }: MonthlyLog): Promise<readonly LogFile[]> {
  const found = (await world.files.list(folder)).flatMap((name): LogFile[] => {
    if (!name.startsWith(stem)) return [];
    // An older version did not number them.
    const [, number = '0', month] =
      /^(?:\.(\d+))?\.(\d{4}-\d\d)\.ndjson$/.exec(name.slice(stem.length)) ?? [];
    return month === undefined ? [] : [{ name, number: Number(number), month }];
  });
  return found.toSorted((a, b) => a.number - b.number || a.month.localeCompare(b.month));
}

export interface CurrentFile {
  readonly name: string;
  /** Call it once the file has been started. */
  dropOld(): Promise<void>;
}

/** The file for new lines: the last one, or a new one if the month has changed since it was started. */
export async function currentFile(world: Parts, log: MonthlyLog, now: number): Promise<CurrentFile> {
  const last = (await filesOf(world, log)).at(-1);
  const month = monthOf(now);
  if (last?.month === month) return { name: last.name, dropOld: async () => {} };
  return {
    name: `${log.stem}.${(last?.number ?? 0) + 1}.${month}.ndjson`,
    // The clock may be wrong, far ahead above all. So a file is dropped only if it was already too old when the previous
    // file was started.
    dropOld: () =>
      last ? dropBefore(world, log.folder, monthBefore(last.month < month ? last.month : month)) : done,
  };
}

const done = Promise.resolve();

function monthOf(time: number): string {
  return new Date(time).toISOString().slice(0, 7);
}

/** The oldest month to keep. */
function monthBefore(month: string): string {
  const date = new Date(`${month}-01T00:00:00Z`);
  return monthOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - monthsKept));
}

/** Of all logs in the folder. A file that cannot be removed stays: no change fails because of it. */
async function dropBefore(world: Parts, folder: string, oldestKept: string): Promise<void> {
  for (const name of await world.files.list(folder)) {
    const month = /\.(\d{4}-\d\d)\.ndjson$/.exec(name)?.[1];
    if (month !== undefined && month < oldestKept)
      await world.files.remove(join(folder, name)).catch(() => {});
  }
}

/**
 * Appends lines to the file of this name, which only the user may read. `synced`: on the disk when it resolves; otherwise
 * they survive this process, but not a crash of the machine. True if the file was empty before.
 */
export async function appendLines(
  world: Parts,
  log: LogFolder,
  name: string,
  lines: readonly object[],
  { synced }: { readonly synced: boolean },
): Promise<boolean> {
  const path = join(log.folder, name);
  await assertPrivateStateFolder(world);
  // If its kind cannot be read, opening it tells why.
  assertIsFile(log, path, await world.files.kind(path).catch(() => undefined));
  const file = await world.files.append(path, { mode: 0o600 });
  try {
    // A line that a crash cut off must not merge with the next.
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    file.write(file.size === 0 ? text : `\n${text}`);
    if (synced) await file.sync();
  } finally {
    await file.close();
  }
  return file.size === 0;
}

/** Throws for anything but a regular file: opening a named pipe would wait. */
export function assertIsFile({ name }: LogFolder, path: string, kind: string | undefined): void {
  if (kind === undefined || kind === 'file') return;
  throw usageError(
    `${path} is not a regular file`,
    'Move it elsewhere, or remove it.',
    `The ${name} is stored in a file of this name.`,
  );
}
