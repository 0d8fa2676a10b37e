// The history and the undo log: append-only files in the state folder, one for each month; old files are dropped. Files are ordered
// by number, since the month is wrong if the clock was wrong.

import { join } from 'node:path';
import { usageError } from '#failure.ts';
import { assertPrivateStateFolder } from '#login/private-folder.ts';
import type { World } from '#world/world.ts';

type Parts = Pick<World, 'files'>;

export const safeFileName = (host: string): string => host.replace(/[^\w.-]/g, '_');

export interface MonthlyLog {
  readonly folder: string;
  /** The prefix of its file names. */
  readonly stem: string;
  /** For errors: `undo log`. */
  readonly name: string;
}

/** Where new lines go: to the file of this time's month, or to the named one. */
type Target = { readonly now: number } | { readonly name: string };

const earlierMonths = 3;

interface MonthFile {
  readonly name: string;
  readonly number: number;
  /** `2026-11`, in UTC, from the clock when the file was started. */
  readonly month: string;
}

/** The file names, oldest first. */
export async function monthlyFiles(world: Parts, log: MonthlyLog): Promise<readonly string[]> {
  return filesAmong(await listFolder(world, log), log).map(({ name }) => name);
}

/** The logs in a folder, by the prefix of their file names. */
export async function logsIn(world: Parts, log: MonthlyLog): Promise<readonly MonthlyLog[]> {
  const endings = /(?:\.\d+)?\.\d{4}-\d\d\.ndjson$/;
  const names = (await listFolder(world, log)).filter((name) => endings.test(name));
  return [...new Set(names.map((name) => name.replace(endings, '')))].map((stem) => ({ ...log, stem }));
}

async function listFolder({ files }: Parts, { folder, name }: MonthlyLog): Promise<readonly string[]> {
  const names = await files.list(folder);
  // A file in its place is listed as if there were none.
  if (names.length > 0 || [undefined, 'folder'].includes(await files.kind(folder))) return names;
  throw usageError(
    `${folder} is not a folder`,
    'Move it elsewhere, or remove it.',
    `The ${name} is stored in a folder of this name.`,
  );
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

interface ChosenFile {
  readonly name: string;
  /** Set for a new file: once it is begun, the files of earlier months are dropped. */
  readonly oldestMonth?: string;
}

/** The last of the files, or a new one for a new month. */
function chooseFile(names: readonly string[], log: MonthlyLog, target: Target): ChosenFile {
  if ('name' in target) return target;
  const last = filesAmong(names, log).at(-1);
  const month = monthOf(target.now);
  if (last?.month === month) return last;
  const name = `${log.stem}.${(last?.number ?? 0) + 1}.${month}.ndjson`;
  // The clock may be wrong, often far ahead. So a file is dropped only if it was already too old when the previous file was started.
  return last ? { name, oldestMonth: monthsBefore(last.month < month ? last.month : month) } : { name };
}

const monthOf = (time: number): string => new Date(time).toISOString().slice(0, 7);

function monthsBefore(month: string): string {
  const date = new Date(`${month}-01T00:00:00Z`);
  return monthOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - earlierMonths));
}

/** Applies to all logs in the folder. Ignores a file that cannot be removed. */
async function dropOld({ files }: Parts, folder: string, oldest: string | undefined): Promise<void> {
  if (oldest === undefined) return;
  for (const name of await files.list(folder).catch(() => [])) {
    const month = /\.(\d{4}-\d\d)\.ndjson$/.exec(name)?.[1];
    if (month !== undefined && month < oldest) await files.remove(join(folder, name)).catch(() => {});
  }
}

/** Appends a line that need not be synced to a file that only the user may read, and returns its name. */
export async function appendToLog(world: Parts, log: MonthlyLog, target: Target, line: object) {
  await assertPrivateStateFolder(world);
  let chosen: ChosenFile | undefined;
  const choose = (names: readonly string[]): string => {
    chosen = chooseFile(names, log, target);
    return chosen.name;
  };
  try {
    const isNew = await world.files.appendLine(log.folder, choose, JSON.stringify(line));
    if (isNew) await dropOld(world, log.folder, chosen?.oldestMonth);
    return chosen?.name ?? '';
  } catch (error) {
    if (chosen) await assertNoOtherKind(world, log, chosen.name);
    throw error;
  }
}

/** Appends lines to a file that only the user may read, and returns its name. They are on the disk when it resolves. */
export async function appendSynced(world: Parts, log: MonthlyLog, target: Target, lines: readonly object[]) {
  const { files } = world;
  await assertPrivateStateFolder(world);
  const chosen = chooseFile(await files.list(log.folder), log, target);
  await assertNoOtherKind(world, log, chosen.name);
  const file = await files.append(join(log.folder, chosen.name), { mode: 0o600 });
  try {
    // Before the lines, so that a file with lines has a name that a power cut leaves.
    if (file.size === 0) for (const folder of [log.folder, files.stateFolder]) await files.syncFolder(folder);
    // A line that a crash cut off must not merge with the next one.
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    file.write(file.size === 0 ? text : `\n${text}`);
    await file.sync();
  } finally {
    await file.close();
  }
  if (file.size === 0) await dropOld(world, log.folder, chosen.oldestMonth);
  return chosen.name;
}

/** If the kind cannot be read, opening the file reports why. */
async function assertNoOtherKind({ files }: Parts, log: MonthlyLog, name: string): Promise<void> {
  const path = join(log.folder, name);
  assertIsFile(log, path, await files.kind(path).catch(() => undefined));
}

/** Throws unless it is a regular file: opening a named pipe would wait. */
export function assertIsFile({ name }: MonthlyLog, path: string, kind: string | undefined): void {
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

/** One log for each host, since ids are unique on a host; without a host, only their folder counts. It keeps previous values for at least four months. */
export function undoLog({ files }: Parts, host = ''): MonthlyLog {
  return { folder: join(files.stateFolder, 'undo'), stem: safeFileName(host), name: 'undo log' };
}
