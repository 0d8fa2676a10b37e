// The files of the undo log: for each host a new one with each month, in the order of their numbers. The month alone would
// put an update that was made while the clock was wrong before or after the others.

import { join } from 'node:path';
import { findBaseUrl } from '../../../login/select-account.ts';
import type { World } from '../../../world/world.ts';
import type { Context } from '../../context.ts';

type Parts = Pick<World, 'files'>;

/** Months before the last one that stay: nobody restores what is older. */
const monthsKept = 3;

export function logFolder({ files }: Parts): string {
  return join(files.stateFolder, 'undo');
}

/** The host that the account is on: ids are unique there, so each host has its own log. */
export async function logHost({ world, account }: Pick<Context, 'world' | 'account'>): Promise<string> {
  const base = await findBaseUrl(world, account);
  return base === undefined ? 'unknown' : new URL(base).host;
}

/** A host as it stands in the name of a file. */
export function safeFileName(host: string): string {
  return host.replace(/[^\w.-]/g, '_');
}

interface LogFile {
  readonly name: string;
  readonly number: number;
  /** `2026-11`, in UTC, by the clock when the file was begun. */
  readonly month: string;
}

/** The names of a host's files, the oldest first. */
export async function logFiles(world: Parts, host: string): Promise<readonly string[]> {
  return (await filesOf(world, host)).map(({ name }) => name);
}

async function filesOf(world: Parts, host: string): Promise<readonly LogFile[]> {
  const stem = safeFileName(host);
  const found = (await world.files.list(logFolder(world))).flatMap((name): LogFile[] => {
    if (!name.startsWith(stem)) return [];
    // An older version has not numbered them.
    const [, number = '0', month] =
      /^(?:\.(\d+))?\.(\d{4}-\d\d)\.ndjson$/.exec(name.slice(stem.length)) ?? [];
    return month === undefined ? [] : [{ name, number: Number(number), month }];
  });
  return found.toSorted((a, b) => a.number - b.number || (a.month < b.month ? -1 : 1));
}

export interface CurrentFile {
  readonly name: string;
  /** To be called once it has been begun. */
  dropOld(): Promise<void>;
}

/** The file for what happens now: the last one, unless another month has come since it was begun. */
export async function currentFile(world: Parts, host: string, now: number): Promise<CurrentFile> {
  const last = (await filesOf(world, host)).at(-1);
  const month = monthOf(now);
  if (last?.month === month) return { name: last.name, dropOld: async () => {} };
  return {
    name: `${safeFileName(host)}.${(last?.number ?? 0) + 1}.${month}.ndjson`,
    // The clock may be wrong, most of all where it is far ahead. So what it calls old goes only if it was as old already when
    // the file before this one was begun.
    dropOld: () => (last ? dropBefore(world, monthBefore(last.month < month ? last.month : month)) : done),
  };
}

const done = Promise.resolve();

function monthOf(time: number): string {
  return new Date(time).toISOString().slice(0, 7);
}

/** The oldest month that stays. */
function monthBefore(month: string): string {
  const date = new Date(`${month}-01T00:00:00Z`);
  return monthOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - monthsKept));
}

/** Of every host. What cannot be removed stays: no update ends for that. */
async function dropBefore(world: Parts, oldestKept: string): Promise<void> {
  const folder = logFolder(world);
  for (const name of await world.files.list(folder)) {
    const month = /\.(\d{4}-\d\d)\.ndjson$/.exec(name)?.[1];
    if (month !== undefined && month < oldestKept)
      await world.files.remove(join(folder, name)).catch(() => {});
  }
}
