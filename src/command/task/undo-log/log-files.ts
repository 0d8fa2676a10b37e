// The files of the undo log: a new one for each host and month, ordered by number. The month alone would misplace updates
// that were made while the clock was wrong.

import { join } from 'node:path';
import { findBaseUrl } from '../../../login/select-account.ts';
import type { World } from '../../../world/world.ts';
import type { Context } from '../../context.ts';

type Parts = Pick<World, 'files'>;

/** Months to keep before the last one; older values are not restored. */
const monthsKept = 3;

export function logFolder({ files }: Parts): string {
  return join(files.stateFolder, 'undo');
}

/** The host that the account is on: ids are unique there, so each host has its own log. */
export async function logHost({ world, account }: Pick<Context, 'world' | 'account'>): Promise<string> {
  const base = await findBaseUrl(world, account);
  return base === undefined ? 'unknown' : new URL(base).host;
}

/** A host as part of a file name. */
export function safeFileName(host: string): string {
  return host.replace(/[^\w.-]/g, '_');
}

interface LogFile {
  readonly name: string;
  readonly number: number;
  /** `2026-11`, in UTC, by the clock when the file was started. */
  readonly month: string;
}

/** The files of a host, oldest first. */
export async function logFiles(world: Parts, host: string): Promise<readonly string[]> {
  return (await filesOf(world, host)).map(({ name }) => name);
}

async function filesOf(world: Parts, host: string): Promise<readonly LogFile[]> {
  const stem = safeFileName(host);
  const found = (await world.files.list(logFolder(world))).flatMap((name): LogFile[] => {
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

/** The file for new entries: the last one, or a new one if the month has changed since it was started. */
export async function currentFile(world: Parts, host: string, now: number): Promise<CurrentFile> {
  const last = (await filesOf(world, host)).at(-1);
  const month = monthOf(now);
  if (last?.month === month) return { name: last.name, dropOld: async () => {} };
  return {
    name: `${safeFileName(host)}.${(last?.number ?? 0) + 1}.${month}.ndjson`,
    // The clock may be wrong, far ahead above all. So a file is dropped only if it was already too old when the previous
    // file was started.
    dropOld: () => (last ? dropBefore(world, monthBefore(last.month < month ? last.month : month)) : done),
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

/** For all hosts. A file that cannot be removed stays: no update fails because of it. */
async function dropBefore(world: Parts, oldestKept: string): Promise<void> {
  const folder = logFolder(world);
  for (const name of await world.files.list(folder)) {
    const month = /\.(\d{4}-\d\d)\.ndjson$/.exec(name)?.[1];
    if (month !== undefined && month < oldestKept)
      await world.files.remove(join(folder, name)).catch(() => {});
  }
}
