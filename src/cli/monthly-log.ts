// The history and the undo log: append-only files in the state folder, one for each month; old files are dropped. Files are ordered
// by number, since the month is wrong if the clock was wrong.

import { join } from 'node:path';
import { usageError } from '#failure.ts';
import { assertPrivateStateFolder } from '#login/private-folder.ts';
import type { LogFile, World } from '#world/world.ts';

type Parts = Pick<World, 'files'>;

export function safeFileName(host: string): string {
  return host.replace(/[^\w.-]/g, '_');
}

export interface LogFolder {
  readonly folder: string;
  /** For errors: `undo log`. */
  readonly name: string;
}

export interface MonthlyLog extends LogFolder {
  /** The prefix of its file names. */
  readonly stem: string;
}

const earlierMonths = 3;

interface MonthFile {
  readonly name: string;
  readonly number: number;
  /** `2026-11`, in UTC, from the clock when the file was started. */
  readonly month: string;
}

/** The file names, oldest first. */
export async function monthlyFiles(world: Parts, log: MonthlyLog): Promise<readonly string[]> {
  return filesAmong(await world.files.list(log.folder), log).map(({ name }) => name);
}

/** The logs in a folder, by the prefix of their file names. */
export async function logsIn({ files }: Parts, folder: LogFolder): Promise<readonly MonthlyLog[]> {
  const endings = /(?:\.\d+)?\.\d{4}-\d\d\.ndjson$/;
  const names = (await files.list(folder.folder)).filter((name) => endings.test(name));
  return [...new Set(names.map((name) => name.replace(endings, '')))].map((stem) => ({ ...folder, stem }));
}

function filesAmong(names: readonly string[], { stem }: MonthlyLog): readonly MonthFile[] {
  const monthFiles: MonthFile[] = [];
  for (const name of names) {
    if (!name.startsWith(stem)) continue;
    // Older versions did not number the files.
    const [, number = '0', month] =
      /^(?:\.(\d+))?\.(\d{4}-\d\d)\.ndjson$/.exec(name.slice(stem.length)) ?? [];
    if (month !== undefined) monthFiles.push({ name, number: Number(number), month });
  }
  return monthFiles.sort((a, b) => a.number - b.number || a.month.localeCompare(b.month));
}

/** The file for new lines: the last of the names, or a new one for a new month. Once it is started, call `dropOld`. */
export function chooseFile(world: Parts, log: MonthlyLog, names: readonly string[], now: number) {
  const last = filesAmong(names, log).at(-1);
  const month = monthOf(now);
  if (last?.month === month) return { name: last.name, dropOld: () => done };
  return {
    name: `${log.stem}.${(last?.number ?? 0) + 1}.${month}.ndjson`,
    // The clock may be wrong, often far ahead. So a file is dropped only if it was already too old when the previous file was
    // started.
    dropOld: () =>
      last ? dropBefore(world, log.folder, oldestMonth(last.month < month ? last.month : month)) : done,
  };
}

const done = Promise.resolve();

function monthOf(time: number): string {
  return new Date(time).toISOString().slice(0, 7);
}

function oldestMonth(month: string): string {
  const date = new Date(`${month}-01T00:00:00Z`);
  return monthOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - earlierMonths));
}

/** Applies to all logs in the folder. Ignores a file that cannot be removed. */
async function dropBefore(world: Parts, folder: string, oldest: string): Promise<void> {
  for (const name of await world.files.list(folder)) {
    const month = /\.(\d{4}-\d\d)\.ndjson$/.exec(name)?.[1];
    if (month !== undefined && month < oldest) await world.files.remove(join(folder, name)).catch(() => {});
  }
}

/** Opens the named file, or the current one, for lines that need not be synced. Only the user may read it. */
export async function openLog(
  world: Parts,
  log: MonthlyLog,
  target: { readonly now: number } | { readonly name: string },
): Promise<LogFile> {
  await assertPrivateStateFolder(world);
  let chosen: { readonly name: string; dropOld?(): Promise<unknown> } | undefined;
  const choose = (names: readonly string[]): string => {
    chosen = 'name' in target ? target : chooseFile(world, log, names, target.now);
    return chosen.name;
  };
  try {
    const file = await world.files.openLog(log.folder, choose);
    if (file.isNew) await chosen?.dropOld?.().catch(() => {});
    return file;
  } catch (error) {
    const path = join(log.folder, chosen?.name ?? '');
    if (chosen) assertIsFile(log, path, await world.files.kind(path).catch(() => undefined));
    throw error;
  }
}

/** Appends lines to the named file, which only the user may read. They are on the disk when it resolves. */
export async function appendLines(
  world: Parts,
  log: LogFolder,
  name: string,
  lines: readonly object[],
): Promise<boolean> {
  const path = join(log.folder, name);
  await assertPrivateStateFolder(world);
  // If the file's kind cannot be read, opening the file reports why.
  assertIsFile(log, path, await world.files.kind(path).catch(() => undefined));
  const file = await world.files.append(path, { mode: 0o600 });
  try {
    // A line that a crash cut off must not merge with the next one.
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    file.write(file.size === 0 ? text : `\n${text}`);
    await file.sync();
  } finally {
    await file.close();
  }
  return file.size === 0;
}

/** Throws unless it is a regular file: opening a named pipe would wait. */
export function assertIsFile({ name }: LogFolder, path: string, kind: string | undefined): void {
  if (kind === undefined || kind === 'file') return;
  throw usageError(
    `${path} is not a regular file`,
    'Move it elsewhere, or remove it.',
    `The ${name} is stored in a file of this name.`,
  );
}

export function historyLog({ files }: Parts): MonthlyLog {
  return { folder: join(files.stateFolder, 'history'), stem: 'changes', name: 'history' };
}

export function undoLogFolder({ files }: Parts): LogFolder {
  return { folder: join(files.stateFolder, 'undo'), name: 'undo log' };
}

/** One log for each host, since ids are unique on a host. It keeps previous values for at least four months. */
export function undoLog(world: Parts, host: string): MonthlyLog {
  return { ...undoLogFolder(world), stem: safeFileName(host) };
}
